// The feed as it is stored: one row for everything that shows, so that a page is one walk along an index.
import { type Compilable, type Insertable, sql, type Updateable } from 'kysely'
import type { Sort } from '../../contract/fields.ts'
import { among } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import type { Db, FeedEntryTable, Transaction } from '../../database/schema.ts'
import { type Ids, idsAlong, inOrder, type Stretch } from '../listing/listing.ts'

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

/** Removes an entry; gives its author, or undefined when there was none. */
export async function deleteEntry(db: Transaction, id: string): Promise<string | undefined> {
  const entry = await db.deleteFrom('feedEntry').where('id', '=', id).returning('authorId').executeTakeFirst()
  return entry?.authorId
}

// The outer join keeps the walk on the feed's index: an inner one would let the engine start from the accounts.
const entries = (db: Db) =>
  db
    .selectFrom('feedEntry as entry')
    .leftJoin('user as author', 'author.id', 'entry.authorId')
    .select(['entry.id', 'entry.type', 'entry.title', 'entry.preview', 'entry.authorId'])
    .select(['author.username as authorUsername', 'entry.createdAt', 'entry.score', 'entry.commentCount', 'entry.url'])

/** Whose entries do not show, and how many those are: blocked authors who have any. */
const hidden = prepared((db, _given: Given<object>) =>
  db
    .selectFrom('user')
    .innerJoin('tally', (join) => join.on('tally.key', '=', sql`'feed/by/' || ${sql.ref('user.id')} || '/'`))
    .select(['user.id', 'tally.count'])
    .where('user.blockedAt', 'is not', null)
    .where('tally.count', '>', 0),
)

export async function listHidden(db: Db): Promise<readonly { id: string; count: number }[]> {
  return (await hidden(db, {})).rows
}

/** What an entry is sorted by; the score only where it is. */
export interface Place {
  score?: number
  createdAt: string
  id: string
}

/** A way through the feed, from one of its ends or from a place. */
export interface Way {
  sort: Sort
  backwards: boolean
  readonly after?: Place | undefined
}

const keyOf = (sort: Sort) =>
  sort === 'popular' ? (['score', 'createdAt', 'id'] as const) : (['createdAt', 'id'] as const)

type Values = Place & {
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
    const name = `${way.sort} ${way.backwards} ${way.after !== undefined}`
    let query = made.get(name)
    if (!query) {
      query = prepared((on, given: Given<Values>) => build(on, way, given), options)
      made.set(name, query)
    }
    return (await query(db, { ...values, ...way.after } as Values)).rows
  }
}

const place = ofWay((db, way, given) =>
  inOrder(db.selectFrom('feedEntry as entry').select(keyOf(way.sort).map((column) => `entry.${column}` as const)), {
    of: 'entry',
    ...way,
  })
    .$if(way.after !== undefined, (query) => query.where(isAfter(way, given)))
    .limit(sql.lit(1))
    .offset(given('offset')),
)

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
    inOrder(entries(db).where('author.blockedAt', 'is', null), { of: 'entry', ...way })
      .$if(way.after !== undefined, (query) => query.where(isAfter(way, given)))
      .limit(given('limit'))
      .offset(given('offset')),
  { kept: true },
)

/** `limit` entries after the first `offset` of a way, without those of blocked authors. */
export const listEntries = (db: Db, way: Way, range: { offset: number; limit: number }) => page(db, way, range)

const pageOfAuthor = (sort: Sort) =>
  prepared((db, given: Given<{ authorId: string; limit: number; offset: number }>) => {
    const range = { backwards: false, limit: given('limit'), offset: given('offset') }
    return entriesById(db, walkEntriesOf(db, given('authorId'), sort, range), sort).where(
      'author.blockedAt',
      'is',
      null,
    )
  })

const pagesOfAuthor = { latest: pageOfAuthor('latest'), popular: pageOfAuthor('popular') }

/** The same of one author. */
export async function listEntriesOf(db: Db, authorId: string, sort: Sort, range: { offset: number; limit: number }) {
  return (await pagesOfAuthor[sort](db, { ...range, authorId })).rows
}

/** The ids of what an author has in the feed, in order. */
export function walkEntriesOf(db: Db, authorId: string, sort: Sort, stretch: Stretch) {
  return idsAlong(db, { table: 'feedEntry', within: ['authorId', authorId], sort }, stretch)
}

/** The entries with these ids, in order. */
export function entriesById(db: Db, ids: Ids, sort: Sort) {
  return inOrder(entries(db).where('entry.id', 'in', ids), { of: 'entry', sort })
}
