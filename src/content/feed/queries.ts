// The feed as it is stored: one row for everything that shows, so that a page is one walk along an index.
import { type Compilable, type Insertable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import type { Sort } from '../../contract/fields.ts'
import { among, engineOf } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import type { Database, Db, FeedEntryTable, Transaction } from '../../database/schema.ts'
import { type Ids, idsAlong, inOrder, type Stretch } from '../listing-queries.ts'
import type { FeedType } from './contract.ts'

export async function insertEntry(db: Transaction, entry: Insertable<FeedEntryTable>): Promise<void> {
  await db.insertInto('feedEntry').values(entry).execute()
}

export async function updateEntry(db: Transaction, id: string, changes: Updateable<FeedEntryTable>): Promise<void> {
  await db.updateTable('feedEntry').set(changes).where('id', '=', id).execute()
}

const addition = prepared((db, given: Given<{ id: string; score: number; commentCount: number }>) =>
  db
    .updateTable('feedEntry')
    .set((entry) => ({
      score: entry('score', '+', given('score')),
      commentCount: entry('commentCount', '+', given('commentCount')),
    }))
    .where('id', '=', given('id')),
)

/** Adds to the counts of a thing, if the feed shows it. */
export async function addToEntry(
  db: Transaction,
  id: string,
  { score = 0, commentCount = 0 }: { score?: number; commentCount?: number },
): Promise<void> {
  await addition(db, { id, score, commentCount })
}

/** Removes an entry; gives whose it was and of which type, or undefined when there was none. */
export function deleteEntry(db: Transaction, id: string) {
  return db.deleteFrom('feedEntry').where('id', '=', id).returning(['authorId', 'type']).executeTakeFirst()
}

// The outer join keeps the walk on the feed's index: an inner one would let the engine start from the accounts.
const shown = (db: Db) =>
  db
    .selectFrom('feedEntry as entry')
    .leftJoin('user as author', 'author.id', 'entry.authorId')
    .select(['entry.id', 'entry.type', 'entry.title', 'entry.preview', 'entry.authorId'])
    .select(['author.username as authorUsername', 'entry.createdAt', 'entry.score', 'entry.commentCount', 'entry.url'])
    .where('author.blockedAt', 'is', null)

const hidden = prepared((db, _given: Given<object>) => {
  const keys = (end: string) => sql<string>`'feed/by/' || ${sql.ref('user.id')} || ${end}`
  return db
    .selectFrom('user')
    .innerJoin('tally', (join) => join.on('tally.key', '>=', keys('/')).on('tally.key', '<', keys('0')))
    .select(['user.id', 'tally.key', 'tally.count'])
    .where('user.blockedAt', 'is not', null)
    .where('tally.count', '>', 0)
})

/** Whose entries do not show, and how many those are: blocked authors who have any, of one type or of all. */
export async function listHidden(db: Db, type?: FeedType): Promise<readonly { id: string; count: number }[]> {
  const { rows } = await hidden(db, {})
  return type === undefined ? rows : rows.filter(({ key }) => key.endsWith(`/${type}/`))
}

/** What an entry is sorted by; the score only where it is. */
export interface Place {
  score?: number
  createdAt: string
  id: string
}

export interface OfAuthor {
  authorId: string
  type?: FeedType | undefined
}

/** A way through the feed or through what it has of one type, from one of its ends or from a place. */
export interface Way {
  sort: Sort
  type?: FeedType | undefined
  backwards: boolean
  readonly after?: Place | undefined
}

const keyOf = (sort: Sort) =>
  sort === 'popular' ? (['score', 'createdAt', 'id'] as const) : (['createdAt', 'id'] as const)

type Entries = Database & { entry: FeedEntryTable }

type Values = Place & {
  type: FeedType
  offset: number
  limit: number
  authors: string
  toScore: number
  toCreatedAt: string
  toId: string
}

function compared(sort: Sort, operator: string, given: Given<Values>, names: readonly (keyof Values)[]) {
  const columns = keyOf(sort).map((column) => sql.ref(`entry.${column}`))
  const values = names.slice(-columns.length).map((name) => sql`${given(name)}`)
  return sql<boolean>`(${sql.join(columns)}) ${sql.raw(operator)} (${sql.join(values)})`
}

const isAfter = ({ sort, backwards }: Way, given: Given<Values>) =>
  compared(sort, backwards ? '>' : '<', given, ['score', 'createdAt', 'id'])
const isUpTo = ({ sort, backwards }: Way, given: Given<Values>) =>
  compared(sort, backwards ? '<=' : '>=', given, ['toScore', 'toCreatedAt', 'toId'])

/** A query that is made once for every way. */
function ofWay<Row>(build: (db: Db, way: Way, given: Given<Values>) => Compilable<Row>, options?: { kept: boolean }) {
  const made = new Map<string, (db: Db, values: Values) => Promise<{ rows: readonly Row[] }>>()
  return async (db: Db, way: Way, values: Partial<Values>): Promise<readonly Row[]> => {
    const name = `${way.sort} ${way.backwards} ${way.after !== undefined} ${way.type !== undefined}`
    let query = made.get(name)
    if (!query) {
      query = prepared((on, given: Given<Values>) => build(on, way, given), options)
      made.set(name, query)
    }
    return (await query(db, { ...values, ...way.after, type: way.type } as Values)).rows
  }
}

const place = ofWay((db, way, given) => {
  const places = db.selectFrom('feedEntry as entry').select(keyOf(way.sort).map((column) => `entry.${column}` as const))
  return inOrder(typed(db, way, given, places), { of: 'entry', ...way })
    .$if(way.after !== undefined, (query) => query.where(isAfter(way, given)))
    .limit(sql.lit(1))
    .offset(given('offset'))
})

/** A walk through a type from one of its ends: on SQLite without its other end, which would be compared with each entry. */
function typed<Row>(
  db: Db,
  { type, backwards, after }: Way,
  given: Given<Values>,
  query: SelectQueryBuilder<Entries, 'entry', Row>,
) {
  if (type === undefined) return query
  if (after || engineOf(db) === 'postgres') return query.where('entry.type', '=', given('type'))
  const [from, direction] = backwards ? (['>=', 'asc'] as const) : (['<=', 'desc'] as const)
  return query.where('entry.type', from, given('type')).orderBy('entry.type', direction)
}

/** Where a way has come to after `steps` entries, whoever wrote them; undefined past the end. It reads nothing but an index. */
export async function findPlace(db: Db, way: Way, steps: number): Promise<Place | undefined> {
  const [found] = await place(db, way, { offset: steps - 1 })
  return found as Place | undefined
}

const between = ofWay((db, way, given) =>
  db
    .selectFrom('feedEntry as entry')
    .select((entry) => entry.fn.countAll<number>().as('count'))
    .where('entry.authorId', 'in', among(db, given('authors')))
    .$if(way.type !== undefined, (query) => query.where('entry.type', '=', given('type')))
    .$if(way.after !== undefined, (query) => query.where(isAfter(way, given)))
    .where(isUpTo(way, given)),
)

/** How many entries of these authors are on a way up to a place, which counts too. */
export async function countBetween(db: Db, way: Way, to: Place, authorIds: readonly string[]): Promise<number> {
  const till = { toScore: to.score ?? 0, toCreatedAt: to.createdAt, toId: to.id }
  const [row] = await between(db, way, { ...till, authors: JSON.stringify(authorIds) })
  return row!.count
}

const page = ofWay(
  (db, way, given) =>
    inOrder(shown(db), { of: 'entry', ...way })
      .$if(way.type !== undefined, (query) => query.where('entry.type', '=', given('type')))
      .$if(way.after !== undefined, (query) => query.where(isAfter(way, given)))
      .limit(given('limit'))
      .offset(given('offset')),
  { kept: true },
)

/** `limit` entries after the first `offset` of a way, without those of blocked authors. */
export const listEntries = (db: Db, way: Way, range: { offset: number; limit: number }) => page(db, way, range)

/** The ids of what an author has in the feed, in order. */
export function walkEntriesOf(db: Db, { authorId, type }: OfAuthor, sort: Sort, stretch: Stretch) {
  return idsAlong(db, { table: 'feedEntry', within: ['authorId', authorId], having: { type }, sort }, stretch)
}

/** The entries with these ids, in order, without those of blocked authors. */
export function entriesById(db: Db, ids: Ids, sort: Sort) {
  return inOrder(shown(db).where('entry.id', 'in', ids), { of: 'entry', sort })
}
