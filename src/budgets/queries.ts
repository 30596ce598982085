// Counting, as it is stored: one statement for all keys of a window, right under any concurrency and shared by every process.
import { type RawBuilder, sql } from 'kysely'
import { among, recordsIn } from '../database/engine.ts'
import { deleteUntil } from '../database/expiry.ts'
import { type Bind, prepared } from '../database/prepared.ts'
import { plain } from '../database/rows.ts'
import type { Db, RateLimitTable, Transaction } from '../database/schema.ts'

/** When a window ends if it opens now, and the latest moment at which an open one can end. */
export interface Window {
  now: string
  resetsAt: string
  latest: string
}

/** A window that has ended, or that ends later than possible: it was opened while a clock was wrong. */
const isOver = (now: string, latest: string): RawBuilder<boolean> =>
  sql<boolean>`("rateLimit"."resetsAt" <= ${now} or "rateLimit"."resetsAt" > ${latest})`

/** How often a key is counted at once; less than zero takes back what the same transaction counted. */
export interface Addition {
  key: string
  count: number
}

const counting = prepared((db, given: Bind<Window & { additions: string }>) => {
  const over = isOver(given('now'), given('latest'))
  return db
    .insertInto('rateLimit')
    .columns(['key', 'count', 'resetsAt'])
    .expression(
      db
        .selectFrom(recordsIn<Addition>(db, given('additions'), { key: 'text', count: 'integer' }))
        .select(['given.key', 'given.count', sql<string>`cast(${given('resetsAt')} as text)`.as('resetsAt')])
        // SQLite would take what follows for a join.
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when ${over} then excluded.count else "rateLimit".count + excluded.count end`,
        resetsAt: sql`case when ${over} then excluded."resetsAt" else "rateLimit"."resetsAt" end`,
      }),
    )
    .returning(['key', 'count', 'resetsAt'])
})

/**
 * Counts each key, in a window that ends at `resetsAt` if none is open; one that ends after `latest` does not count as open. Keys
 * are locked in order, so that two transactions cannot deadlock.
 */
export async function countUp(db: Db, additions: readonly Addition[], { now, resetsAt, latest }: Window) {
  const ordered = additions.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const { rows } = await counting(db, { additions: JSON.stringify(ordered), now, resetsAt, latest })
  return rows
}

/** Counts one of `key` less. */
export async function countDown(db: Db, key: string): Promise<void> {
  await db
    .updateTable('rateLimit')
    .set({ count: sql`"rateLimit".count - 1` })
    .where('key', '=', key)
    .where('count', '>', 0)
    .execute()
}

/** How often each key was counted in the window that is open; a key without one is left out. */
export async function listCounts(db: Db, keys: readonly string[], now: string): Promise<RateLimitTable[]> {
  return db
    .selectFrom('rateLimit')
    .select(['key', 'count', 'resetsAt'])
    .where('key', ...among(db, JSON.stringify(keys)))
    .where('resetsAt', '>', now)
    .execute()
}

/** From which network an account without a verified address stores, as keyed hashes: an IPv4 address is in no /64. */
export interface StoringPlace {
  networkHash: string
  subnetHash: string | null
}

/** How many bytes an account stores, and how many of them are its picture. Locked until the transaction ends. */
export async function lockStoredBytes(db: Transaction, accountId: string) {
  return db
    .insertInto('storedBytes')
    .values({ accountId, bytes: 0, avatarBytes: 0 })
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet((row) => ({ bytes: row.ref('storedBytes.bytes') })),
    )
    .returning(['bytes', 'avatarBytes'])
    .executeTakeFirstOrThrow()
}

/** Locks the counters of several accounts in one order, when one operation removes stored data of all of them. */
export async function lockStoredBytesOf(db: Transaction, accountIds: readonly string[]): Promise<void> {
  for (const id of [...new Set(accountIds)].toSorted()) await lockStoredBytes(db, id)
}

export async function findStoredBytes(db: Db, accountId: string): Promise<number> {
  const row = await db.selectFrom('storedBytes').select('bytes').where('accountId', '=', accountId).executeTakeFirst()
  return row?.bytes ?? 0
}

/** From which network an account last stored something; undefined for a verified one. */
export async function findStoringPlace(db: Db, accountId: string): Promise<StoringPlace | undefined> {
  const row = await db
    .selectFrom('storedBytes')
    .select(['networkHash', 'subnetHash'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return row && row.networkHash !== null ? { networkHash: row.networkHash, subnetHash: row.subnetHash } : undefined
}

/** Puts an account into a network, unless its address was verified since. Its counter is locked. */
export async function updateStoringPlace(db: Transaction, accountId: string, place: StoringPlace): Promise<void> {
  const unverified = db.selectFrom('user').select('id').where('id', '=', accountId).where('emailVerifiedAt', 'is', null)
  await db.updateTable('storedBytes').set(place).where('accountId', 'in', unverified).execute()
}

/** How many bytes the accounts of a network store together, without one of them. */
export async function sumBytesOfOthers(
  db: Db,
  { column, hash, accountId }: { column: keyof StoringPlace; hash: string; accountId: string },
): Promise<number> {
  const row = await db
    .selectFrom('storedBytes')
    .select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'))
    .where(column, '=', hash)
    .where('accountId', '!=', accountId)
    .executeTakeFirstOrThrow()
  return Number(row.bytes ?? 0)
}

/** Forgets how many bytes an account stores, when nothing of it is stored any more. */
export const deleteStoredBytes = plain.deleteFrom('storedBytes', 'accountId')

/** Keys after one, in their order, of counters that may name an account. */
export async function listKeys(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = db.selectFrom('rateLimit').select('key').where('key', '>', after).orderBy('key').limit(limit)
  return (await rows.execute()).map(({ key }) => key)
}

export async function deleteKeys(db: Db, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('rateLimit').where('key', 'in', keys).execute()
}

/** Counts bytes of one account for another one, when files change hands. */
export async function moveStoredBytes(
  db: Transaction,
  { from, to, bytes }: { from: string; to: string; bytes: number },
): Promise<void> {
  await lockStoredBytesOf(db, [from, to])
  for (const [accountId, delta] of [
    [from, -bytes],
    [to, bytes],
  ] as const) {
    await db
      .updateTable('storedBytes')
      .set((row) => ({ bytes: row('bytes', '+', delta) }))
      .where('accountId', '=', accountId)
      .execute()
  }
}

/** Updates the size of an account's picture, which replaces the previous one. The counter is locked. */
export async function updateAvatarBytes(db: Transaction, accountId: string, avatarBytes: number): Promise<void> {
  await db
    .updateTable('storedBytes')
    .set((row) => ({ bytes: sql`${row.ref('bytes')} - ${row.ref('avatarBytes')} + ${avatarBytes}`, avatarBytes }))
    .where('accountId', '=', accountId)
    .execute()
}

/** Deletes windows that have ended. No other table stores a network for longer. */
export const deleteExpiredTries = (db: Db, now: string): Promise<void> =>
  deleteUntil(db, { table: 'rateLimit', key: 'key', since: 'resetsAt' }, now)
