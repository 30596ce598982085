// Publishing items and their versions, and changing or removing them.
import { z } from 'zod'
import { Reason } from '../../content/hiding/moderation-contract.ts'
import { MAX_CLOSED, NumbersToClose } from '../../content/references/closing-contract.ts'
import { Id, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { write } from '../items/area.ts'
import {
  Changelog,
  Description,
  Item,
  ItemName,
  KindName,
  orEmpty,
  Permission,
  RESOURCE,
  TagsGiven,
  TagText,
  TeamSlug,
  VersionText,
  Visibility,
} from '../items/item-contract.ts'
import { itemActions } from '../items/subject.ts'

/** The largest of the kinds (interface.md, section 8); what is special to a kind is checked when the kind is known. */
export const MAX_ARTIFACT_BYTES = 20 * 1024 * 1024

const byId = z.object({ id: Id })
const oneFile = { file: { maxBytes: MAX_ARTIFACT_BYTES, maxFiles: 1, required: true, example: 'digest.json' } } as const

const StopFor = orEmpty(z.enum(['suspicious', 'severe'])).meta({
  description: 'Publish nothing if the scan finds something this serious, or could not read something',
})

/** The statement with one signature and its ticket, as JSON. */
const Signature = orEmpty(z.string().max(8_000)).meta({
  description: 'The statement of /library/statements, signed by the publisher: JSON',
  example:
    '{"payload":"eyJfdHlwZSI…","payloadType":"application/vnd.in-toto+json","ticket":"nZ0…","signatures":[{"keyid":"…","sig":"…"}]}',
})

const Published = Item.extend({
  warnings: z
    .array(
      z.object({
        path: textLike('roles.1.reports_to'),
        message: textLike('no role has the id "boss"'),
      }),
    )
    .optional()
    .meta({ description: 'What in the file means nothing' }),
  may_do_more: z
    .object({ than: VersionText, permissions: z.array(Permission) })
    .optional()
    .meta({ description: 'What the version may do that the one before it may not' }),
}).meta({ id: 'PublishedItem' })

export const publishing = {
  publish: {
    summary: 'Publish a workflow, an automation or an org',
    synonyms: ['upload', 'share workflow', 'publish item', 'new item'],
    description:
      'Name, description and version come from the file unless they are given. 30 uploads an hour; only admins publish something official.',
    method: 'POST',
    kind: 'library',
    path: '/library/items',
    tool: {
      name: 'publish_library_item',
      outline: Published.pick({ id: true, kind: true, slug: true, version: true, url: true, warnings: true }),
    },
    resource: RESOURCE,
    access: write,
    publishes: true,
    budget: 'uploads',
    input: z.object({}),
    upload: {
      fields: z.object({
        kind: KindName,
        visibility: orEmpty(Visibility).transform((visibility) => visibility ?? 'private'),
        name: orEmpty(ItemName),
        description: orEmpty(Description),
        tags: TagText.optional(),
        version: orEmpty(VersionText),
        changelog: orEmpty(Changelog),
        team: orEmpty(TeamSlug).meta({ description: 'The slug of a team of mine that is to hold it' }),
        stop_for: StopFor,
        signature: Signature,
      }),
      files: oneFile,
    },
    output: Published,
    status: 201,
    problems: [
      ...(['not_found', 'conflict', 'invalid_artifact', 'invalid_signature', 'forbidden'] as const),
      ...(['too_large', 'rate_limited', 'suspicious', 'version_conflict'] as const),
    ],
  },
  publishVersion: {
    summary: 'Publish a newer version of an item',
    synonyms: ['new version', 'update item file', 'upload new version', 'release new version', 'bump version'],
    description: 'The next patch unless a version is given or stands in the manifest. Earlier versions stay.',
    method: 'PUT',
    kind: 'library',
    path: '/library/items/{id}/artifact',
    idempotent: false,
    resource: RESOURCE,
    access: write,
    publishes: true,
    stages: true,
    budget: 'uploads',
    input: byId,
    upload: {
      fields: z.object({
        version: orEmpty(VersionText),
        changelog: orEmpty(Changelog),
        closes: NumbersToClose.optional().meta({
          description: `Numbers of bugs about this item that it resolves, at most ${MAX_CLOSED}, with commas`,
          example: '128,131',
        }),
        stop_for: StopFor,
        signature: Signature,
      }),
      files: oneFile,
    },
    output: Published,
    problems: [
      'not_found',
      'gallery_org',
      'forbidden',
      'too_large',
      'rate_limited',
      'invalid_artifact',
      'invalid_signature',
      'version_conflict',
      'suspicious',
    ],
  },
  update: {
    summary: 'Change what is said about an item, or who sees it',
    synonyms: ['make public', 'make private', 'change visibility', 'edit item', 'change tags', 'rename item title'],
    description: 'Only admins move items into or out of official. The slug stays.',
    method: 'PATCH',
    kind: 'library',
    path: '/library/items/{id}',
    access: write,
    audit: [itemActions.update],
    input: byId,
    deferredBody: z.object({
      name: ItemName.optional(),
      description: Description.optional(),
      tags: TagsGiven.optional(),
      visibility: Visibility.optional(),
      reason: Reason,
    }),
    output: Item,
    problems: ['not_found', 'gallery_org', 'forbidden', 'too_large'],
  },
  delete: {
    summary: 'Remove an item with all its versions, votes and comments',
    synonyms: ['delete item', 'unpublish item', 'remove from library'],
    description:
      'Its owner deletes what everybody sees, or could see before, only in the first 72 hours, below 10 downloads and while no other item uses it; otherwise 409: yank or deprecate it. What never was public, and admins: always. Its name stays with its account.',
    method: 'DELETE',
    kind: 'library',
    path: '/library/items/{id}',
    access: write,
    audit: [itemActions.delete],
    input: byId.extend({ reason: Reason }),
    output: z.object({ id: Id, deleted: z.literal(true) }),
    problems: ['not_found', 'forbidden', 'conflict'],
  },
} satisfies Contract
