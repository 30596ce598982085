// Handlers of signing in with an external account. The provider is asked before any transaction is open.
import { record } from '../../audit/audit.ts'
import { addressKey } from '../../budgets/budgets.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import type { StoredGroups } from '../../core/readers.ts'
import type { Transaction } from '../../database/schema.ts'
import * as accounts from '../../identity/account-queries.ts'
import { externalActions } from '../../identity/audit-actions.ts'
import { connectExternal, joinExternal, toldBy } from '../../identity/external-accounts.ts'
import * as queries from '../../identity/external-queries.ts'
import { limit } from '../../identity/guesses.ts'
import { externalMail } from '../../identity/mails.ts'
import { countPasskeys } from '../../identity/passkey-queries.ts'
import { limits } from '../../identity/rules.ts'
import { findSessionCaller, lockCaller, requireRecent } from '../../identity/sessions.ts'
import { enterByMailbox } from '../../identity/verify-email.ts'
import { cookieLine, cookieNamed } from '../../request/credentials.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { seal, unseal } from '../../runtime/seal.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { storedConfig } from '../../settings/changing.ts'
import { lockSettings } from '../../settings/queries.ts'
import { accountOf, signIn } from '../sign-in/entry.ts'
import { type external, MAX_IDENTITIES } from './contract.ts'
import { beginAt, type ExternalAccount, finishAt, type PendingSignIn, type Provider } from './provider.ts'

// A sign-in at the external provider that is under way. It is in a cookie of the browser that began it, sealed and for ten minutes: no row
// is written for an anonymous user, and no other browser can finish it.

const COOKIE = 'guildhall_external'
const PENDING_SECONDS = 600

interface BegunSignIn extends PendingSignIn {
  /** The page to open afterwards. */
  to: string
  /** The session that connects its account; otherwise it is a sign-in. */
  link?: { userId: string; session: string } | undefined
  until: string
}

const keyOf = ({ secretFor }: Pick<Context, 'secretFor'>) => secretFor('external sign-in')

async function rememberPending(context: Context, begun: Omit<BegunSignIn, 'until'>): Promise<void> {
  const until = after(context.now, PENDING_SECONDS)
  const value = seal(await keyOf(context), JSON.stringify({ ...begun, until }))
  context.reply.append('Set-Cookie', cookieLine(context.config.baseUrl, COOKIE, { value, seconds: PENDING_SECONDS }))
}

/** What this browser began; the cookie is removed in any case. */
async function takePending(context: Context): Promise<BegunSignIn | undefined> {
  const { config, cookie, reply, now } = context
  const value = cookie(cookieNamed(config.baseUrl, COOKIE))
  if (value === undefined) return undefined
  reply.append('Set-Cookie', cookieLine(config.baseUrl, COOKIE, { value: '', seconds: 0 }))
  try {
    const begun = parseJson<BegunSignIn>(unseal(await keyOf(context), value))
    return begun.until > now ? begun : undefined
  } catch {
    return undefined
  }
}

function providerOf({ config }: Pick<Context, 'config'>): Provider {
  if (!config.external) throw new Problem('not_found', 'The operator of this server set no external provider')
  return config.external
}

export const handlers: Handlers<typeof external> = {
  async show({ db, caller, config }) {
    const items = (await queries.listExternalIdentities(db, caller.id)).map(
      ({ id, issuer, email, createdAt, lastUsedAt }) => ({ id, issuer, email, createdAt, lastUsedAt }),
    )
    return { provider: config.external ? { name: config.external.name } : null, items }
  },

  begin: (context, { to }) => begin(context, to),

  async beginLink(context, { to }) {
    await requireRecent(context, context.db)
    const { caller } = context
    if (!('session' in caller.via)) throw new Problem('unauthorized', 'Sign in first')
    return begin(context, to, { userId: caller.id, session: caller.via.session })
  },

  async finish(context, { query }) {
    const provider = providerOf(context)
    await limit(context, `external:${addressKey(context.address)}`, limits.externalByAddress)
    const pending = await takePending(context)
    if (!pending) throw new Problem('unauthorized', 'It was begun in another browser, or too long ago; start again')
    const account = await finishAt(context, provider, { pending, query: new URLSearchParams(query) })
    const { to, link } = pending
    if (!link) return { ...(await enter(context, provider, account)), to, connected: false }
    return { ...(await connect(context, link, account)), to, connected: true }
  },

  async remove(context, { id }) {
    await context.db.transaction().execute(async (db) => {
      const user = await lockCaller(context, db)
      await requireRecent(context, db)
      await lockSettings(db)
      const removed = await queries.deleteExternalIdentity(db, { id, userId: user.id })
      if (!removed) throw new Problem('not_found', 'No such account is connected')
      await accounts.updateUser(db, user.id, { externalGroups: null })
      await requireOtherWay(context, db, user)
      await remember(context, db, { action: externalActions.unlink, userId: user.id, issuer: removed.issuer })
    })
    return { id }
  },
}

async function begin(context: Context, to: string, link?: BegunSignIn['link']) {
  const provider = providerOf(context)
  await limit(context, `external:${addressKey(context.address)}`, limits.externalByAddress)
  const { pending, url } = await beginAt(context, provider)
  await rememberPending(context, { ...pending, to, link })
  return { url }
}

/** Signs in to the account of an external one, or makes it. An address alone never leads into an account that is there. */
function enter(context: Context, { name }: Provider, account: ExternalAccount) {
  return context.db.transaction().execute(async (db) => {
    const user = await enterConnected(context, db, account)
    if (user) return signIn(context, db, { user })
    return signIn(context, db, { user: await join(context, db, { name, account }), quiet: true })
  })
}

/** The account that an external one is connected with, locked; undefined where there is none. */
async function enterConnected(context: Context, db: Transaction, account: ExternalAccount) {
  const found = await queries.findExternalIdentity(db, account)
  const user = found && (await accounts.lockUser(db, { id: found.userId }))
  // Read again under the lock: it may have been disconnected.
  if (!user || (await queries.findExternalIdentity(db, account))?.userId !== user.id) return undefined
  await queries.updateExternal(db, found.id, { lastUsedAt: context.now, ...toldBy(account, context.now) })
  await keepGroups(db, user.id, account)
  return user
}

async function join(context: Context, db: Transaction, { name, account }: { name: string; account: ExternalAccount }) {
  const { email } = account
  if (email === undefined)
    throw new Problem('forbidden', `${name} did not verify an email address of yours; sign up here, then connect it`)
  const known = await findProven(context, db, email)
  if (known) return enterProven(context, db, { user: known, account })
  const made = await joinExternal(context, db, { ...account, email })
  // Where it is not made, another browser of the same person may have made it at the same moment.
  const user = made ?? (await enterConnected(context, db, account))
  if (!user)
    throw new Problem(
      'conflict',
      `Your address has an account here: sign in to it, then connect ${name} in its settings`,
    )
  await keepGroups(db, user.id, account)
  return user
}

/**
 * Where the provider is the only way in: the account of an address, if it has no account of the provider yet. One with a role has to be connected by
 * its owner, as a provider does not decide who is an admin.
 */
async function findProven({ config }: Context, db: Transaction, email: string): Promise<accounts.User | undefined> {
  if (config.signIn !== 'external') return undefined
  const user = await accounts.lockUser(db, { email })
  if (user?.role !== 'member') return undefined
  const connected = await queries.listExternalIdentities(db, user.id)
  return connected.some(({ issuer }) => issuer === config.external?.issuer) ? undefined : user
}

/** As with a mailed code: what others set up on an account whose address was never verified goes. */
async function enterProven(
  context: Context,
  db: Transaction,
  { user, account }: { user: accounts.User; account: ExternalAccount },
): Promise<accounts.User> {
  const entered = await enterByMailbox(context, db, { user, by: 'external' })
  await connectExternal(context, db, { user: entered, account, usedAt: context.now })
  await keepGroups(db, user.id, account)
  const { outbox, config } = context
  await outbox.enqueue(db, { recipient: user.email, ...externalMail(config.baseUrl, providerOf(context).name) })
  return entered
}

/** The groups of the last sign-in decide who reads a private instance (core/readers.ts). */
async function keepGroups(db: Transaction, userId: string, { issuer, groups }: ExternalAccount): Promise<void> {
  const stored: StoredGroups = { issuer, groups }
  await accounts.updateUser(db, userId, { externalGroups: groups.length > 0 ? JSON.stringify(stored) : null })
}

/** Connects to the account whose session began it, while that session is open and a credential was just used. */
async function connect(context: Context, link: NonNullable<BegunSignIn['link']>, account: ExternalAccount) {
  const { db, sessionToken, now } = context
  const session = sessionToken ? await findSessionCaller(db, sessionToken, now) : undefined
  const caller = session?.caller
  if (caller?.id !== link.userId || !('session' in caller.via) || caller.via.session !== link.session)
    throw new Problem('unauthorized', 'The session that began it has ended; sign in again')
  const inSession = { ...context, caller }
  return db.transaction().execute(async (transaction) => {
    const user = await lockCaller(inSession, transaction)
    await requireRecent(inSession, transaction, PENDING_SECONDS)
    const all = await queries.listExternalIdentities(transaction, user.id)
    const own = all.find(({ issuer, subject }) => issuer === account.issuer && subject === account.subject)
    await keepGroups(transaction, user.id, account)
    if (own) {
      await queries.updateExternal(transaction, own.id, toldBy(account, now))
      return { user: accountOf(user) }
    }
    if (all.length >= MAX_IDENTITIES)
      throw new Problem('conflict', `At most ${MAX_IDENTITIES} are connected; disconnect one first`)
    await connectExternal(context, transaction, { user, account, usedAt: null })
    const { outbox, config } = context
    await outbox.enqueue(transaction, {
      recipient: user.email,
      ...externalMail(config.baseUrl, providerOf(context).name),
    })
    return { user: accountOf(user) }
  })
}

/** Throws where an account could not be signed in to any more. */
async function requireOtherWay(context: Context<Caller>, db: Transaction, user: accounts.User): Promise<void> {
  const config = await storedConfig(context, db)
  if (config.signIn === 'external') {
    const left = await queries.listExternalIdentities(db, user.id)
    if (!left.some(({ issuer }) => issuer === config.external?.issuer))
      throw new Problem('conflict', 'Everyone signs in with the external provider here; connect another account first')
  } else if (!(await hasOtherWay(db, user)))
    throw new Problem('conflict', 'It is your only way to sign in; set a password or add a passkey first')
}

/** A mailed code is a way in where one was used before: then the mailbox is known to be the owner's. */
async function hasOtherWay(db: Transaction, user: accounts.User): Promise<boolean> {
  if (user.passwordHash !== null) return true
  if (user.emailVerifiedAt !== null && user.emailVerifiedBy !== 'external') return true
  if ((await queries.listExternalIdentities(db, user.id)).length > 0) return true
  return (await countPasskeys(db, user.id)) > 0
}

function remember(
  { now, address }: Context | Context<Caller>,
  db: Transaction,
  { action, userId, issuer }: { action: AuditAction; userId: string; issuer: string },
): Promise<void> {
  return record(db, now, { action, actorId: userId, targetType: 'user', targetId: userId, detail: { issuer }, address })
}
