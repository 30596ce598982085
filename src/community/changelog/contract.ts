// Everything a caller can do with the changelog.
import { z } from 'zod'
import { moderate } from '../../content/area.ts'
import { editOperations } from '../../content/edits/contract.ts'
import { Numbered } from '../../content/references/contract.ts'
import {
  byId,
  commentOperations,
  deleteOperation,
  entryFieldsOf,
  readOperations,
  voteOperation,
} from '../../content/subject-contract.ts'
import { text } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { MAX_CLOSED, numbersIn } from './rules.ts'
import { Release, release, releaseActions } from './subject.ts'

const ReleaseEntry = Release.extend({
  ...entryFieldsOf(release),
  closed: z.array(Numbered).meta({ description: 'What `closes` names, as far as everybody can see it' }),
}).meta({ id: 'ReleaseEntry' })

const Closes = text(0, 500)
  .default('')
  .transform((numbers, context) => {
    const found = numbersIn(numbers)
    if (!found) context.addIssue(`must be at most ${MAX_CLOSED} numbers with commas between them`)
    return (found ?? []).join()
  })
  .meta({
    description: `Numbers of bugs and feature requests, at most ${MAX_CLOSED}, with commas. Feature requests need an admin, as setting their status does.`,
    example: '128,131',
  })

export const changelog = {
  ...readOperations(release, ReleaseEntry),
  create: {
    summary: 'Publish a release in the changelog, and close what it closes',
    description:
      'Bugs become resolved and feature requests shipped. Those who follow or voted for them are notified, unless they chose otherwise.',
    method: 'POST',
    path: release.path,
    access: moderate,
    audit: [releaseActions.publish],
    budget: 'topics',
    input: z.object({
      title: Release.shape.title,
      body: Release.shape.body,
      version: Release.shape.version.default(''),
      date: z.iso.date().optional().meta({ description: 'Today, by UTC, unless told', example: '2026-11-20' }),
      closes: Closes,
    }),
    output: Release,
    status: 201,
    problems: ['forbidden'],
  },
  ...editOperations(release, {
    fields: Release.pick({ title: true, body: true, version: true }),
    audit: releaseActions.edit,
  }),
  ...deleteOperation(release),
  ...voteOperation(release),
  ...commentOperations(release, byId),
} satisfies Contract
