// Browsers that signed in to an account before: each has a separate cookie that outlives sessions and grants no access. It separates
// the tries of its user from those of others, and a sign-in with it sends no mail about a new browser.
import { networkOf } from '../budgets/budgets.ts'
import type { Transaction } from '../database/schema.ts'
import { cookieLine, cookieNamed } from '../request/credentials.ts'
import type { Context } from '../request/handler.ts'
import { keyedHash, sha256 } from '../runtime/hash.ts'
import { newToken } from '../runtime/ids.ts'
import * as queries from './browser-queries.ts'

export { deleteBrowsersOf } from './browser-queries.ts'

/** As long as browsers keep a cookie. */
export const BROWSER_SECONDS = 400 * 86_400
const MAX_BROWSERS = 50
const MAX_NETWORKS = 20

const COOKIE = 'guildhall_browser'

/** The network of a request, by a keyed hash with the address of an account. */
async function networkHash({ address, secretFor }: Pick<Context, 'address' | 'secretFor'>, email: string) {
  return keyedHash(await secretFor('networks'), networkOf(address), 'network', email)
}

/** Whether the account of this address signed in from this network before, and is verified. One look-up either way. */
export const isKnownNetwork = async (
  context: Pick<Context, 'address' | 'secretFor' | 'db'>,
  email: string,
): Promise<boolean> => queries.isKnownNetwork(context.db, await networkHash(context, email), email)

/** Records that the account signs in from this network. */
export async function rememberNetwork(
  context: Context,
  db: Transaction,
  { id: userId, email }: { id: string; email: string },
): Promise<void> {
  await queries.upsertNetwork(db, { networkHash: await networkHash(context, email), userId, seenAt: context.now })
  await queries.deleteOldestNetworks(db, userId, MAX_NETWORKS)
}

/** The hash of the browser's cookie, if it signed in to the account of this address before, and that is `verified` if so asked. */
export async function findKnownBrowser(
  { config, cookie, db }: Pick<Context, 'config' | 'cookie' | 'db'>,
  email: string,
  { verified = false }: { verified?: boolean } = {},
): Promise<string | undefined> {
  const token = cookie(cookieNamed(config.baseUrl, COOKIE))
  if (!token) return undefined
  const tokenHash = sha256(token)
  const found = await queries.findBrowser(db, tokenHash, email)
  return found && (found.emailVerifiedAt !== null || !verified) ? tokenHash : undefined
}

/**
 * Records that this browser signs in to the account; returns whether it did so before. The cookie gets a new value each time, so that
 * a planted value is useless afterwards.
 */
export async function rememberBrowser(
  { config, cookie, reply, now }: Context,
  db: Transaction,
  { id: userId, email }: { id: string; email: string },
): Promise<boolean> {
  const before = cookie(cookieNamed(config.baseUrl, COOKIE))
  const token = newToken()
  const tokenHash = sha256(token)
  const known = before !== undefined && (await queries.findBrowser(db, sha256(before), email)) !== undefined
  if (before !== undefined) await queries.replaceToken(db, sha256(before), tokenHash)
  await queries.upsertBrowser(db, { tokenHash, userId, createdAt: now, seenAt: now })
  if (!known) await queries.deleteOldestBrowsers(db, userId, MAX_BROWSERS)
  reply.append('Set-Cookie', cookieLine(config.baseUrl, COOKIE, { value: token, seconds: BROWSER_SECONDS }))
  return known
}
