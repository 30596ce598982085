// Running counts as they are stored.
import { sql } from 'kysely'
import { type Given, prepared } from '../database/prepared.ts'
import type { Db, TallyTable, Transaction } from '../database/schema.ts'

/** Adds to counts in one statement, always in the order of their keys: two transactions never wait for each other. */
export async function addToTallies(db: Transaction, changes: readonly TallyTable[]): Promise<void> {
  if (changes.length === 0) return
  await db
    .insertInto('tally')
    .values(changes.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((tally) => ({ count: tally('tally.count', '+', sql.ref<number>('excluded.count')) })),
    )
    .execute()
}

const tallies = prepared(
  (db, given: Given<{ prefix: string; end: string }>) =>
    db.selectFrom('tally').selectAll().where('key', '>=', given('prefix')).where('key', '<', given('end')),
  { kept: true },
)

/** The counts whose key starts with `prefix`, which ends with a slash: the character after a slash is a zero. */
export async function listTallies(db: Db, prefix: string): Promise<readonly TallyTable[]> {
  const { rows } = await tallies(db, { prefix, end: `${prefix.slice(0, -1)}0` })
  return rows
}
