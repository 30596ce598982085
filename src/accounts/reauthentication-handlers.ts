// A credential of the account that is signed in is checked again, and noted in its session.
import { Problem } from '../contract/problem.ts'
import type { Transaction } from '../database/schema.ts'
import * as queries from '../identity/account-queries.ts'
import { mailCodeToCaller, takeCode } from '../identity/codes.ts'
import { countGuess, limit } from '../identity/guesses.ts'
import { countPasskeys } from '../identity/passkey-queries.ts'
import { limits, recentUntil } from '../identity/rules.ts'
import { findOwnSession, lockCaller } from '../identity/sessions.ts'
import { verifyEmail } from '../identity/verify-email.ts'
import type { Caller, Context, Handlers } from '../request/handler.ts'
import { passwordMatches } from '../runtime/password-hash.ts'
import { required } from '../runtime/untyped.ts'
import { checkAssertion, giveChallenge, refused, usePasskey } from './passkeys/assertions.ts'
import { requestOptions } from './passkeys/ceremonies.ts'
import type { reauthentication } from './reauthentication-contract.ts'

export const handlers: Handlers<typeof reauthentication> = {
  async show(context) {
    const { db, caller, now } = context
    const session = await findOwnSession(db, context)
    const { passwordHash } = await queries.getUser(db, caller.id)
    return {
      until: (session && recentUntil(session.authenticatedAt, now)) ?? null,
      password: passwordHash !== null,
      passkeys: await countPasskeys(db, caller.id),
    }
  },

  async confirm(context, { password, code }) {
    if (password !== undefined) return confirmWithPassword(context, password)
    if (code !== undefined) return confirmWithCode(context, code)
    throw new Problem('invalid_request', 'password: is required, or a code')
  },

  sendCode: mailCodeToCaller('reauthenticate'),

  async beginPasskey(context) {
    const { db, caller, config, now } = context
    await limit(context, `passkey-options:${caller.id}`, limits.passkeyByAccount)
    const challenge = await giveChallenge(db, { purpose: 'reauthenticate', userId: caller.id }, now)
    return requestOptions(config.baseUrl, challenge)
  },

  async confirmWithPasskey(context, { response }) {
    const { caller } = context
    await limit(context, `passkey:${caller.id}`, limits.passkeyByAccount)
    const checked = await checkAssertion(context, response)
    const until = await context.db.transaction().execute(async (db) => {
      const user = await lockCaller(context, db)
      const bound = { purpose: 'reauthenticate', userId: user.id } as const
      const isGood = await usePasskey(context, db, { response, checked, bound, user })
      return isGood ? noteCredential(context, db, checked.passkey?.id) : undefined
    })
    if (!until) throw refused()
    return { until }
  },
}

async function confirmWithPassword(context: Context<Caller>, password: string) {
  const { db, caller, passwordCost } = context
  const guess = await countGuess(context, caller.email)
  const known = await queries.getUser(db, caller.id)
  const matches = await passwordMatches(password, known.passwordHash, passwordCost)
  if (matches) await guess.wasRight()
  const until = await db.transaction().execute(async (transaction) => {
    const user = await lockCaller(context, transaction)
    // Read again: while the password was hashed it may have been changed.
    return matches && user.passwordHash === known.passwordHash ? noteCredential(context, transaction) : undefined
  })
  if (!until) throw new Problem('unauthorized', 'password: is not the password of this account')
  return { until }
}

async function confirmWithCode(context: Context<Caller>, code: string) {
  const until = await context.db.transaction().execute(async (db) => {
    const user = await lockCaller(context, db)
    const isRight = await takeCode(context, db, { purpose: 'reauthenticate', email: user.email, code })
    if (!isRight) return undefined
    await verifyEmail(context, db, { user, by: 'code' })
    return noteCredential(context, db)
  })
  if (!until) throw new Problem('unauthorized', 'code: is wrong or no longer good; ask for a new one')
  return { until }
}

/** Records the use of a credential in this session. Returns until when it counts. */
async function noteCredential({ caller, now }: Context<Caller>, db: Transaction, passkeyId?: string): Promise<string> {
  const used = { authenticatedAt: now, ...(passkeyId && { passkeyId }) }
  if ('session' in caller.via) await queries.updateSession(db, caller.via.session, used)
  return required(recentUntil(now, now))
}
