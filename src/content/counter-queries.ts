// Running counts as they are stored.
import { sql } from 'kysely'
import { type Given, prepared } from '../database/prepared.ts'
import type { CounterTable, Db, Transaction } from '../database/schema.ts'

/** Adds to counts in one statement, always in the order of their keys: two transactions never wait for each other. */
export async function addToCounters(db: Transaction, changes: readonly CounterTable[]): Promise<void> {
  if (changes.length === 0) return
  await db
    .insertInto('counter')
    .values(changes.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((counter) => ({ count: counter('counter.count', '+', sql.ref<number>('excluded.count')) })),
    )
    .execute()
}

const counters = prepared(
  (db, given: Given<{ prefix: string; end: string }>) =>
    db.selectFrom('counter').selectAll().where('key', '>=', given('prefix')).where('key', '<', given('end')),
  { cached: true },
)

/** The counts whose key starts with `prefix`, which ends with a slash: the character after a slash is a zero. */
export async function listCounters(db: Db, prefix: string): Promise<readonly CounterTable[]> {
  const { rows } = await counters(db, { prefix, end: `${prefix.slice(0, -1)}0` })
  return rows
}
