// Apps with a secret, which an admin registers: for identity assertions (ID-JAG) of programs that cannot sign. Registration by anyone never gives a secret.
import { z } from 'zod'
import { administer, inspect } from '../../content/area.ts'
import { auditActions } from '../../contract/audit.ts'
import { Id, line, Timestamp, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { MAX_OVERLAP_HOURS, MAX_SECRET_CLIENTS, USUAL_OVERLAP_HOURS } from './rules.ts'

export const secretClientActions = auditActions('app-secret', {
  create: 'Registered an app with a secret',
  rotate: 'Made a new secret of an app',
  end: 'Ended an app with a secret',
})

const Method = z.enum(['client_secret_basic', 'client_secret_post'])

const SecretClient = z
  .object({
    id: Id.meta({ description: 'The `client_id`' }),
    name: textLike('MCP Inspector'),
    method: Method.meta({ description: 'In which way it shows its secret; in the other one it is refused' }),
    createdAt: Timestamp,
    secretAt: Timestamp.meta({ description: 'When its secret was made' }),
    formerUntil: Timestamp.nullable().meta({ description: 'Until when the secret before this one is good' }),
    lastUsedAt: Timestamp.nullable().meta({ description: 'When it last authenticated, to the hour' }),
  })
  .meta({ id: 'SecretClient' })

const WithSecret = SecretClient.extend({
  secret: textLike('gclient_0000000000000000000000000000000000000000000000000').meta({
    description: 'The secret itself; store it now',
  }),
})

const makes = { ...administer, credential: 'session' } as const

export const secretClients = {
  list: {
    summary: 'List the apps with a secret',
    description: 'Secrets are never shown again.',
    method: 'GET',
    path: '/community/admin/apps',
    access: inspect,
    input: z.object({}),
    output: z.object({ items: z.array(SecretClient) }),
  },
  create: {
    summary: 'Register an app with a secret',
    description: `For the assertions of an identity provider (ID-JAG) alone. The secret is in this response alone. There are at most ${MAX_SECRET_CLIENTS}.`,
    method: 'POST',
    kind: 'moderation',
    path: '/community/admin/apps',
    access: makes,
    status: 201,
    shownOnce: true,
    audit: [secretClientActions.create],
    input: z.object({
      name: line(1, 60).meta({ example: 'MCP Inspector' }),
      method: Method.default('client_secret_basic'),
    }),
    output: WithSecret,
    problems: ['conflict', 'reauthentication_required'],
  },
  rotate: {
    summary: 'Make a new secret of an app',
    description:
      'The secret before it stays good for `overlapHours`; with 0 it ends at once. One that was replaced earlier ends. Tokens stay good.',
    method: 'POST',
    kind: 'moderation',
    path: '/community/admin/apps/{id}/secret',
    access: makes,
    shownOnce: true,
    audit: [secretClientActions.rotate],
    input: z.object({ id: Id, overlapHours: z.int().min(0).max(MAX_OVERLAP_HOURS).default(USUAL_OVERLAP_HOURS) }),
    output: WithSecret.omit({ createdAt: true }),
    problems: ['not_found', 'reauthentication_required'],
  },
  end: {
    summary: 'End an app with a secret',
    description: 'Its secrets, and all tokens that it has of accounts.',
    method: 'DELETE',
    kind: 'moderation',
    path: '/community/admin/apps/{id}',
    access: administer,
    audit: [secretClientActions.end],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
} satisfies Contract
