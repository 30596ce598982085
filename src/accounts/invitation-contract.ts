// A link that invites, on the side of who got it: opened in a browser, then used by the sign-up, or by an account that is there.
import { z } from 'zod'
import { ExpiresAt, verbatim } from '../contract/fields.ts'
import type { Contract } from '../contract/operation.ts'
import { anyone, signedIn } from '../identity/area.ts'
import { roleActions, signUpActions } from '../identity/audit-actions.ts'
import { SignedIn } from './sign-in/contract.ts'

export const invitation = {
  open: {
    summary: 'Open a link that invites: what it gives',
    description:
      'With its key, a cookie carries it through a sign-up for an hour; without one, the link of that cookie.',
    method: 'POST',
    kind: 'account',
    path: '/auth/invitation',
    guesses: true,
    access: anyone,
    setsCookie: true,
    input: z.object({ key: verbatim(1, 200).optional().meta({ example: 'ginvite_8Yk2vJ0mQm7Xb0cG1u3tqfZk5n9rWdLs' }) }),
    output: z.object({
      role: z.enum(['member', 'moderator']).meta({ example: 'member' }),
      expiresAt: ExpiresAt,
      board: z
        .object({ slug: z.string(), name: z.string() })
        .nullable()
        .meta({ example: null, description: 'The board that it invites to' }),
    }),
    problems: ['not_found', 'rate_limited'],
  },
  accept: {
    summary: 'Use the link that this browser opened with my account',
    description: 'The address must be verified. 409 where the link gives the account nothing more.',
    method: 'POST',
    kind: 'account',
    path: '/auth/invitation/accept',
    guesses: true,
    access: signedIn,
    audit: [signUpActions['use-link'], roleActions.change],
    input: z.object({}),
    output: SignedIn,
    problems: ['not_found', 'forbidden', 'conflict', 'rate_limited'],
  },
} satisfies Contract
