// Writes of agents that wait for the yes of their account: listed and read by the agent and by the account, decided by the account.
import { z } from 'zod'
import { auditActions } from '../../contract/audit.ts'
import { Cursor, Id, PageSize, pageEnd, Sha256, text, textLike } from '../../contract/fields.ts'
import { file } from '../../contract/files.ts'
import type { Access, Contract } from '../../contract/operation.ts'
import { PendingAct, WrittenAnswer } from '../../contract/pending.ts'
import { account, signedIn } from '../../identity/area.ts'
import { MAX_REASON } from './rules.ts'

export const pendingActions = auditActions('pending-act', {
  approve: 'Approved a write of an agent',
  refuse: 'Declined a write of an agent',
  withdraw: 'Took back a write that waited for approval',
})

/** The account in its browser sees all, an agent those of its own grant; no scope is asked for, since each write had its own. */
const mine = { area: account, credential: 'required' } as const satisfies Access

const PendingFile = z.object({
  id: Id,
  field: textLike('file'),
  filename: textLike('digest.json'),
  size: z.int().meta({ description: 'In bytes', example: 2048 }),
  sha256: Sha256,
})

const Details = PendingAct.extend({
  request: z.object({
    method: textLike('POST'),
    path: textLike('/api/community/bugs'),
    fields: z.record(z.string(), z.unknown()).meta({ example: { title: 'Crash', severity: 'high' } }),
    files: z.array(PendingFile).meta({ description: 'None any more when it was made or can no longer be' }),
  }),
  seen: z
    .string()
    .meta({ description: 'What is shown here, as a hash: an approval with it is of nothing else', example: '' }),
  preview: z
    .object({
      ...WrittenAnswer.shape,
      effects: z.record(z.string(), z.int()).meta({
        description: 'Accounts notified (at most), deliveries to webhooks, mails, entries of the audit log',
        example: { notifications: 3, webhooks: 1, mails: 0, audit: 0 },
      }),
      uses: z
        .array(z.object({ policy: textLike('topics-hour'), quota: z.int(), remaining: z.int() }))
        .meta({ description: 'The budgets that it would count in, as they would stand', example: [] }),
    })
    .meta({ description: 'What the dry run said when the agent sent it' }),
}).meta({ id: 'PendingActDetails' })

const byId = z.object({ id: Id })

/** What an agent has to know of the answer beforehand. */
const outline = z.object({
  items: z.array(z.object({ id: z.string(), state: z.string(), reason: z.string().nullable(), answer: z.unknown() })),
})

export const pendingActs = {
  list: {
    summary: 'Writes that wait for a yes, and how earlier ones ended, newest first',
    synonyms: ['pending approvals', 'waiting for approval', 'was it approved'],
    description: 'An agent sees its own; the account those of all. Listed for 30 days after they expire.',
    method: 'GET',
    path: '/account/pending-acts',
    tool: { name: 'list_pending_acts', title: 'Writes that wait for a yes', outline },
    access: mine,
    input: z.object({
      state: z.enum(['waiting', 'all']).default('all').meta({ description: 'Whether to list only those that wait' }),
      item: Id.optional().meta({ description: 'Versions of this item that wait for one of its people, of any agent' }),
      before: Id.optional().meta({ description: '`next` of the page before; use `cursor`', deprecated: true }),
      cursor: Cursor,
      per_page: PageSize,
    }),
    output: z.object({
      items: z.array(PendingAct),
      ...pageEnd,
      next: Id.nullable().meta({
        description: 'The `before` of the following page; use `nextCursor`',
        deprecated: true,
      }),
    }),
    problems: ['not_found'],
  },
  get: {
    summary: 'A write that waits for a yes: what was sent, what a dry run said of it, and how it ended',
    method: 'GET',
    path: '/account/pending-acts/{id}',
    resource: 'Pending act',
    access: mine,
    input: byId,
    output: Details,
    problems: ['not_found'],
  },
  file: {
    summary: 'A file of a write that waits for a yes',
    method: 'GET',
    path: '/account/pending-acts/{id}/files/{fileId}',
    access: signedIn,
    input: byId.extend({ fileId: Id }),
    output: file('application/octet-stream'),
    problems: ['not_found'],
  },
  approve: {
    summary: 'Agree to a write of an agent: it is made now',
    description:
      'With all checks again. 409 where what it is about has changed since the account was asked: it is asked again. `made` and `failed` say how it ended; where a budget is full or the server is busy, it waits again. A version of an item that is only staged needs a passkey where the account has one, used within ten minutes.',
    method: 'POST',
    kind: 'account',
    path: '/account/pending-acts/{id}/approve',
    access: signedIn,
    audit: [pendingActions.approve],
    input: byId.extend({
      seen: z.string().max(64).optional().meta({ description: '`seen` of what was looked at', example: '' }),
    }),
    output: PendingAct,
    problems: ['not_found', 'conflict', 'reauthentication_required'],
  },
  refuse: {
    summary: 'Refuse a write of an agent',
    method: 'POST',
    kind: 'account',
    path: '/account/pending-acts/{id}/refuse',
    access: signedIn,
    audit: [pendingActions.refuse],
    input: byId.extend({
      reason: text(0, MAX_REASON).optional().meta({ description: 'For the agent to read', example: 'Not on Fridays' }),
    }),
    output: PendingAct,
    problems: ['not_found', 'conflict'],
  },
  withdraw: {
    summary: 'Take back a write that waits for approval',
    synonyms: ['cancel pending', 'do not ask any more'],
    method: 'DELETE',
    kind: 'account',
    path: '/account/pending-acts/{id}',
    access: mine,
    withdraws: true,
    audit: [pendingActions.withdraw],
    input: byId,
    output: PendingAct,
    problems: ['not_found', 'conflict'],
  },
} satisfies Contract
