// How the browsers are stored that signed in to an account before.
import type { Selectable } from 'kysely'
import { inTransaction } from '../database/rows.ts'
import type { Db, KnownBrowserTable, Transaction } from '../database/schema.ts'

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

export const deleteBrowsersOf = inTransaction.deleteFrom('knownBrowser', 'userId')
