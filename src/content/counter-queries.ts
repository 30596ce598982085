// Running counts, changed in the transaction that changes what they count: a list of any size knows its total at once.
import { sql } from 'kysely'
import { recordsIn } from '../database/engine.ts'
import { type Bind, pipeline, prepared } from '../database/prepared.ts'
import type { CounterTable, Db, TablesWith, Transaction } from '../database/schema.ts'

/**
 * What is counted: a thing of a kind, in each group it belongs to (`all`, `by/<author>`, ...), under the values one can
 * filter a list by. Keys are `kind/group/value/value/`.
 */
export interface CountedThing {
  kind: string
  groups: readonly string[]
  facets: readonly string[]
}

export const increment = (db: Transaction, thing: CountedThing): Promise<void> => addToCount(db, thing, 1)
export const decrement = (db: Transaction, thing: CountedThing): Promise<void> => addToCount(db, thing, -1)

export function addToCount(db: Transaction, thing: CountedThing, delta: number): Promise<void> {
  return addToCounters(db, changes(thing, delta))
}

/** Moves a thing to where it counts now; undefined for one that did not count, or no longer does. */
export async function recount(
  db: Transaction,
  before: CountedThing | undefined,
  after: CountedThing | undefined,
): Promise<void> {
  const sums = new Map<string, number>()
  for (const { key, count } of [...(before ? changes(before, -1) : []), ...(after ? changes(after, 1) : [])]) {
    sums.set(key, (sums.get(key) ?? 0) + count)
  }
  const moved = [...sums].filter(([, count]) => count !== 0)
  await addToCounters(
    db,
    moved.map(([key, count]) => ({ key, count })),
  )
}

/** How many things of a group have these values, or one of several; undefined means any value. */
export async function countOf(
  db: Db,
  {
    kind,
    group,
    facets = [],
  }: { kind: string; group: string; facets?: readonly (string | readonly string[] | undefined)[] },
): Promise<number> {
  const prefix = `${kind}/${group}/`
  const counters = await listCounters(db, prefix)
  return counters
    .filter(({ key }) => {
      const values = key.slice(prefix.length).split('/').slice(0, -1)
      const fits = (facet: (typeof facets)[number], value = '') =>
        facet === undefined || (typeof facet === 'string' ? facet === value : facet.includes(value))
      return values.length === facets.length && facets.every((facet, at) => fits(facet, values[at]))
    })
    .reduce((total, { count }) => total + count, 0)
}

const changes = ({ kind, groups, facets }: CountedThing, count: number) =>
  groups.map((group) => ({ key: [kind, group, ...facets, ''].join('/'), count }))

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
