// The life of versions and items: what is yanked and deprecated.
import { z } from 'zod'
import { Reason } from '../../content/hiding/moderation-contract.ts'
import { Id, text } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { browse, write } from '../items/area.ts'
import {
  Item,
  ItemSlug,
  ItemVersion,
  KIND_SEGMENT,
  KindName,
  orEmpty,
  Successor,
  VersionText,
} from '../items/item-contract.ts'
import { itemActions } from '../items/subject.ts'

const byId = z.object({ id: Id })
const byVersion = byId.extend({ version: VersionText })
const ADMINS = 'Admins do it to items of others with a reason.'

export const life = {
  version: {
    summary: 'A version of an item',
    method: 'GET',
    path: '/library/versions/{id}/{version}',
    access: browse,
    input: byVersion,
    output: ItemVersion,
    problems: ['not_found'],
  },
  findVersion: {
    summary: 'A version of an item, by kind and slug',
    method: 'GET',
    path: '/library/items/{kind}/{slug}/versions/{version}',
    segments: { kind: KIND_SEGMENT },
    access: browse,
    input: z.object({
      kind: KindName,
      slug: ItemSlug,
      version: VersionText,
    }),
    output: ItemVersion,
    problems: ['not_found'],
  },
  deleteVersion: {
    summary: 'Delete a version of an item',
    synonyms: ['remove version', 'unpublish version'],
    description:
      'As an item is deleted: what everybody sees, or could see before, only in the first 72 hours of the version, below 10 downloads of it and while no other item uses the item, otherwise 409. Not the last one. Its number is not given again.',
    method: 'DELETE',
    kind: 'library',
    path: '/library/versions/{id}/{version}',
    access: write,
    audit: [itemActions['delete-version']],
    input: byVersion.extend({ reason: Reason }),
    output: z.object({ id: Id, version: VersionText, deleted: z.literal(true) }),
    problems: ['not_found', 'gallery_org', 'forbidden', 'conflict'],
  },
  yank: {
    summary: 'Yank a version, or take that back',
    synonyms: ['withdraw version', 'unyank', 'recall version', 'pull version', 'mark version broken'],
    description: `A yanked version is not chosen by "latest" and by ranges. It stays in the list of versions, and can be downloaded by its exact number. The item shows its newest version that is not yanked. ${ADMINS} What an admin yanked so, only admins take back.`,
    method: 'PUT',
    kind: 'library',
    path: '/library/items/{id}/versions/{version}/yanked',
    access: write,
    budget: 'comments',
    audit: [itemActions.yank],
    input: byVersion,
    deferredBody: z.object({
      yanked: z.boolean().meta({ example: true }),
      reason: Reason.meta({
        example: 'It sends every mail twice',
        description:
          'Why, for those who use it: shown with the version. An admin has to give one for an item of others.',
      }),
    }),
    output: ItemVersion,
    problems: ['not_found', 'gallery_org', 'forbidden', 'too_large'],
  },
  deprecate: {
    summary: 'Deprecate an item, or take that back',
    synonyms: ['mark as deprecated', 'undeprecate', 'retire item', 'replaced by'],
    description: `A deprecated item stays as it is; its page and the API say so, with what to use instead. ${ADMINS}`,
    method: 'PUT',
    kind: 'library',
    path: '/library/items/{id}/deprecated',
    access: write,
    budget: 'comments',
    audit: [itemActions.deprecate],
    input: byId,
    deferredBody: z.object({
      deprecated: z.boolean().meta({ example: true }),
      message: text(0, 500).default('').meta({ example: 'No longer maintained', description: 'For those who use it' }),
      successor: orEmpty(Successor),
      reason: Reason,
    }),
    output: Item,
    problems: ['not_found', 'gallery_org', 'forbidden', 'too_large'],
  },
} satisfies Contract
