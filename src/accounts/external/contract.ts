// Signing in with an account at an external provider that the operator set (OpenID Connect), and connecting one.
import { z } from 'zod'
import { Id, Timestamp, textLike, verbatim } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { anyone, signedIn } from '../../identity/area.ts'
import { externalActions } from '../../identity/audit-actions.ts'
import { SignedIn } from '../sign-in/contract.ts'

export const MAX_IDENTITIES = 5

const To = verbatim(0, 2_000).default('/').meta({
  example: '/community',
  description: 'The page to open afterwards; the response of finish has it again',
})
const Address = z.object({
  url: textLike('https://sso.example/authorize?client_id=guildhall&response_type=code').meta({
    description: 'Where to send the browser',
  }),
})

export const external = {
  show: {
    summary: 'List the external accounts that sign in to my account, oldest first',
    method: 'GET',
    path: '/auth/external',
    access: signedIn,
    input: z.object({}),
    output: z.object({
      provider: z
        .object({ name: textLike('Example SSO') })
        .nullable()
        .meta({ description: 'null where the operator set none' }),
      items: z.array(
        z.object({
          id: Id,
          issuer: textLike('https://sso.example'),
          email: textLike('mira@example.com').nullable(),
          createdAt: Timestamp,
          lastUsedAt: Timestamp.nullable(),
        }),
      ),
    }),
  },
  begin: {
    summary: 'Begin to sign in with an external account',
    description:
      'For the site: sets a cookie that the way back needs, for ten minutes. 404 where the operator set no provider.',
    method: 'POST',
    kind: 'account',
    path: '/auth/external/begin',
    guesses: true,
    access: anyone,
    setsCookie: true,
    input: z.object({ to: To }),
    output: Address,
    problems: ['not_found', 'unauthorized', 'rate_limited'],
  },
  beginLink: {
    summary: 'Begin to connect an external account to my account',
    description:
      'A credential must have been used in this session within ten minutes: 403 reauthentication_required otherwise.',
    method: 'POST',
    kind: 'account',
    path: '/auth/external/link',
    guesses: true,
    access: signedIn,
    input: z.object({ to: To }),
    output: Address,
    problems: ['not_found', 'unauthorized', 'rate_limited', 'reauthentication_required'],
  },
  finish: {
    summary: 'Finish what was begun: sign in, or connect the account',
    description: `For the site, with the query that the browser came back with and the cookie of the one that began. An external account is known by its issuer and subject alone. A new one makes an account if the provider verified its address and the address may sign up; where the address has an account, its owner signs in there and connects the two. An account has at most ${MAX_IDENTITIES}.`,
    method: 'POST',
    kind: 'account',
    path: '/auth/external/finish',
    guesses: true,
    access: anyone,
    setsCookie: true,
    audit: [externalActions.link],
    input: z.object({ query: verbatim(0, 4_096).meta({ example: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj' }) }),
    output: SignedIn.extend({
      to: textLike('/community'),
      connected: z.boolean().meta({ description: 'Whether an account was connected; otherwise it was a sign-in' }),
    }),
    problems: [
      'not_found',
      'unauthorized',
      'blocked',
      'forbidden',
      'conflict',
      'rate_limited',
      'reauthentication_required',
    ],
  },
  remove: {
    summary: 'Disconnect an external account',
    description:
      'Needs another way to sign in: a password, a passkey, or an address that was verified by a mailed code; 409 otherwise.',
    method: 'DELETE',
    kind: 'account',
    path: '/auth/external/{id}',
    access: signedIn,
    audit: [externalActions.unlink],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found', 'conflict', 'reauthentication_required'],
  },
} satisfies Contract
