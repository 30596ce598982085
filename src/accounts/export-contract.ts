// Exports of everything an account made.
import { z } from 'zod'
import { Id, Timestamp, textLike } from '../contract/fields.ts'
import { file } from '../contract/files.ts'
import { Href } from '../contract/href.ts'
import type { Access, Contract } from '../contract/operation.ts'
import { keysOf } from '../contract/records.ts'
import { exportStates } from '../contract/states.ts'
import type { TaskStatus } from '../contract/task.ts'
import { account, signedInOrLeaving } from '../identity/area.ts'

/** The account in its browser, or an agent of it; what is in an export no agent gets. */
const ofAccount = { area: account, credential: 'required', whileLeaving: true } as const satisfies Access
const reads = { ...ofAccount, scope: 'community:read' } as const satisfies Access
const writes = { ...ofAccount, scope: 'community:write' } as const satisfies Access

const DataExport = z
  .object({
    id: Id,
    state: z.enum(keysOf(exportStates)).meta({ example: 'ready' }),
    requestedAt: Timestamp,
    expiresAt: Timestamp.nullable().meta({ description: 'When it is removed: 7 days after it was ready' }),
    size: z.int().nullable().meta({ example: 48_211, description: 'In bytes; null until it is ready' }),
    url: textLike('/settings/data').meta({ description: 'Where its owner downloads it' }),
    href: Href,
    files: z.int().nullable().meta({ example: 17, description: 'How many files are in it' }),
  })
  .meta({ id: 'DataExport' })

const exportTask = {
  ...{ get: 'dataExports.get', cancel: 'dataExports.cancel' },
  states: {
    waiting: ['working', 'The archive is being prepared'],
    ready: ['completed', 'The archive is ready: its owner downloads it'],
    failed: ['failed', 'The archive could not be prepared; the owner has a mail'],
  } satisfies Record<keyof typeof exportStates, readonly [TaskStatus, string]>,
}

export const dataExports = {
  list: {
    summary: 'List the exports of my data, newest first',
    method: 'GET',
    path: '/account/exports',
    access: reads,
    input: z.object({}),
    output: z.object({ items: z.array(DataExport) }),
  },
  get: {
    summary: 'How far an export of my data is',
    method: 'GET',
    path: '/account/exports/{id}',
    access: reads,
    input: z.object({ id: Id }),
    output: DataExport,
    problems: ['not_found'],
  },
  request: {
    summary: 'Export everything I made',
    description:
      'Prepared in the background as a zip archive with JSON and files; a mail tells when it is ready. One at a time, at most three a day. A credential must have been used in this session within ten minutes, and a token come of such a sign-in: 403 reauthentication_required otherwise. Its owner alone downloads it, on the site.',
    method: 'POST',
    kind: 'account',
    path: '/account/exports',
    access: writes,
    status: 201,
    task: exportTask,
    input: z.object({}),
    output: DataExport,
    problems: ['reauthentication_required', 'conflict', 'rate_limited'],
  },
  cancel: {
    summary: 'Cancel an export that is being prepared',
    method: 'DELETE',
    kind: 'account',
    path: '/account/exports/{id}',
    access: writes,
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found', 'conflict'],
  },
  download: {
    summary: 'Download an export',
    description: 'For its owner, for 7 days, and within ten minutes of the use of a credential in this session.',
    method: 'GET',
    path: '/account/exports/{id}/file',
    access: signedInOrLeaving,
    input: z.object({ id: Id }),
    output: file('application/zip'),
    problems: ['reauthentication_required', 'not_found'],
  },
} satisfies Contract
