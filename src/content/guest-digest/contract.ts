// What is new, mailed once a day to people without an account.
import { z } from 'zod'
import { BoardSlug, Email, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { byLink, everybody } from '../area.ts'

const Token = z
  .string()
  .min(1)
  .max(200)
  .meta({ example: 'k7qp2m9x4c1v8b3n.3q2-7w', description: 'From the address in a mail' })

const What = z.object({
  board: BoardSlug.nullable().meta({ description: 'null for the whole community' }),
})

export const guestDigest = {
  subscribe: {
    summary: 'Have what is new mailed to an address once a day, without an account',
    description:
      'Mails a link that confirms it, good for a day. The answer is the same for every address. 404 where the operator has not turned this on.',
    method: 'POST',
    kind: 'account',
    path: '/community/digest',
    access: everybody,
    input: z.object({
      email: Email,
      board: BoardSlug.optional().meta({ description: 'Of one open board alone' }),
    }),
    output: z.object({ message: textLike('If the address can receive mail, a link is on its way') }),
    problems: ['not_found', 'rate_limited', 'unavailable'],
  },
  confirm: {
    summary: 'Begin the digest of an address, by the link in the mail to it',
    method: 'POST',
    kind: 'account',
    path: '/community/digest/confirm',
    idempotent: true,
    access: byLink,
    input: z.object({ token: Token }),
    output: What,
    problems: ['conflict', 'not_found'],
  },
  unsubscribe: {
    summary: 'End the digest of an address, by the link in each of them',
    description: 'Needs no credential: the token proves that we made the link. The address is removed.',
    method: 'POST',
    kind: 'account',
    path: '/community/digest/unsubscribe',
    idempotent: true,
    access: byLink,
    input: z.object({ token: Token }),
    output: z.object({ message: textLike('The address is removed') }),
    problems: ['not_found'],
  },
} satisfies Contract
