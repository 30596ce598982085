// Browsers to which notifications of an account are pushed, also while no page of the site is open (Push API).
import { z } from 'zod'
import { Id, Timestamp, textLike, verbatim } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { signedIn } from '../../identity/area.ts'
import { MAX_ENDPOINT_LENGTH, MAX_SUBSCRIPTIONS } from './rules.ts'

const P256DH = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'

/** A value in base64url without padding. */
const bytes = (length: number, example: string) =>
  z
    .string()
    .regex(new RegExp(`^[\\w-]{${length}}$`), `must be ${length} characters of base64url`)
    .meta({ example })

const PushBrowser = z
  .object({
    id: Id,
    device: z.string().nullable().meta({ example: 'Firefox on Linux', description: 'null where it is not known' }),
    createdAt: Timestamp,
    deliveredAt: Timestamp.nullable().meta({ description: 'When its push service last took something' }),
    current: z.boolean().meta({ example: true, description: 'Whether it was made in this session' }),
  })
  .meta({ id: 'PushBrowser' })

export const push = {
  list: {
    summary: 'The browsers to which my notifications are pushed',
    method: 'GET',
    path: '/account/push',
    access: signedIn,
    input: z.object({}),
    output: z.object({
      publicKey: textLike(P256DH)
        .nullable()
        .meta({ description: '`applicationServerKey` of a new one; null where the operator turned this off' }),
      items: z.array(PushBrowser),
    }),
  },
  subscribe: {
    summary: 'Push my notifications to a browser',
    description: `Takes the \`PushSubscription\` of the browser. Mentions and what waits for my approval are pushed, as my settings of notifications say, until the sign-out there. An account has at most ${MAX_SUBSCRIPTIONS}: a further one is 409.`,
    method: 'POST',
    kind: 'account',
    path: '/account/push',
    access: signedIn,
    status: 201,
    input: z.object({
      endpoint: verbatim(1, MAX_ENDPOINT_LENGTH).meta({
        example: 'https://push.example/send/3q2-7w',
        description: 'An https address',
      }),
      keys: z.object({ p256dh: bytes(87, P256DH), auth: bytes(22, 'BTBZMqHH6r4Tts7J_aSIgg') }),
      replaces: verbatim(1, MAX_ENDPOINT_LENGTH).optional().meta({
        example: 'https://push.example/send/1n0-2v',
        description: 'The endpoint that the browser had before: what waits for it is pushed to the new one',
      }),
    }),
    output: PushBrowser,
    problems: ['conflict', 'not_found', 'rate_limited'],
  },
  unsubscribe: {
    summary: 'Push nothing to a browser any more',
    method: 'DELETE',
    kind: 'account',
    path: '/account/push/{id}',
    access: signedIn,
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
} satisfies Contract
