// Imports from other trackers, for admins: files are read and looked at, and written in the background; all of it can be taken back.
import { z } from 'zod'
import { administer, inspect, open } from '../../content/area.ts'
import { auditActions } from '../../contract/audit.ts'
import { EXAMPLE_ID, Id, line, Timestamp, textLike } from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import { MAX_NUMBER, sourceNames } from '../../contract/import-sources.ts'
import type { Contract } from '../../contract/operation.ts'
import { keysOf } from '../../contract/records.ts'
import { importStates } from '../../contract/states.ts'
import type { TaskStatus } from '../../contract/task.ts'

export const importActions = auditActions('import', {
  start: 'Started an import',
  pause: 'Paused an import',
  revert: 'Took an import back',
  'take-over': 'Took over what was imported of a person',
})

/** Files of one upload, and bytes of each: a command of the operator takes larger ones. */
export const MAX_FILES = 50
export const MAX_FILE_BYTES = 64 * 1024 * 1024

const Count = z.int().min(0).meta({ example: 12 })
const Counted = z.array(z.object({ what: textLike('pull requests'), count: Count }))

/** What was read. */
export const ImportReport = z
  .object({
    bugs: Count,
    features: Count,
    posts: Count,
    comments: Count,
    votes: Count,
    people: Count,
    labels: Count,
    /** Read more than once, and written once. */
    doubled: Count,
    /** Here already, from an earlier import of the same name. */
    already: Count,
    /** Texts that are longer than their field, and kept whole. */
    long: Count,
    /** Things of people that the source does not name. */
    withoutAuthor: Count,
    /** Things keep the numbers that they have there. */
    keepsNumbers: z.boolean(),
    /** Each state of the source, and what it becomes. */
    states: z.array(z.object({ from: textLike('closed'), to: textLike('resolved'), count: Count })),
    /** Pictures that texts show, each as often as they do: they are stored here, as far as they can be had. */
    pictures: Count,
    /** Those of them that came with the files. */
    enclosed: Count,
    leftOut: Counted,
  })
  .meta({ id: 'ImportReport' })
export type ImportReport = z.infer<typeof ImportReport>

/** What has been written. */
export const ImportDone = z
  .object({
    ...{ things: Count, comments: Count, votes: Count, people: Count, labels: Count },
    /** People who have an account here already. */
    matched: Count,
    /** What is here already, or on what is not. */
    skipped: Count,
    /** Stored here; others could not be had, and their links stay. */
    pictures: Count,
    picturesLeft: Count,
  })
  .meta({ id: 'ImportDone' })
export type ImportDone = z.infer<typeof ImportDone>

/** The name of one place at the source, such as a repository; a later import of the same name brings new things alone. */
const Name = line(1, 100).meta({ example: 'acme/looms' })

const Import = z
  .object({
    id: Id,
    source: z.enum(sourceNames).meta({ example: 'github' }),
    name: Name,
    state: z.enum(keysOf(importStates)).meta({ example: 'staged' }),
    report: ImportReport,
    done: ImportDone,
    total: z.int().meta({ description: 'Things, comments and votes', example: 4210 }),
    createdAt: Timestamp,
    endedAt: Timestamp.nullable(),
    error: textLike('A batch failed ten times').nullable(),
  })
  .meta({ id: 'Import' })

const byId = z.object({ id: Id })
const path = '/community/admin/imports'

const Place = z
  .object({
    id: Id,
    type: z.enum(['bug', 'feature', 'post']).meta({ example: 'bug' }),
    number: z.int().meta({ description: 'Its number here', example: 7 }),
    url: textLike(`/community/bugs/${EXAMPLE_ID}`),
    href: Href,
  })
  .meta({ id: 'ImportedPlace' })

export const imports = {
  locate: {
    summary: 'Where a thing of another tracker is here: by its address there, or by its number',
    synonyms: ['old address', 'where is the issue', 'find an issue of before'],
    method: 'GET',
    path: '/community/imported',
    access: open,
    input: z.object({
      url: z.string().max(2_000).optional().meta({ description: 'Its address there' }),
      source: z.enum(sourceNames).optional().meta({ description: 'The tracker', example: 'github' }),
      name: Name.optional().meta({
        description: 'The name of the import, such as a repository',
        example: 'acme/looms',
      }),
      number: z.coerce
        .number()
        .int()
        .min(1)
        .max(MAX_NUMBER)
        .optional()
        .meta({ description: 'Its number there', example: 42 }),
    }),
    output: Place,
    problems: ['not_found'],
  },
  list: {
    summary: 'Imports from other trackers, the newest first',
    method: 'GET',
    path,
    access: inspect,
    input: z.object({}),
    output: z.object({ items: z.array(Import) }),
  },
  get: {
    summary: 'An import: what was read, what is left out, and how far it is',
    method: 'GET',
    path: `${path}/{id}`,
    access: inspect,
    input: byId,
    output: Import,
    problems: ['not_found'],
  },
  read: {
    summary: 'Read files of another tracker, and say what will become of them',
    description: 'Archives (.zip, .tar.gz) are unpacked. Nothing is written before the import is started.',
    method: 'POST',
    kind: 'moderation',
    path,
    access: administer,
    input: z.object({}),
    upload: {
      fields: z.object({
        source: z.enum(sourceNames).meta({ example: 'csv' }),
        name: Name,
        match: z
          .enum(['on', 'off'])
          .default('on')
          .meta({ description: 'Whether who has proven the address of a person is that person' }),
        kind: z
          .enum(['bug', 'feature', 'post'])
          .optional()
          .meta({ description: 'What things become whose source does not say' }),
        columns: z
          .string()
          .max(4_000)
          .optional()
          .meta({ description: 'The column of a table for each field, as JSON', example: '{"title":"Summary"}' }),
      }),
      files: { files: { maxBytes: MAX_FILE_BYTES, maxFiles: MAX_FILES, required: true, example: 'issues.json' } },
    },
    output: Import,
    status: 201,
    problems: ['too_large'],
  },
  start: {
    summary: 'Write what was read, or go on with it',
    method: 'POST',
    kind: 'moderation',
    path: `${path}/{id}/start`,
    access: administer,
    audit: [importActions.start],
    task: {
      ...{ get: 'imports.get', cancel: 'imports.pause' },
      states: {
        staged: ['failed', 'It is read, and not started'],
        running: ['working', 'It is being written'],
        paused: ['cancelled', 'It is paused; started again, it goes on'],
        done: ['completed', 'It is written'],
        failed: ['failed', 'It has failed'],
        reverting: ['cancelled', 'It is being taken back'],
        reverted: ['cancelled', 'It was taken back'],
      } satisfies Record<keyof typeof importStates, readonly [TaskStatus, string]>,
      counts: { part: 'done', names: ['things', 'comments', 'votes', 'skipped'], total: 'total' },
    },
    input: byId,
    output: Import,
    problems: ['not_found', 'conflict'],
  },
  pause: {
    summary: 'Pause an import',
    method: 'POST',
    kind: 'moderation',
    path: `${path}/{id}/pause`,
    access: administer,
    audit: [importActions.pause],
    input: byId,
    output: Import,
    problems: ['not_found', 'conflict'],
  },
  revert: {
    summary: 'Take an import back: everything that it brought, with its comments and votes',
    method: 'DELETE',
    kind: 'moderation',
    path: `${path}/{id}`,
    access: administer,
    audit: [importActions.revert],
    input: byId,
    output: Import,
    problems: ['not_found', 'conflict'],
  },
} satisfies Contract
