// Running counts as they are stored.
import { sql } from 'kysely'
import { recordsIn } from '../database/engine.ts'
import { type Bind, pipeline, prepared } from '../database/prepared.ts'
import type { CounterTable, Db, TablesWith, Transaction } from '../database/schema.ts'

/** Adds to counts in one statement, always in the order of their keys: two transactions never wait for each other. */
export async function addToCounters(db: Transaction, changes: readonly CounterTable[]): Promise<void> {
  if (changes.length === 0) return
  const rows = db.insertInto('counter').values(changes.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
  const added = rows.onConflict((conflict) =>
    conflict
      .column('key')
      .doUpdateSet((counter) => ({ count: counter('counter.count', '+', sql.ref<number>('excluded.count')) })),
  )
  await pipeline(db, added)
}

/** What is added to the counts that a row keeps of itself. */
export interface RowAddition {
  id: string
  score?: number
  commentCount?: number
}

/** Makes the statement that adds to the scores of rows, and to their numbers of comments if they have `comments`. */
export function additionTo(table: TablesWith<'id' | 'score'>, { comments }: { comments: boolean }) {
  const columns = { id: 'text', score: 'integer', commentCount: 'integer' } as const
  const plus = (column: string) => sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`given.${column}`)}`
  const addition = prepared(
    (db, given: Bind<{ additions: string }>) =>
      db
        .updateTable(table)
        .from(recordsIn<Required<RowAddition>>(db, given('additions'), columns))
        .set({ score: plus('score'), ...(comments && { commentCount: plus('commentCount') }) })
        .whereRef(`${table}.id`, '=', 'given.id'),
    { pipelined: true },
  )
  return async (db: Transaction, additions: readonly RowAddition[]): Promise<void> => {
    const whole = additions.map(({ id, score = 0, commentCount = 0 }) => ({ id, score, commentCount }))
    await addition(db, { additions: JSON.stringify(whole) })
  }
}

/** Keys after one, in their order, of counts of nothing. */
export async function listKeys(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = db.selectFrom('counter').select('key').where('key', '>', after).orderBy('key').limit(limit)
  return (await rows.execute()).map(({ key }) => key)
}

/** Removes counts that are zero. */
export async function deleteEmptyCounters(db: Db, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('counter').where('key', 'in', keys).where('count', '=', 0).execute()
}

const counters = prepared(
  (db, given: Bind<{ prefix: string; end: string }>) =>
    db
      .selectFrom('counter')
      .select(['key', 'count'])
      .where('key', '>=', given('prefix'))
      .where('key', '<', given('end')),
  { cached: true },
)

/** The counts whose key starts with `prefix`, which ends with a slash: the character after a slash is a zero. */
export async function listCounters(db: Db, prefix: string): Promise<readonly CounterTable[]> {
  const { rows } = await counters(db, { prefix, end: `${prefix.slice(0, -1)}0` })
  return rows
}
