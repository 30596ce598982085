// Exports of everything an account made.
import { z } from 'zod'
import { Id, Timestamp } from '../contract/fields.ts'
import { file } from '../contract/files.ts'
import type { Contract } from '../contract/operation.ts'
import { keysOf } from '../contract/records.ts'
import { exportStates } from '../contract/states.ts'
import { signedInOrLeaving } from '../identity/area.ts'

const DataExport = z
  .object({
    id: Id,
    state: z.enum(keysOf(exportStates)).meta({ example: 'ready' }),
    requestedAt: Timestamp,
    expiresAt: Timestamp.nullable().meta({ description: 'When it is removed: 7 days after it was ready' }),
    size: z.int().nullable().meta({ example: 48_211, description: 'In bytes; null until it is ready' }),
    files: z.int().nullable().meta({ example: 17, description: 'How many files are in it' }),
  })
  .meta({ id: 'DataExport' })

export const dataExports = {
  list: {
    summary: 'List the exports of my data, newest first',
    method: 'GET',
    path: '/account/exports',
    access: signedInOrLeaving,
    input: z.object({}),
    output: z.object({ items: z.array(DataExport) }),
  },
  request: {
    summary: 'Export everything I made',
    description:
      'Prepared in the background as a zip archive with JSON and files; a mail tells when it is ready. One at a time, at most three a day. A credential must have been used in this session within ten minutes: 403 reauthentication_required otherwise.',
    method: 'POST',
    kind: 'account',
    path: '/account/exports',
    access: signedInOrLeaving,
    status: 201,
    input: z.object({}),
    output: DataExport,
    problems: ['reauthentication_required', 'conflict', 'rate_limited'],
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
