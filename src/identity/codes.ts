// Mailed codes: six digits, stored as a keyed hash, good once, for 10 minutes and 5 tries. Only the newest of its kind, and of a browser, is
// good. The site mails them to sign in and to confirm; agents exchange one for a token (oauth/claim-handlers.ts). Which browser asked is an id
// in a cookie, and in the answer for those without cookies: tries of others are counted apart, and cannot touch its code.
import { countMail, countOwnMail } from '../budgets/caused.ts'
import { networkOf } from '../budgets/network.ts'
import { Problem } from '../contract/problem.ts'
import type { Transaction } from '../database/schema.ts'
import { languageIn } from '../language/choice.ts'
import { cookieLine, cookieNamed } from '../request/credentials.ts'
import type { Caller, Context, Dependencies } from '../request/handler.ts'
import { after, latest } from '../runtime/clock.ts'
import { keyedHash, sameHash, sha256 } from '../runtime/hash.ts'
import { newCode, newId, newToken } from '../runtime/ids.ts'
import { parseJson } from '../runtime/untyped.ts'
import { findUserByEmail } from './account-queries.ts'
import { findKnownBrowser, isKnownNetwork } from './browsers.ts'
import * as queries from './code-queries.ts'
import { limit } from './guesses.ts'
import { isOpen, type JoinContext, mayJoin } from './joining.ts'
import { codeLetter } from './mails.ts'
import { CODE_FAILURES, CODE_SECONDS, limits, OTHERS_FAILURES } from './rules.ts'

type Purpose = queries.EmailCode['purpose']
type CodeContext = Pick<Dependencies, 'secretFor'> & { now: string }

interface CodeTarget {
  purpose: Purpose
  email: string
  /** The account that the code is for, where the address is not its own yet. */
  ownerId?: string | undefined
  /** Which browser asks or tries, where no session says so (requestIn). */
  requestId?: string | undefined
}

const boundTo = ({ purpose, email, ownerId }: CodeTarget): string[] => [purpose, email, ...(ownerId ? [ownerId] : [])]

/** A new code, and the columns that store it. `boundTo` are its purpose and its owner: it is good for nothing else. */
export async function makeCode({ secretFor, now }: CodeContext, boundTo: readonly string[]) {
  const code = newCode()
  const hash = keyedHash(await secretFor('codes'), code, ...boundTo)
  const stored = { id: newId(), codeHash: hash, failures: 0, createdAt: now, expiresAt: after(now, CODE_SECONDS) }
  return { code, stored: { ...stored, usedAt: null } }
}

interface Try {
  table: 'emailCode' | 'claim'
  /** Whether a failure is counted elsewhere. */
  isOthers?: true
  /** The newest code of this kind, locked. */
  newest: queries.StoredCode | undefined
  code: string
  boundTo: readonly string[]
}

/** Uses the code up, or counts the failure: the transaction must be committed either way. */
export async function tryCode(
  { secretFor, now }: CodeContext,
  db: Transaction,
  { table, newest, code, boundTo, isOthers }: Try,
): Promise<boolean> {
  if (!newest || newest.usedAt || newest.expiresAt <= now || newest.failures >= CODE_FAILURES) return false
  const { id, failures } = newest
  const right = sameHash(newest.codeHash, keyedHash(await secretFor('codes'), code, ...boundTo))
  if (right) await queries.updateCode(db, table, { id, usedAt: now })
  else if (!isOthers) await queries.updateCode(db, table, { id, failures: failures + 1 })
  return right
}

/**
 * A handler that mails a code to any address; its response does not tell whether the address has an account. The code is bound to the browser
 * that asks.
 */
export const mailCodeToAddress =
  (purpose: Purpose) =>
  async (context: Context, { email }: { email: string }) => {
    const requestId = noteRequest(context)
    await mailCodeTo(context, { purpose, email, requestId })
    return { message: 'If the address can receive mail, a code is on its way', requestId }
  }

/** A handler that mails a code to the caller's own address. */
export const mailCodeToCaller = (purpose: Purpose) => async (context: Context<Caller>) => {
  await mailCodeTo(context, { purpose, email: context.caller.email })
  return { message: `A code is on its way to ${context.caller.email}` }
}

/**
 * Mails a code to an address, for any caller. It counts against the budget of mails. A browser that signed in to the account
 * before is counted apart, once the address is verified, and so is a network from which it signed in: others cannot keep its owner from a code.
 */
export async function mailCodeTo(context: Context, addressed: CodeTarget): Promise<void> {
  const { db, budget, outbox } = context
  const { email, ownerId } = addressed
  outbox.requireDelivery()
  const hasShare = await countShare(context, email)
  await db.transaction().execute(async (transaction) => {
    const counted = hasShare ? countOwnMail(context, transaction) : countMail(context, transaction, email)
    budget.note(await counted)
    const isWanted = ownerId !== undefined || addressed.purpose === 'set-up'
    const isSent = isWanted || (await isGoodFor(context, transaction, email))
    await mailCode(context, transaction, { ...addressed, isSent })
  })
}

/** Counts a code for a browser or a network that the account knows, each in a share of its own; false for all others. */
async function countShare(context: Context, email: string): Promise<boolean> {
  const browser = await findKnownBrowser(context, email, { verified: true })
  const isKnown = await isKnownNetwork(context, email)
  const network = networkOf(context.address)
  if (browser) await limit(context, `code:${email}:browser:${browser}`, limits.codesByBrowser)
  else if (isKnown) await limit(context, `code:${email}:network:${network}`, limits.codesByNetwork)
  return browser !== undefined || isKnown
}

/** Mails the code that verifies a new account, unless the mail budget is used up: then the owner requests one later. */
export async function mailFirstCode(context: Context, db: Transaction, email: string): Promise<void> {
  const counted = await countMail(context, db, email).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'rate_limited') return undefined
    throw error
  })
  if (counted) await mailCode(context, db, { purpose: 'verify-email', email })
}

async function mailCode(
  context: Pick<Context, 'outbox' | 'secretFor' | 'now' | 'request' | 'cookie' | 'config'>,
  db: Transaction,
  { purpose, email, ownerId, requestId, isSent = true }: CodeTarget & { isSent?: boolean },
): Promise<void> {
  const { code, stored } = await makeCode(context, boundTo({ purpose, email, ownerId }))
  const requestHash = requestId === undefined ? null : sha256(requestId)
  await queries.insertCode(db, { ...stored, purpose, email, ownerId: ownerId ?? null, requestHash })
  // Who asks may have no account yet.
  const language = languageIn(context)
  const mail = { recipient: email, language, ...codeLetter(purpose, code) }
  // The same rows are written either way.
  await (isSent ? context.outbox.enqueue(db, mail) : context.outbox.pretend(db, mail))
}

/** Whether a code can be used: there is an account, or the address may have one. The same is read for every address. */
async function isGoodFor(context: JoinContext, db: Transaction, email: string): Promise<boolean> {
  if (isOpen(context.config)) return true
  const may = await mayJoin(context, db, email)
  return (await findUserByEmail(db, email)) !== undefined || may
}

/**
 * `tryCode` for a code of the site. If the address has an account, its row must be locked before: the order is account, code. With the id of
 * a request it is the code of that browser. Without it, or when that code is over, it is the newest one, and such tries are counted apart.
 */
export async function takeCode(
  context: CodeContext & Pick<Context, 'address'>,
  db: Transaction,
  { code, requestId, ...addressed }: CodeTarget & { code: string },
): Promise<boolean> {
  const { purpose, email, ownerId = null } = addressed
  const [of, until] = [{ purpose, email, ownerId }, latest(context.now)]
  const given = { table: 'emailCode', code, boundTo: boundTo(addressed) } as const
  const requestHash = requestId === undefined ? undefined : sha256(requestId)
  const own = requestHash === undefined ? undefined : await queries.lockNewestCode(db, { ...of, requestHash }, until)
  if (own && !own.usedAt && own.expiresAt > context.now) return tryCode(context, db, { ...given, newest: own })
  const newest = await queries.lockNewestCode(db, of, until)
  if (newest?.requestHash == null) return tryCode(context, db, { ...given, newest })
  const othersTries = withTryOf(newest.othersTries, networkOf(context.address))
  if (othersTries === undefined) return false
  if (await tryCode(context, db, { ...given, newest: { ...newest, failures: 0 }, isOthers: true })) return true
  await queries.updateOthersTries(db, newest.id, { othersTries })
  return false
}

const COOKIE = 'guildhall_code'

/** The id of the requests of a browser for codes; undefined for one that never asked. */
export function requestIn({ config, cookie }: Pick<Context, 'config' | 'cookie'>): string | undefined {
  const value = cookie(cookieNamed(config.baseUrl, COOKIE))
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

/** The id of this request for a code: that of the browser, or a new one. Its cookie lasts as long as the code. */
function noteRequest(context: Pick<Context, 'config' | 'cookie' | 'reply'>): string {
  const value = requestIn(context) ?? newToken()
  const line = cookieLine(context.config.baseUrl, COOKIE, { value, seconds: CODE_SECONDS })
  context.reply.append('Set-Cookie', line)
  return value
}

/** Wrong tries of those who did not ask for a code, by their networks, as JSON; null for none. */
type OthersTries = string | null

/** The same with one more; undefined where the network, or all of them together, have had their tries. */
function withTryOf(tries: OthersTries, network: string): string | undefined {
  const counts = tries === null ? {} : parseJson<Record<string, number>>(tries)
  const own = counts[network] ?? 0
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (own >= CODE_FAILURES || all >= OTHERS_FAILURES) return undefined
  return JSON.stringify({ ...counts, [network]: own + 1 })
}
