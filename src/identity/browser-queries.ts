// How the browsers are stored that signed in to an account before.
import type { Selectable } from 'kysely'
import { inTransaction } from '../database/rows.ts'
import type { Db, KnownBrowserTable, KnownNetworkTable, Transaction } from '../database/schema.ts'

type KnownBrowser = Selectable<KnownBrowserTable>

/** One look-up, whether or not there is an account of the address. */
export function findBrowser(db: Db, tokenHash: string, email: string) {
  return db
    .selectFrom('knownBrowser')
    .innerJoin('user', 'user.id', 'knownBrowser.userId')
    .select('user.emailVerifiedAt')
    .where('knownBrowser.tokenHash', '=', tokenHash)
    .where('user.email', '=', email)
    .executeTakeFirst()
}

/** Replaces a browser's cookie, for every account it knows. */
export async function replaceToken(db: Transaction, before: string, tokenHash: string): Promise<void> {
  await db.updateTable('knownBrowser').set({ tokenHash }).where('tokenHash', '=', before).execute()
}

/** The browser, or when it was last seen if the account knows it already. */
export async function upsertBrowser(db: Transaction, browser: KnownBrowser): Promise<void> {
  await db
    .insertInto('knownBrowser')
    .values(browser)
    .onConflict((conflict) => conflict.columns(['tokenHash', 'userId']).doUpdateSet({ seenAt: browser.seenAt }))
    .execute()
}

/** Keeps the newest browsers of an account. */
export async function deleteOldestBrowsers(db: Transaction, userId: string, count: number): Promise<void> {
  const newest = db
    .selectFrom('knownBrowser')
    .select('tokenHash')
    .where('userId', '=', userId)
    .orderBy('seenAt', 'desc')
    .orderBy('tokenHash')
    .limit(count)
  await db.deleteFrom('knownBrowser').where('userId', '=', userId).where('tokenHash', 'not in', newest).execute()
}

/** Whether the account of this address signed in from there before, and is verified. */
export async function isKnownNetwork(db: Db, networkHash: string, email: string): Promise<boolean> {
  const found = db
    .selectFrom('knownNetwork')
    .innerJoin('user', 'user.id', 'knownNetwork.userId')
    .select('user.id')
    .where('knownNetwork.networkHash', '=', networkHash)
    .where('user.email', '=', email)
    .where('user.emailVerifiedAt', 'is not', null)
  return (await found.executeTakeFirst()) !== undefined
}

/** The network, or when it was last seen if the account knows it already. */
export async function upsertNetwork(db: Transaction, network: Selectable<KnownNetworkTable>): Promise<void> {
  await db
    .insertInto('knownNetwork')
    .values(network)
    .onConflict((conflict) => conflict.columns(['networkHash', 'userId']).doUpdateSet({ seenAt: network.seenAt }))
    .execute()
}

/** Keeps the newest networks of an account. */
export async function deleteOldestNetworks(db: Transaction, userId: string, count: number): Promise<void> {
  const own = db.selectFrom('knownNetwork').select('networkHash').where('userId', '=', userId)
  const newest = own.orderBy('seenAt', 'desc').orderBy('networkHash').limit(count)
  await db.deleteFrom('knownNetwork').where('userId', '=', userId).where('networkHash', 'not in', newest).execute()
}

const browsers = inTransaction.deleteFrom('knownBrowser', 'userId')
const networks = inTransaction.deleteFrom('knownNetwork', 'userId')

/** Forgets from which browsers and networks an account signed in. */
export async function deleteBrowsersOf(db: Transaction, userId: string): Promise<void> {
  await browsers(db, userId)
  await networks(db, userId)
}
