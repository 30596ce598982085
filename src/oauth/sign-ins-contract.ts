// Operations that list and revoke the OAuth grants of the caller's account.
import { z } from 'zod'
import { ExpiresAt, Id, Timestamp, textLike } from '../contract/fields.ts'
import type { Contract } from '../contract/operation.ts'
import { signedIn } from '../identity/area.ts'
import { grantActions } from '../identity/audit-actions.ts'

export const SignIn = z
  .object({
    id: Id,
    clientId: textLike('https://agent.example/client.json'),
    clientName: textLike('Morning agent').nullable(),
    scopes: z.array(z.string()).meta({ example: ['library:read', 'offline_access'] }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.meta({ description: 'When it last got a token; tokens last an hour' }),
    expiresAt: ExpiresAt,
  })
  .meta({ id: 'SignIn' })
export type SignIn = z.infer<typeof SignIn>

export const signIns = {
  list: {
    summary: 'List the apps and agents with access to my account, newest first',
    method: 'GET',
    path: '/account/sign-ins',
    access: signedIn,
    input: z.object({}),
    output: z.object({ items: z.array(SignIn) }),
  },
  end: {
    summary: 'Revoke a grant: its refresh tokens and opaque access tokens stop working',
    method: 'DELETE',
    path: '/account/sign-ins/{id}',
    access: signedIn,
    audit: [grantActions.end],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
} satisfies Contract
