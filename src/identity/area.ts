// The accounts' part of the API: errors as { code, message } (behaviour.md, section 5).
import { z } from 'zod'
import type { Access, Area } from '../contract/operation.ts'
import { statusOf } from '../contract/problem.ts'

export const account: Area = {
  name: 'accounts',
  paths: /^\/api\/(auth|account|challenge)\b/,
  errorBody: z.object({ code: z.string(), message: z.string() }).meta({ id: 'AccountError' }),
  statusOf: (code) => statusOf[code],
  render: ({ code, message }) => ({ code, message }),
}

/** For callers with or without a session: the handler itself checks the cookie or the credentials in the body. */
export const anyone = { area: account, credential: 'none' } as const satisfies Access
/** A user who is signed in to the site; an access token is not enough to change credentials. */
export const signedIn = { area: account, credential: 'session' } as const satisfies Access
/** The same, also for an account whose deletion was requested. */
export const signedInOrLeaving = { area: account, credential: 'session', whileLeaving: true } as const satisfies Access
