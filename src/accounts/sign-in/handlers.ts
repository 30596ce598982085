// Signing up, in and out; the language and the usage of an account. A credential is checked and its session opened in one transaction. Locks are
// taken in one order: account, code, session.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { record } from '../../audit/audit.ts'
import { readAll } from '../../budgets/counting.ts'
import { findStoredBytes } from '../../budgets/queries.ts'
import { writeBudgets } from '../../budgets/rules.ts'
import { accountCounters, spenderOf, tierOf } from '../../budgets/writes.ts'
import { requireOffered } from '../../contract/languages.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { User } from '../../identity/account-queries.ts'
import * as queries from '../../identity/account-queries.ts'
import { passwordActions } from '../../identity/audit-actions.ts'
import { deleteBrowsersOf } from '../../identity/browsers.ts'
import { mailCodeToAddress, mailCodeToCaller, mailFirstCode, requestIn, takeCode } from '../../identity/codes.ts'
import { endCredentials } from '../../identity/credentials.ts'
import { countCodeTry, countGuess, countNewSignUp } from '../../identity/guesses.ts'
import { createAccount, requireOpen } from '../../identity/joining.ts'
import { passwordMail } from '../../identity/mails.ts'
import { newChallenge, proofOfSignUp } from '../../identity/proof-of-work.ts'
import { lockCaller, noSessionCookie, requireRecent } from '../../identity/sessions.ts'
import { enterByMailbox, verifyEmail } from '../../identity/verify-email.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { sha256 } from '../../runtime/hash.ts'
import { once } from '../../runtime/once.ts'
import { hashPassword, passwordMatches } from '../../runtime/password-hash.ts'
import { parseJson, required } from '../../runtime/untyped.ts'
import type { challenges } from './challenge-contract.ts'
import type { Account, accounts, language, usage } from './contract.ts'
import { accountOf, signIn } from './entry.ts'

// Which passwords are refused: common ones, and the first guesses of an attacker for this account (NIST SP 800-63B, 5.1.1.2).

const LIST = '@zxcvbn-ts/language-common/src/passwords.json'
const MIN_LENGTH = 8
const SITE = 'guildhall'

/** Read when a password is first chosen; shorter ones are refused anyway. */
const commonPasswords = once(async (): Promise<ReadonlySet<string>> => {
  const all = parseJson<string[]>(await readFile(fileURLToPath(import.meta.resolve(LIST)), 'utf8'))
  return new Set(all.filter(({ length }) => length >= MIN_LENGTH))
})

interface Owner {
  email: string
  name?: string | null
  username?: string | null
}

/** Throws when the password is a common one, or the account's own address or name; `field` is its name in the request. */
async function checkPassword(password: string, owner: Owner, field: string): Promise<void> {
  refuseOwn(password, owner, field)
  const common = await commonPasswords()
  if (common.has(asTyped(password))) {
    throw new Problem('invalid_request', `${field}: is too common and easily guessed; choose another`)
  }
}

/** Throws when the password is the account's own address or name. */
function refuseOwn(password: string, owner: Owner, field: string): void {
  if (!isOwn(asTyped(password), owner)) return
  throw new Problem(
    'invalid_request',
    `${field}: must not be your email address, your name or the name of this site; choose another`,
  )
}

const asTyped = (password: string) => password.normalize('NFKC').trim().toLowerCase()

/** Only letters and digits. */
const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

function isOwn(typed: string, { email, name, username }: Owner): boolean {
  const own = [email, required(email.split('@')[0]), name ?? '', username ?? '', SITE].map(bare)
  return own.includes(bare(typed)) && bare(typed) !== ''
}

const WRONG_CODE = 'The code is wrong or no longer good; ask for a new one'

export const handlers: Handlers<typeof accounts> = {
  async signUp(context, { name, email, password }) {
    const proof = await proofOfSignUp(context)
    await countNewSignUp(context)
    requireOpen(context)
    await checkPassword(password, { name, email }, 'password')
    const passwordHash = await hashPassword(password, context.passwordCost)
    return context.db.transaction().execute(async (db) => {
      await proof.use(db)
      const user = await createAccount(context, db, { name, email, passwordHash, isProven: false })
      if (!user) throw new Problem('conflict', 'This address has an account already; sign in instead')
      await mailFirstCode(context, db, email)
      return signIn(context, db, { user, quiet: true })
    })
  },

  async signIn(context, { email, password }) {
    const guess = await countGuess(context, email)
    const known = await queries.findUserByEmail(context.db, email)
    const matches = await passwordMatches(password, known?.passwordHash ?? null, context.passwordCost)
    if (matches) await guess.wasRight()
    return context.db.transaction().execute(async (db) => {
      const user = await queries.lockUser(db, { email })
      // Read again: while the password was hashed it may have been removed, and the account blocked.
      if (!matches || !user || user.passwordHash !== known?.passwordHash) {
        throw new Problem('unauthorized', 'Wrong email address or password')
      }
      return signIn(context, db, { user })
    })
  },

  sendCode: mailCodeToAddress('sign-in'),

  async signInWithCode(context, { email, code, requestId = requestIn(context) }) {
    await countCodeTry(context, email)
    const signedIn = await context.db.transaction().execute(async (db) => {
      const entered = await enterWithCode(context, db, { purpose: 'sign-in', email, code, requestId })
      return entered && signIn(context, db, { user: entered.user, quiet: entered.isNews })
    })
    if (!signedIn) throw new Problem('unauthorized', WRONG_CODE)
    return signedIn
  },

  async signOut({ db, sessionToken, config, reply }) {
    if (sessionToken) await queries.deleteSession(db, sha256(sessionToken))
    reply.append('Set-Cookie', noSessionCookie(config.baseUrl))
    return { success: true }
  },

  async getSession({ db, sessionToken, now, config }) {
    const found = sessionToken ? await queries.findSession(db, sessionToken, now) : undefined
    if (!found || found.blockedAt) return null
    const { sessionId, sessionCreatedAt, expiresAt, role, passkeyId } = found
    const passkeyNeeded = config.rolesNeedPasskey && role !== 'member' && passkeyId === null
    return {
      session: { id: sessionId, userId: found.id, createdAt: sessionCreatedAt, expiresAt },
      user: { ...accountOf(found), ...(passkeyNeeded && { passkeyNeeded }) },
    }
  },

  sendVerification: mailCodeToCaller('verify-email'),

  async verifyEmail(context, { code }) {
    const verified = await context.db.transaction().execute(async (db) => {
      const user = await lockCaller(context, db)
      const isRight = await takeCode(context, db, { purpose: 'verify-email', email: user.email, code })
      return isRight ? verifyEmail(context, db, { user, by: 'code' }) : undefined
    })
    if (!verified) throw new Problem('invalid_request', 'code: is wrong or no longer good; ask for a new one')
    return { user: accountOf(verified) }
  },

  forgotPassword: mailCodeToAddress('reset-password'),

  async resetPassword(context, { email, code, password, requestId = requestIn(context) }) {
    await countCodeTry(context, email)
    await checkPassword(password, { email }, 'password')
    const passwordHash = await hashPassword(password, context.passwordCost)
    const signedIn = await context.db.transaction().execute(async (db) => {
      const entered = await enterWithCode(context, db, { purpose: 'reset-password', email, code, requestId })
      if (!entered) return undefined
      // Not before the code was right: the answer tells of the account. The code can be tried once more, with another password.
      refuseOwn(password, entered.user, 'password')
      return setPassword(context, db, { user: entered.user, passwordHash, by: 'mail' })
    })
    if (!signedIn) throw new Problem('unauthorized', WRONG_CODE)
    return signedIn
  },

  async changePassword(context, { password, newPassword }) {
    const { db, caller } = context
    const guess = password === undefined ? undefined : await countGuess(context, caller.email)
    const known = await queries.getUser(db, caller.id)
    const matches =
      password === undefined || (await passwordMatches(password, known.passwordHash, context.passwordCost))
    if (!matches) throw new Problem('unauthorized', 'password: is not the password of this account')
    await guess?.wasRight()
    await checkPassword(newPassword, known, 'newPassword')
    const passwordHash = await hashPassword(newPassword, context.passwordCost)
    return db.transaction().execute(async (transaction) => {
      const user = await lockCaller(context, transaction)
      if (password === undefined) await requireRecent(context, transaction)
      else if (user.passwordHash !== known.passwordHash) {
        throw new Problem('unauthorized', 'password: is not the password of this account')
      }
      return setPassword(context, transaction, { user, passwordHash, by: 'password' })
    })
  },
}

/** A new password revokes all earlier sessions and grants, and opens a session for the caller. */
async function setPassword(
  context: Context,
  db: Transaction,
  { user, passwordHash, by }: { user: User; passwordHash: string; by: 'mail' | 'password' },
): Promise<{ user: Account }> {
  if (user.blockedAt) throw new Problem('blocked', 'This account is blocked')
  const { now, address, outbox, config } = context
  await endCredentials(db, user, now)
  await deleteBrowsersOf(db, user.id)
  const act = { action: passwordActions.change, actorId: user.id, targetType: 'user', targetId: user.id }
  await record(db, now, { ...act, detail: { by }, address })
  await outbox.enqueue(db, { recipient: user.email, ...passwordMail(config.baseUrl) })
  const changed = await queries.updateUser(db, user.id, { passwordHash, updatedAt: now })
  return signIn(context, db, { user: changed, quiet: true })
}

interface CodeEntry {
  purpose: 'sign-in' | 'reset-password'
  email: string
  code: string
  requestId: string | undefined
}

/**
 * The account of an address after a correct code: created if there is none, taken over if it was unverified. undefined for a wrong
 * code, which is counted: the transaction must be committed either way.
 */
async function enterWithCode(context: Context, db: Transaction, { email, ...given }: CodeEntry) {
  const known = await queries.lockUser(db, { email })
  if (!(await takeCode(context, db, { email, ...given }))) return undefined
  const bare = { name: null, email, passwordHash: null, isProven: true }
  const made = known ? undefined : await createAccount(context, db, bare)
  if (made) return { user: await verifyEmail(context, db, { user: made, by: 'code' }), isNews: true }
  // Made by another request since the first look.
  const user = known ?? required(await queries.lockUser(db, { email }))
  return { user: await enterByMailbox(context, db, { user, by: 'code' }), isNews: user.emailVerifiedAt === null }
}

export const languageHandlers: Handlers<typeof language> = {
  async set({ db, config, caller, now }, { language }) {
    if (language !== null) requireOffered(config, language)
    return { user: accountOf(await queries.updateUser(db, caller.id, { language, updatedAt: now })) }
  },
}

export const usageHandlers: Handlers<typeof usage> = {
  async get({ db, caller, config, now }) {
    const { rateLimits, budgets } = config
    const storedBytes = await findStoredBytes(db, caller.id)
    const tier = rateLimits ? tierOf(caller, budgets, now) : undefined
    if (!tier) return { storedBytes, storedBytesLimit: null, budgets: [] }
    const spender = spenderOf(caller, config)
    const counters = writeBudgets.flatMap((name) => accountCounters(budgets, { name, tier }, spender))
    const standings = await readAll(db, counters, now)
    return {
      storedBytes,
      storedBytesLimit: Number.isFinite(budgets.bytes[tier]) ? budgets.bytes[tier] : null,
      budgets: standings.flatMap(({ policy, quota, remaining, window }) =>
        window
          ? [{ policy, quota, remaining, windowSeconds: window.seconds, resetsInSeconds: window.resetsInSeconds }]
          : [],
      ),
    }
  },
}

export const challengeHandlers: Handlers<typeof challenges> = {
  async create(context) {
    const { config } = context
    if (config.proofOfWork === 'off') throw new Problem('not_found', 'No proof of work is needed here')
    const { challenge, salt, signature } = await newChallenge(context)
    return { algorithm: 'SHA-256', challenge, maxnumber: config.proofNumbers, salt, signature }
  },
}
