// `npm run admin -- users`: accounts from the command line. Each act is in the audit log, with the operator as its actor.
import type { z } from 'zod'
import {
  admin,
  blockByOperator,
  deleteByOperator,
  keepByOperator,
  pageOfUsers,
  resetByOperator,
} from '../community/admin/admin.ts'
import { Problem } from '../contract/problem.ts'
import * as accounts from '../identity/account-queries.ts'
import { findDeletion } from '../identity/deletion.ts'
import { listGrants } from '../identity/grant-queries.ts'
import { countPasskeys } from '../identity/passkey-queries.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import type { Call, Command, CommandOptions } from './command.ts'
import type { Output } from './output.ts'
import { findStoredBytes } from './queries.ts'
import { grant } from './roles.ts'
import { type AccountParts, withAccounts } from './with-accounts.ts'

export const users: Command = {
  usage: 'users <act> [<account>] [<role>]',
  summary: `list [--search <text>] [--role <role>] [--blocked true|false] [--page <n>],
show, block, unblock, reset (removes password, passkeys, sessions and tokens; the
owner gets in again by mail), delete [--content delete|anonymise], keep (cancels a
deletion), grant <account> <role>. An account is an email, a username or an id;
--reason is kept in the audit log, and in the mail to the account where one is sent`,
  parameters: [1, 3],
  options: {
    search: { type: 'string' },
    role: { type: 'string' },
    blocked: { type: 'string' },
    page: { type: 'string' },
    content: { type: 'string' },
    reason: { type: 'string' },
  },
  run,
}

const MAX_REASON = 500
const PER_PAGE = 100

interface ActContext extends AccountParts {
  now: string
  output: Output
  reason: string | null
  options: CommandOptions
}

type Act = (acting: ActContext, user: accounts.User) => Promise<void>

const nameOf = ({ email, username }: accounts.User) => (username ? `${username} (${email})` : email)

const acts: Readonly<Record<string, Act>> = {
  async show({ db, now, output }, user) {
    const shown = await describe(db, user, now)
    output.result(shown, textOf(shown))
  },
  async block(acting, user) {
    const { blockedAt } = await blockByOperator(acting, { id: user.id, blocked: true, reason: acting.reason })
    acting.output.result({ id: user.id, blockedAt }, `${nameOf(user)} is blocked. The server hides what it wrote.`)
  },
  async unblock(acting, user) {
    await blockByOperator(acting, { id: user.id, blocked: false, reason: acting.reason })
    acting.output.result({ id: user.id, blockedAt: null }, `${nameOf(user)} is not blocked now.`)
  },
  async reset(acting, user) {
    const removed = await resetByOperator(acting, { id: user.id, reason: acting.reason })
    const sentence = `${nameOf(user)} has no credentials now; ${acting.config.baseUrl}/forgot-password sets a new password.`
    acting.output.result({ id: user.id, removed }, sentence)
  },
  async delete(acting, user) {
    const content = acting.options['content'] ?? 'anonymise'
    if (content !== 'delete' && content !== 'anonymise') throw new Usage('--content is delete or anonymise.')
    const { eraseAt } = await deleteByOperator(acting, { id: user.id, content, reason: acting.reason })
    acting.output.result(
      { id: user.id, content, eraseAt },
      `${nameOf(user)} is erased at ${eraseAt}; keep cancels that.`,
    )
  },
  async keep(acting, user) {
    await keepByOperator(acting, { id: user.id, reason: acting.reason })
    acting.output.result({ id: user.id, eraseAt: null }, `${nameOf(user)} is kept.`)
  },
}

/** Arguments that fit no act. */
class Usage extends Error {}

async function run(call: Call): Promise<number> {
  const [act = '', account, role] = call.parameters
  try {
    if (act === 'list' && account === undefined) return await list(call)
    if (act === 'grant' && account !== undefined && role !== undefined) return await grantByName(call, account, role)
    const work = Object.hasOwn(acts, act) ? acts[act] : undefined
    if (!work || account === undefined || role !== undefined) throw new Usage(`Say what to do: ${users.usage}`)
    return await withAccount(call, account, work)
  } catch (error) {
    if (!(error instanceof Usage) && !(error instanceof Problem)) throw error
    call.output.complain(error.message)
    return error instanceof Usage ? 2 : 1
  }
}

async function withAccount({ settings, options, output }: Call, account: string, work: Act): Promise<number> {
  const reason = reasonIn(options)
  return withAccounts(settings(), async (parts) => {
    const user = await find(parts.db, account)
    await work({ ...parts, now: timestamp(systemClock.now()), output, options, reason }, user)
    return 0
  })
}

function reasonIn({ reason }: CommandOptions): string | null {
  if (typeof reason !== 'string' || reason.trim() === '') return null
  if (reason.length > MAX_REASON) throw new Usage(`--reason has at most ${MAX_REASON} characters.`)
  return reason.trim()
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** By email, id or username, whichever the text looks like. */
async function find(db: AccountParts['db'], account: string): Promise<accounts.User> {
  if (UUID.test(account)) return accounts.getUser(db, account)
  const found = account.includes('@')
    ? await accounts.findUserByEmail(db, account.trim().toLowerCase())
    : await accounts.findUserByUsername(db, account)
  if (!found) throw new Problem('not_found', `There is no account ${account}`)
  return found
}

/** `grant` by any name of the account; the command of that name takes its email. */
async function grantByName(call: Call, account: string, role: string): Promise<number> {
  const { email } = await withAccounts(call.settings(), ({ db }) => find(db, account))
  return grant.run({ ...call, parameters: [email, role] })
}

async function list({ settings, options, output }: Call): Promise<number> {
  const { search: q, role, blocked, page = '0' } = options
  if (typeof page !== 'string' || !/^\d{1,6}$/.test(page)) throw new Usage('--page is a number from 0.')
  const asked = admin.listUsers.input.safeParse({ q, role, blocked, page, per_page: PER_PAGE })
  if (!asked.success) throw new Usage(complaintOf(asked.error))
  return withAccounts(settings(), async ({ db }) => {
    const { items, total, hasMore } = await pageOfUsers(db, asked.data)
    const lines = items.map(({ email, username, role: has, blockedAt, deletionAt, createdAt }) =>
      [
        ...[email, username ?? '-', has, createdAt.slice(0, 10)],
        ...(blockedAt ? ['blocked'] : []),
        ...(deletionAt ? [`erased on ${deletionAt.slice(0, 10)}`] : []),
      ].join('  '),
    )
    const more = hasMore ? [`--page ${asked.data.page + 1} shows more.`] : []
    output.result({ users: items, total, hasMore }, [...lines, `${total} accounts.`, ...more].join('\n'))
    return 0
  })
}

const complaintOf = ({ issues }: z.ZodError) =>
  issues.map(({ path, message }) => `--${path.join('.').replace('q', 'search')}: ${message}`).join('\n')

async function describe(db: AccountParts['db'], user: accounts.User, now: string) {
  const { id, email, username, name, role, createdAt, blockedAt, emailVerifiedAt, passwordHash } = user
  const [sessions, grants] = [await accounts.listSessions(db, { userId: id, now }), await listGrants(db, id, now)]
  return {
    ...{ id, email, username, name, role, createdAt, emailVerifiedAt, blockedAt },
    deletion: await findDeletion(db, id),
    hasPassword: passwordHash !== null,
    passkeys: await countPasskeys(db, id),
    sessions: sessions.length,
    lastSeenAt:
      sessions
        .map(({ seenAt }) => seenAt)
        .toSorted()
        .at(-1) ?? null,
    apps: grants.map(({ clientName, clientId, lastUsedAt }) => ({ name: clientName, clientId, lastUsedAt })),
    storedBytes: await findStoredBytes(db, id),
  }
}

function textOf(shown: Awaited<ReturnType<typeof describe>>): string {
  const { deletion, apps, ...plain } = shown
  const lines = Object.entries(plain).map(([name, value]) => `${name.padEnd(16)} ${value ?? '-'}`)
  const of = (name: string | null, text: string) => `${(name ?? '').padEnd(16)} ${text}`
  return [
    ...lines,
    of('deletion', deletion ? `${deletion.eraseAt}, ${deletion.content}, by the ${deletion.requestedBy}` : '-'),
    ...apps.map(({ name, clientId, lastUsedAt }) => of('app', `${name ?? clientId}, last used ${lastUsedAt}`)),
  ].join('\n')
}
