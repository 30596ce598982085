// Operations that list and revoke the OAuth grants of the caller's account.
import { z } from 'zod'
import { GrantBounds } from '../contract/bounds.ts'
import { ClientId, ExpiresAt, Id, Timestamp, textLike } from '../contract/fields.ts'
import type { Contract } from '../contract/operation.ts'
import { signedIn } from '../identity/area.ts'
import { grantActions } from '../identity/audit-actions.ts'

const HandedOn = z
  .object({
    id: Id,
    name: textLike('Reader').nullable().meta({ description: 'The word of the one above' }),
    parentId: Id.nullable().meta({ description: 'null: the app' }),
    scopes: z.array(z.string()).meta({ example: ['library:read'] }),
    bounds: GrantBounds.nullable(),
    depth: z.int().meta({ description: '1: handed on by the app; 2: by its helper', example: 1 }),
    createdAt: Timestamp,
    expiresAt: ExpiresAt,
    lastUsedAt: Timestamp.nullable(),
  })
  .meta({ id: 'HandedOn' })

export const SignIn = z
  .object({
    id: Id,
    clientId: textLike('https://agent.example/client.json'),
    clientName: textLike('Morning agent').nullable(),
    scopes: z.array(z.string()).meta({ example: ['library:read', 'offline_access'] }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.meta({ description: 'When it last got a token; tokens last an hour' }),
    expiresAt: ExpiresAt,
    handedOn: z
      .array(HandedOn)
      .meta({ description: 'Tokens that the app handed on to helpers (RFC 8693) and that have not expired' }),
    bounds: GrantBounds.nullable(),
  })
  .meta({ id: 'SignIn' })
export type SignIn = z.infer<typeof SignIn>

const From = {
  network: textLike('203.0.113').meta({ description: 'An IPv4 /24 or an IPv6 /48' }),
  device: textLike('Linux').nullable().meta({ description: 'The browser or system, from a fixed list of names' }),
}

const GrantEvent = z
  .object({
    kind: z.enum(['issued', 'refreshed', 'retried', 'reused']).meta({
      description: 'It got tokens; refreshed them; asked again for a lost answer; or a used token was stopped',
    }),
    at: Timestamp,
    ...From,
  })
  .meta({ id: 'GrantEvent' })

const ScopeUse = z.object({
  scope: textLike('community:write'),
  usedAt: Timestamp.nullable().meta({ description: 'To the day; null for never since this is noted' }),
  unused: z.boolean().meta({ description: 'Not used for 30 days, by a grant that is older' }),
})

const byId = z.object({ id: Id })

export const signIns = {
  list: {
    summary: 'List the apps and agents with access to my account, newest first',
    description:
      '`stopped` are tokens that were presented a second time, in the last 90 days: their grants have ended.',
    method: 'GET',
    path: '/account/sign-ins',
    access: signedIn,
    input: z.object({}),
    output: z.object({
      items: z.array(SignIn),
      stopped: z.array(
        z.object({ clientId: ClientId, clientName: textLike('Morning agent').nullable(), at: Timestamp, ...From }),
      ),
    }),
  },
  get: {
    summary: 'The life of a grant: when it got tokens and from where, and the scopes it uses',
    description: 'The newest 50 events. What is kept of the place is a network and a name from a fixed list.',
    method: 'GET',
    path: '/account/sign-ins/{id}',
    access: signedIn,
    input: byId,
    output: SignIn.extend({ events: z.array(GrantEvent), scopeUses: z.array(ScopeUse) }),
    problems: ['not_found'],
  },
  update: {
    summary: 'Bound a grant, or take scopes away from it',
    description:
      'It holds at once, for tokens that were issued before too. Scopes cannot be added: the app asks for them.',
    method: 'PATCH',
    kind: 'account',
    path: '/account/sign-ins/{id}',
    access: signedIn,
    audit: [grantActions.change],
    input: byId
      .extend({
        bounds: GrantBounds.nullable().optional().meta({ description: 'In the place of all bounds; null for none' }),
        scopes: z
          .array(z.string().max(50))
          .min(1)
          .max(20)
          .optional()
          .meta({ description: 'Those that stay', example: ['community:read', 'offline_access'] }),
      })
      .refine((to) => to.bounds !== undefined || to.scopes !== undefined, 'give bounds or scopes'),
    output: SignIn.pick({ id: true, scopes: true, bounds: true }),
    problems: ['not_found'],
  },
  endAll: {
    summary: 'Revoke all grants of my account',
    description: 'Refresh tokens and opaque access tokens stop working at once, personal ones too.',
    method: 'DELETE',
    kind: 'account',
    path: '/account/sign-ins',
    access: signedIn,
    audit: [grantActions.end],
    input: z.object({}),
    output: z.object({ ended: z.int().meta({ example: 3 }) }),
  },
  endHelper: {
    summary: 'End a helper of an app, and all below it',
    method: 'DELETE',
    kind: 'account',
    path: '/account/sign-ins/{id}/helpers/{helperId}',
    access: signedIn,
    audit: [grantActions['end-helper']],
    input: z.object({ id: Id, helperId: Id }),
    output: z.object({ ended: z.int().meta({ example: 2 }) }),
    problems: ['not_found'],
  },
  end: {
    summary: 'Revoke a grant: its refresh tokens and opaque access tokens stop working',
    method: 'DELETE',
    kind: 'account',
    path: '/account/sign-ins/{id}',
    access: signedIn,
    audit: [grantActions.end],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
} satisfies Contract
