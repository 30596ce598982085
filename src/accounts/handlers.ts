// Signing up, in and out. A credential is checked and its session opened in one transaction.

import { addressKey } from '../budgets/budgets.ts'
import { Problem } from '../contract/problem.ts'
import type { Transaction } from '../database/schema.ts'
import type { Context, Handlers } from '../handler.ts'
import { endSignIns } from '../oauth/oauth.ts'
import { record } from '../platform/audit/audit.ts'
import { hashPassword, passwordMatches, sha256 } from '../platform/hash.ts'
import { newId } from '../platform/ids.ts'
import { proveMailbox } from './accounts.ts'
import { mailCode, takeCode } from './codes.ts'
import type { Account, accounts } from './contract.ts'
import { accountOf, limit, signIn } from './entry.ts'
import { deletePasskeysOf } from './passkeys/passkeys.ts'
import type { User } from './queries.ts'
import * as queries from './queries.ts'
import { limits } from './rules.ts'
import { sessionCookie } from './sessions/sessions.ts'

export const handlers: Handlers<typeof accounts> = {
  async signUp(context, { name, email, password }) {
    await limit(context, `sign-up:${addressKey(context.address)}`, limits.signUpByAddress)
    const passwordHash = await hashPassword(password, context.passwordCost)
    return context.db.transaction().execute(async (db) => {
      const user = await queries.insertUser(db, newUser({ name, email, passwordHash }, context.now))
      if (!user) throw new Problem('conflict', 'This address has an account already; sign in instead')
      return signIn(context, db, user)
    })
  },

  async signIn(context, { email, password }) {
    await limit(context, `sign-in:${addressKey(context.address)}`, limits.signInByAddress)
    await limit(context, `sign-in:${email}`, limits.signInByEmail)
    const known = await queries.findUserByEmail(context.db, email)
    const matches = await passwordMatches(password, known?.passwordHash ?? null, context.passwordCost)
    return context.db.transaction().execute(async (db) => {
      const user = await queries.lockUserByEmail(db, email)
      // Read again: while the password was hashed it may have been removed, and the account blocked.
      if (!matches || !user || user.passwordHash !== known?.passwordHash) {
        throw new Problem('unauthorized', 'Wrong email address or password')
      }
      return signIn(context, db, user)
    })
  },

  async sendCode(context, { email }) {
    context.outbox.requireDelivery()
    await mailCode(context, 'sign-in', email)
    return { message: 'If the address can receive mail, a code is on its way' }
  },

  async signInWithCode(context, { email, code }) {
    await limit(context, `sign-in:${addressKey(context.address)}`, limits.signInByAddress)
    const signedIn = await context.db.transaction().execute(async (db) => {
      if (!(await takeCode(db, 'sign-in', email, code, context.now))) return undefined
      return signIn(context, db, await ownerOfMailbox(context, db, email))
    })
    if (!signedIn) throw new Problem('unauthorized', 'The code is wrong or no longer good; ask for a new one')
    return signedIn
  },

  async signOut({ db, sessionToken, config, reply }) {
    if (sessionToken) await queries.deleteSession(db, sha256(sessionToken))
    reply.append('Set-Cookie', sessionCookie(config.baseUrl, ''))
    return { success: true }
  },

  async getSession({ db, sessionToken, now }) {
    const found = sessionToken ? await queries.findSession(db, sha256(sessionToken), now) : undefined
    if (!found || found.blockedAt) return null
    const { sessionId, sessionCreatedAt, expiresAt } = found
    return {
      session: { id: sessionId, userId: found.id, createdAt: sessionCreatedAt, expiresAt },
      user: accountOf(found),
    }
  },

  async sendProof(context) {
    context.outbox.requireDelivery()
    await mailCode(context, 'verify-email', context.caller.email)
    return { message: `A code is on its way to ${context.caller.email}` }
  },

  async proveEmail({ db, caller, config, now }, { code }) {
    const user = await db.transaction().execute(async (transaction) => {
      if (!(await takeCode(transaction, 'verify-email', caller.email, code, now))) return undefined
      const user = await queries.lockUser(transaction, caller.id)
      return user && proveMailbox(transaction, user, { adminEmails: config.adminEmails, now })
    })
    if (!user) throw new Problem('invalid_request', 'code: is wrong or no longer good; ask for a new one')
    return { user: accountOf(user) }
  },

  async forgotPassword(context, { email }) {
    context.outbox.requireDelivery()
    await mailCode(context, 'reset-password', email)
    return { message: 'If the address can receive mail, a code is on its way' }
  },

  async resetPassword(context, { email, code, password }) {
    await limit(context, `sign-in:${addressKey(context.address)}`, limits.signInByAddress)
    const passwordHash = await hashPassword(password, context.passwordCost)
    const signedIn = await context.db.transaction().execute(async (db) => {
      if (!(await takeCode(db, 'reset-password', email, code, context.now))) return undefined
      return setPassword(context, db, { user: await ownerOfMailbox(context, db, email), passwordHash, by: 'mail' })
    })
    if (!signedIn) throw new Problem('unauthorized', 'The code is wrong or no longer good; ask for a new one')
    return signedIn
  },

  async changePassword(context, { password, newPassword }) {
    const { db, caller } = context
    await limit(context, `sign-in:${addressKey(context.address)}`, limits.signInByAddress)
    await limit(context, `sign-in:${caller.email}`, limits.signInByEmail)
    const known = await queries.getUser(db, caller.id)
    const matches = await passwordMatches(password, known.passwordHash, context.passwordCost)
    const passwordHash = await hashPassword(newPassword, context.passwordCost)
    return db.transaction().execute(async (transaction) => {
      const user = await queries.lockUser(transaction, caller.id)
      if (!matches || !user || user.passwordHash !== known.passwordHash) {
        throw new Problem('unauthorized', 'password: is not the password of this account')
      }
      return setPassword(context, transaction, { user, passwordHash, by: 'password' })
    })
  },
}

/** A new password ends whatever was signed in with what went before, and opens a session for whoever set it. */
async function setPassword(
  context: Context,
  db: Transaction,
  { user, passwordHash, by }: { user: User; passwordHash: string; by: 'mail' | 'password' },
): Promise<{ user: Account }> {
  if (user.blockedAt) throw new Problem('blocked', 'This account is blocked')
  await queries.deleteSessionsOf(db, user.id)
  await endSignIns(db, user.id)
  const { now, address } = context
  const act = { action: 'password.change', actorId: user.id, targetType: 'user', targetId: user.id }
  await record(db, now, { ...act, detail: { by }, address })
  return signIn(context, db, await queries.updateUser(db, user.id, { passwordHash, updatedAt: now }))
}

const newUser = (given: { name: string | null; email: string; passwordHash: string | null }, now: string) => ({
  ...given,
  id: newId(),
  provenAt: null,
  username: null,
  usernameKey: null,
  role: 'member' as const,
  blockedAt: null,
  avatarUpdatedAt: null,
  createdAt: now,
  updatedAt: now,
})

/** The account of an address whose mailbox the caller just opened: made if there is none, taken back if it was unproven. */
async function ownerOfMailbox({ config, now }: Context, db: Transaction, email: string): Promise<User> {
  const made = await queries.insertUser(db, newUser({ name: null, email, passwordHash: null }, now))
  const user = made ?? (await queries.lockUserByEmail(db, email))!
  if (!user.blockedAt && !user.provenAt && !made) {
    // Whoever set the password or a passkey never had the mailbox (behaviour.md, section 5).
    await queries.deleteSessionsOf(db, user.id)
    await endSignIns(db, user.id)
    await deletePasskeysOf(db, user.id)
    await queries.updateUser(db, user.id, { passwordHash: null })
  }
  return proveMailbox(db, user, { adminEmails: config.adminEmails, now })
}
