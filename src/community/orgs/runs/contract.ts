// Runs: what people got out of an org, as Markdown and HTML files (interface.md, sections 2 and 4).
import { z } from 'zod'
import { everybody, open, write } from '../../../content/area.ts'
import { Reason, StateField } from '../../../content/hiding/moderation-contract.ts'
import { auditActions } from '../../../contract/audit.ts'
import {
  Id,
  listOf,
  optionalLine,
  pageInput,
  Timestamp,
  textLike,
  UsernameOrNull,
  Via,
} from '../../../contract/fields.ts'
import { memberFile } from '../../../contract/files.ts'
import type { Contract } from '../../../contract/operation.ts'
import { OrgRef } from '../contract.ts'

export const RunLabel = optionalLine(100).meta({ example: 'First run' })

/** interface.md, section 8. */
export const MAX_FILES = 10
export const MAX_FILE_BYTES = 2 * 1024 * 1024

export const RunFile = z
  .object({
    id: Id,
    filename: textLike('report.md'),
    fileType: z.enum(['md', 'html']),
    sizeBytes: z.int().meta({ example: 2048 }),
  })
  .meta({ id: 'OrgRunFile' })
export type RunFile = z.infer<typeof RunFile>

const Run = z
  .object({ id: Id, label: textLike('First run').nullable(), createdAt: Timestamp, files: z.array(RunFile) })
  .meta({ id: 'OrgRun' })
export type Run = z.infer<typeof Run>

const RunEntry = Run.extend({ orgUploadId: Id, authorId: Id, authorUsername: UsernameOrNull, via: Via }).meta({
  id: 'OrgRunEntry',
})

export const runActions = auditActions('run', { delete: 'Deleted a run' })

export const orgRuns = {
  list: {
    summary: 'The runs of an org, newest first',
    synonyms: ['list runs', 'results of org'],
    method: 'GET',
    path: '/community/orgs/{id}/runs',
    access: open,
    input: z.object({ id: OrgRef, ...pageInput }),
    output: listOf(RunEntry),
    problems: ['not_found'],
  },
  get: {
    summary: 'A run of an org',
    method: 'GET',
    path: '/community/orgs/{id}/runs/{runId}',
    access: open,
    input: z.object({ id: OrgRef, runId: Id }),
    output: RunEntry.extend({ state: StateField }),
    problems: ['not_found'],
  },
  add: {
    summary: 'Attach what a run of an org wrote',
    synonyms: ['upload run', 'share result', 'add run'],
    description:
      'For any account. One to ten files named .md or .html, each UTF-8 text of at most 2 MB. Names lose path parts and control characters.',
    method: 'POST',
    kind: 'orgs',
    path: '/community/orgs/{id}/runs',
    tool: { name: 'run_org', title: 'Attach a run to an org', known: true },
    access: write,
    budget: 'runs',
    input: z.object({ id: OrgRef }),
    upload: {
      fields: z.object({ label: RunLabel }),
      files: { files: { maxBytes: MAX_FILE_BYTES, maxFiles: MAX_FILES, required: true, example: 'report.md' } },
    },
    output: Run,
    status: 201,
    problems: ['not_found'],
  },
  delete: {
    summary: 'Remove a run and its files: its author, or a moderator',
    synonyms: ['delete run'],
    method: 'DELETE',
    kind: 'orgs',
    path: '/community/orgs/{id}/runs/{runId}',
    access: write,
    audit: [runActions.delete],
    input: z.object({ id: OrgRef, runId: Id, reason: Reason }),
    output: z.object({ id: Id }),
    problems: ['not_found', 'forbidden'],
  },
  file: {
    summary: 'A file of a run, for anybody who has its id',
    description: 'A browser shows it in a sandbox: nothing in it runs, and it loads nothing.',
    method: 'GET',
    path: '/community/org-run-files/{fileId}',
    access: everybody,
    input: z.object({ fileId: Id }),
    output: memberFile('text/markdown; charset=utf-8', 'text/html; charset=utf-8'),
    problems: ['not_found'],
  },
} satisfies Contract
