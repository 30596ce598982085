// How the feed is read: one row for everything that shows, so that a page is one index scan.
import { type Compilable, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Sort } from '../../contract/fields.ts'
import type { FeedKind, SearchType } from '../../contract/kinds.ts'
import { elementsOf, engineOf, isAmong } from '../../database/engine.ts'
import { type Bind, prepared, preparedEach } from '../../database/prepared.ts'
import type { Database, Db, FeedEntryTable } from '../../database/schema.ts'
import { type Ids, inOrder, type PageWindow, selectIds } from '../listing-queries.ts'
import { isBy, writersIn } from '../via.ts'

// The outer join keeps the scan on the feed's index: an inner one would let the engine start from the accounts.
const shown = (db: Db) =>
  db
    .selectFrom('feedEntry as entry')
    .leftJoin('user as author', 'author.id', 'entry.authorId')
    .select(['entry.id', 'entry.type', 'entry.title', 'entry.preview', 'entry.authorId'])
    .select([
      'author.username as authorUsername',
      'entry.createdAt',
      'entry.score',
      'entry.commentCount',
      'entry.url',
      'entry.number',
      'entry.viaClientId',
    ])
    .where('author.blockedAt', 'is', null)

export type ShownEntry = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number]

const hidden = prepared((db, _given: Bind<object>) => {
  const keys = (end: string) => sql<string>`'feed/by/' || ${sql.ref('user.id')} || ${end}`
  return db
    .selectFrom('user')
    .innerJoin('counter', (join) => join.on('counter.key', '>=', keys('/')).on('counter.key', '<', keys('0')))
    .select(['user.id', 'counter.key', 'counter.count'])
    .where('user.blockedAt', 'is not', null)
    .where('counter.count', '>', 0)
})

/** Blocked authors with entries, and the number of their entries, of one type or of all. */
export async function listHidden(
  db: Db,
  { type, without = [] }: Pick<FeedScan, 'type' | 'without'> = {},
): Promise<readonly { id: string; count: number }[]> {
  const { rows } = await hidden(db, {})
  const there = rows.filter(({ key }) => !without.some((one) => key.endsWith(`/${one}/`)))
  return type === undefined ? there : there.filter(({ key }) => key.endsWith(`/${type}/`))
}

/** What an entry is sorted by; the score only where it is. */
export interface Place {
  score?: number
  createdAt: string
  id: string
}

/** Entries of an author, or of people or agents (`byFilter`). */
export interface OfWriters {
  authorId?: string | undefined
  type?: FeedKind | undefined
  people?: string
  agents?: string
}

/** A scan through the feed or through what it has of one type, from one of its ends or from a place. */
export interface FeedScan {
  sort: Sort
  type?: FeedKind | undefined
  /** Types that are left out. */
  without?: readonly FeedKind[] | undefined
  backwards: boolean
  readonly after?: Place | undefined
}

const keyOf = (sort: Sort) =>
  sort === 'popular' ? (['score', 'createdAt', 'id'] as const) : (['createdAt', 'id'] as const)

type Entries = Database & { entry: FeedEntryTable }

type Values = Place & {
  type: FeedKind
  offset: number
  limit: number
  authors: string
  toScore: number
  toCreatedAt: string
  toId: string
}

interface Comparison {
  sort: Sort
  operator: string
  names: readonly (keyof Values)[]
}

function compared({ sort, operator, names }: Comparison, given: Bind<Values>) {
  const columns = keyOf(sort).map((column) => sql.ref(`entry.${column}`))
  const values = names.slice(-columns.length).map((name) => sql`${given(name)}`)
  return sql<boolean>`(${sql.join(columns)}) ${sql.raw(operator)} (${sql.join(values)})`
}

const isAfter = ({ sort, backwards }: FeedScan, given: Bind<Values>) =>
  compared({ sort, operator: backwards ? '>' : '<', names: ['score', 'createdAt', 'id'] }, given)
const isUpTo = ({ sort, backwards }: FeedScan, given: Bind<Values>) =>
  compared({ sort, operator: backwards ? '<=' : '>=', names: ['toScore', 'toCreatedAt', 'toId'] }, given)

const variantOf = ({ sort, backwards, after, type, without = [] }: FeedScan) =>
  `${sort} ${backwards} ${after !== undefined} ${type !== undefined} ${without}`

/** Whether an entry is of none of these types; there are few combinations, so they are part of the query. */
const isNoneOf = (column: string, types: readonly FeedKind[]) =>
  sql<boolean>`${sql.ref(column)} not in (${sql.join(types.map((type) => sql.lit(type)))})`

const leavesOut = ({ without = [] }: Pick<FeedScan, 'without'>) => without.length > 0

/** A query that is made once for every scan. */
function ofScan<Row>(
  build: (db: Db, scan: FeedScan, given: Bind<Values>) => Compilable<Row>,
  options?: { cached: boolean },
) {
  const query = preparedEach(variantOf, build, options)
  return async (db: Db, scan: FeedScan, values: Partial<Values>): Promise<readonly Row[]> =>
    (await query(db, scan, { ...values, ...scan.after, type: scan.type } as Values)).rows
}

const place = ofScan((db, scan, given) => {
  const places = db
    .selectFrom('feedEntry as entry')
    .select(keyOf(scan.sort).map((column) => `entry.${column}` as const))
  return inOrder(typed(db, places, { scan, given }), { of: 'entry', ...scan })
    .$if(scan.after !== undefined, (query) => query.where(isAfter(scan, given)))
    .$if(leavesOut(scan), (query) => query.where(isNoneOf('entry.type', scan.without ?? [])))
    .limit(sql.lit(1))
    .offset(given('offset'))
})

/** A scan through a type from one of its ends: on SQLite without its other end, which would be compared with each entry. */
function typed<Row>(
  db: Db,
  query: SelectQueryBuilder<Entries, 'entry', Row>,
  { scan, given }: { scan: FeedScan; given: Bind<Values> },
) {
  const { type, backwards, after } = scan
  if (type === undefined) return query
  if (after || engineOf(db) === 'postgres') return query.where('entry.type', '=', given('type'))
  const [from, direction] = backwards ? (['>=', 'asc'] as const) : (['<=', 'desc'] as const)
  return query.where('entry.type', from, given('type')).orderBy('entry.type', direction)
}

/** The position of a scan after `steps` entries of any author; undefined past the end. An index-only read. */
export async function findPlace(db: Db, scan: FeedScan, steps: number): Promise<Place | undefined> {
  const [found] = await place(db, scan, { offset: steps - 1 })
  return found as Place | undefined
}

const between = ofScan((db, scan, given) =>
  db
    .selectFrom('feedEntry as entry')
    .select((entry) => entry.fn.countAll<number>().as('count'))
    // A table, not an array: there can be many authors, and PostgreSQL looks through an array for each row.
    .where('entry.authorId', 'in', elementsOf(db, given('authors')))
    .$if(scan.type !== undefined, (query) => query.where('entry.type', '=', given('type')))
    .$if(leavesOut(scan), (query) => query.where(isNoneOf('entry.type', scan.without ?? [])))
    .$if(scan.after !== undefined, (query) => query.where(isAfter(scan, given)))
    .where(isUpTo(scan, given)),
)

/** Counts entries of these authors in a scan up to a position, inclusive. */
export async function countBetween(
  db: Db,
  scan: FeedScan,
  { to, authorIds }: { to: Place; authorIds: readonly string[] },
): Promise<number> {
  const till = { toScore: to.score ?? 0, toCreatedAt: to.createdAt, toId: to.id }
  const [row] = await between(db, scan, { ...till, authors: JSON.stringify(authorIds) })
  return row?.count ?? 0
}

const page = ofScan(
  (db, scan, given) =>
    inOrder(shown(db), { of: 'entry', ...scan })
      .$if(scan.type !== undefined, (query) => query.where('entry.type', '=', given('type')))
      .$if(leavesOut(scan), (query) => query.where(isNoneOf('entry.type', scan.without ?? [])))
      .$if(scan.after !== undefined, (query) => query.where(isAfter(scan, given)))
      .limit(given('limit'))
      .offset(given('offset')),
  { cached: true },
)

/** `limit` entries after the first `offset` of a scan, without those of blocked authors. */
export const listEntries = (db: Db, scan: FeedScan, range: { offset: number; limit: number }) => page(db, scan, range)

const all = (conditions: readonly (RawBuilder<SqlBool> | false | undefined)[]): RawBuilder<SqlBool> | undefined => {
  const given = conditions.filter((one) => typeof one === 'object')
  return given.length === 0 ? undefined : sql<SqlBool>`(${sql.join(given, sql` and `)})`
}

/** The ids of these entries, in order. */
export function scanEntriesOf(
  db: Db,
  { authorId, type, ...writers }: OfWriters,
  order: PageWindow & Pick<FeedScan, 'sort' | 'without'>,
) {
  const { sort, without = [], ...pageWindow } = order
  const by = writersIn(writers)
  const where = all([by && isBy('feedEntry', by), without.length > 0 && isNoneOf('feedEntry.type', without)])
  const within = authorId === undefined ? {} : { within: ['authorId', authorId] as const }
  return selectIds(db, { table: 'feedEntry', ...within, having: { type }, where, sort }, pageWindow)
}

/** The entries with these ids, in order, without those of blocked authors. */
export function entriesById(db: Db, ids: Ids, sort: Sort) {
  return inOrder(shown(db).where('entry.id', ...ids), { of: 'entry', sort })
}

/** Where it stands when a thing of a type was changed last: a library and the gallery have orgs. */
const tablesOf = {
  bug: ['bug'],
  feature: ['feature'],
  post: ['post'],
  release: ['release'],
  org: ['orgUpload', 'libraryItem'],
  workflow: ['libraryItem'],
  automation: ['libraryItem'],
  comment: ['comment'],
} as const
type ChangeTable = (typeof tablesOf)[keyof typeof tablesOf][number]

function changesIn(db: Db, table: ChangeTable, ids: string) {
  const status = table === 'bug' || table === 'feature' ? sql.ref('status') : sql`cast(null as text)`
  const isEdited = table === 'post' || table === 'release' || table === 'comment'
  const updatedAt = isEdited ? sql`coalesce("editedAt", "createdAt")` : sql.ref('updatedAt')
  return sql<Change>`select id, ${updatedAt} as "updatedAt", ${status} as status from ${sql.table(table)} where ${isAmong(db, 'id', ids)}`
}

interface Change {
  id: string
  updatedAt: string
  status: string | null
}

// Only the tables of the types at hand: their rows are cached until one of these changes.
const changes = preparedEach(
  (tables: readonly ChangeTable[]) => tables.join(),
  (db, tables, given: Bind<{ ids: string }>) => {
    const each = tables.map((table) => changesIn(db, table, given('ids')))
    return { compile: () => sql<Change>`${sql.join(each, sql` union all `)}`.compile(db) }
  },
  { cached: true },
)

/** When each of these things was changed last, and the status of those that have one; nothing of what cannot be changed. */
export async function mapChanges(
  db: Db,
  things: readonly { id: string; type: FeedKind | SearchType }[],
): Promise<ReadonlyMap<string, Change>> {
  const changing = things.filter(({ type }) => type in tablesOf)
  if (changing.length === 0) return new Map()
  const types = new Set(changing.map(({ type }) => type as keyof typeof tablesOf))
  const tables = [...new Set([...types].flatMap((type): readonly ChangeTable[] => tablesOf[type]))].sort()
  const { rows } = await changes(db, tables, { ids: JSON.stringify(changing.map(({ id }) => id).toSorted()) })
  return new Map(rows.map((row) => [row.id, row]))
}

const trending = preparedEach(
  (without: readonly FeedKind[]) => without.join(),
  (db, without, given: Bind<{ limit: number }>) =>
    shown(db)
      .$if(without.length > 0, (query) => query.where(isNoneOf('entry.type', without)))
      .orderBy('entry.heat', 'desc')
      .orderBy('entry.id', 'desc')
      .limit(given('limit')),
  { cached: true },
)

/** The hottest entries, without those of blocked authors and of types that are left out: a scan of the index by heat. */
export const listTrending = async (
  db: Db,
  { limit, without }: { limit: number; without: readonly FeedKind[] },
): Promise<readonly ShownEntry[]> => (await trending(db, without, { limit })).rows
