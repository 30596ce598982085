// Counting, as it is stored: one statement for all keys of a window, right under any concurrency and shared by every process.
import { type RawBuilder, sql } from 'kysely'
import { among } from '../database/engine.ts'
import { type Given, prepared } from '../database/prepared.ts'
import type { Db, RateLimitTable, Transaction } from '../database/schema.ts'
import { required } from '../runtime/untyped.ts'

interface Values extends Record<string, string> {
  now: string
  resetsAt: string
  latest: string
}

/** A window that has ended, or that ends later than possible: it was opened while a clock was wrong. */
const isOver = (now: string, latest: string): RawBuilder<boolean> =>
  sql<boolean>`("rateLimit"."resetsAt" <= ${now} or "rateLimit"."resetsAt" > ${latest})`

const countersOf = (size: number) =>
  prepared((db, given: Given<Values>) => {
    const over = isOver(given('now'), given('latest'))
    const rows = Array.from({ length: size }, (_, index) => ({
      key: given(`key${index}`),
      count: 1,
      resetsAt: given('resetsAt'),
    }))
    return db
      .insertInto('rateLimit')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          count: sql`case when ${over} then 1 else "rateLimit".count + 1 end`,
          resetsAt: sql`case when ${over} then excluded."resetsAt" else "rateLimit"."resetsAt" end`,
        }),
      )
      .returning(['key', 'count', 'resetsAt'])
  })

const counters = [1, 2, 3].map(countersOf)

/**
 * Increments each key, in a window that ends at `resetsAt` if none is open; one that ends after `latest` does not count as open. Keys
 * are locked in order, so that two transactions cannot deadlock.
 */
export async function countUp(
  db: Db,
  keys: readonly string[],
  window: { now: string; resetsAt: string; latest: string },
): Promise<readonly RateLimitTable[]> {
  const named = Object.fromEntries(keys.toSorted().map((key, index) => [`key${index}`, key]))
  const { rows } = await required(counters[keys.length - 1])(db, { ...named, ...window })
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
    .selectAll()
    .where('key', 'in', among(db, JSON.stringify(keys)))
    .where('resetsAt', '>', now)
    .execute()
}

/** Deletes at most `limit` windows that have ended, and returns their number. No other table stores a network for longer. */
export async function deleteExpiredTries(db: Db, now: string, limit: number): Promise<number> {
  const old = db.selectFrom('rateLimit').select('key').where('resetsAt', '<=', now).orderBy('resetsAt').limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('rateLimit')
    .where('key', 'in', old)
    // A window that was reopened in between stays.
    .where('resetsAt', '<=', now)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** How many bytes an account stores, and how many of them are its picture. Locked until the transaction ends. */
export async function lockStoredBytes(
  db: Transaction,
  accountId: string,
): Promise<{ bytes: number; avatarBytes: number }> {
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

/** Updates the size of an account's picture, which replaces the previous one. The counter is locked. */
export async function updateAvatarBytes(db: Transaction, accountId: string, avatarBytes: number): Promise<void> {
  await db
    .updateTable('storedBytes')
    .set((row) => ({ bytes: sql`${row.ref('bytes')} - ${row.ref('avatarBytes')} + ${avatarBytes}`, avatarBytes }))
    .where('accountId', '=', accountId)
    .execute()
}
