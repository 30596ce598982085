// Everything a caller can do with the changelog.
import { z } from 'zod'
import { moderate, supervise } from '../../content/area.ts'
import { editOperations } from '../../content/edits/contract.ts'
import { MAX_CLOSED, NumbersToClose } from '../../content/references/closing-contract.ts'
import { Numbered } from '../../content/references/contract.ts'
import {
  boardFields,
  boardFilter,
  boardInput,
  discussionOperations,
  entryFieldsOf,
  readOperations,
} from '../../content/subjects/contract.ts'
import { Id, listOf, pageInput } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { usedByWidget } from '../../contract/own-clients.ts'
import { Release, release, releaseActions } from './subject.ts'

const ReleaseEntry = Release.extend({
  ...entryFieldsOf(release),
  ...boardFields,
  closed: z.array(Numbered).meta({ description: 'What `closes` names, as far as everybody can see it' }),
}).meta({ id: 'ReleaseEntry' })

const Numbers = NumbersToClose.meta({
  description: `Numbers of bugs and feature requests, at most ${MAX_CLOSED}, with commas. Feature requests need an admin, as setting their status does.`,
  example: '128,131',
})

const all = {
  ...readOperations(release, ReleaseEntry, boardFilter),
  drafts: {
    summary: 'Drafts of releases, newest first: moderators alone see them',
    synonyms: ['list drafts', 'unpublished releases'],
    method: 'GET',
    path: `${release.path}/drafts`,
    access: supervise,
    input: z.object(pageInput),
    output: listOf(ReleaseEntry),
  },
  create: {
    summary: 'Publish a release in the changelog, and close what it closes; or keep it as a draft',
    synonyms: ['new release', 'write release notes', 'announce version', 'create changelog entry', 'draft release'],
    description:
      'Bugs become resolved and feature requests shipped. Those who follow or voted for them are notified, unless they chose otherwise. A draft does none of that until it is published.',
    method: 'POST',
    kind: 'posts',
    path: release.path,
    access: moderate,
    audit: [releaseActions.publish],
    budget: 'topics',
    input: z.object({
      title: Release.shape.title,
      body: Release.shape.body,
      version: Release.shape.version.default(''),
      date: z.iso
        .date()
        .or(z.literal(''))
        .optional()
        .meta({ description: 'Today, by UTC, unless told', example: '2026-11-20' }),
      closes: Numbers.default(''),
      ...boardInput,
      draft: z.boolean().default(false).meta({ description: 'Whether only moderators see it, until it is published' }),
    }),
    output: Release,
    status: 201,
    problems: ['not_found', 'forbidden'],
  },
  publish: {
    summary: 'Publish a draft of a release, and close what it closes',
    synonyms: ['publish draft', 'ship release'],
    description: 'It stands in the changelog as of now. A date that was not chosen is that of today.',
    method: 'POST',
    kind: 'posts',
    path: `${release.path}/{id}/publish`,
    access: moderate,
    audit: [releaseActions.publish],
    input: z.object({ id: Id }),
    output: Release,
    problems: ['not_found', 'forbidden', 'conflict'],
  },
  ...editOperations(release, {
    fields: Release.pick({ title: true, body: true, version: true, date: true }).extend({ closes: Numbers }),
    output: Release,
    audit: releaseActions.edit,
  }),
  ...discussionOperations(release),
} satisfies Contract

export const changelog = usedByWidget(all, ['list'])
