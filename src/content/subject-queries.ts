// How the things of every subject are stored: one row each, with its counters, its entry in the feed and its text in the
// search. The queries of a subject are built once. The handle comes first: what needs a lock asks for Transaction.
import { sql } from 'kysely'
import type { z } from 'zod'
import type { FeedKind } from '../contract/feed-kinds.ts'
import type { Sort } from '../contract/fields.ts'
import { Problem } from '../contract/problem.ts'
import { among, locking } from '../database/engine.ts'
import { type Given, pipeline, prepared } from '../database/prepared.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { additionTo } from './counter-queries.ts'
import { type Counted, countOf, decrement, increment, recount } from './counters.ts'
import { inOrder, type Page, type PageWindow, pageOf, selectIds } from './listing-queries.ts'
import { facetsOf, type ListedSubject, type Recorded, type Subject } from './subject.ts'

export interface Counts {
  score: number
  commentCount: number
}

/** The score of a thing, or what is added to it. */
export interface Score {
  id: string
  score: number
}

/** The rows of a subject, as far as votes and comments need them. */
export interface Rows<Row> {
  type: string
  follow: boolean
  noSuchThing(): Problem
  /** Locks a row until the transaction ends, if there is one. */
  findLocked(db: Transaction, id: string): Promise<Row | undefined>
  /** Locks a row until the transaction ends; throws `not_found`. */
  lock(db: Transaction, id: string): Promise<Row>
  /** Locks several in the order of their ids; gives those that are there. */
  lockAll(db: Transaction, ids: readonly string[]): Promise<Score[]>
  addCounts(db: Transaction, id: string, delta: Partial<Counts>): Promise<void>
  /** Adds to the scores of rows that are locked. */
  addScores(db: Transaction, scores: readonly Score[]): Promise<void>
  countComments(db: Db, id: string): Promise<number>
  /** Throws `not_found`. */
  getRow(db: Db, id: string): Promise<Row>
}

/** For Kysely every subject has the table of bugs: all have the columns that are used here. */
const tableOf = ({ table }: Pick<Subject, 'table'>) => table as 'bug'

/** Rows of a table whose columns the declaration tells. */
const known = <Row>(rows: object) => rows as Row

/** Rows that have no votes and comments: they are not found. The columns `by` tell which. */
interface Hidden<Row, Column extends keyof Row> {
  by: readonly Column[]
  isHidden(row: Pick<Row, Column>): boolean
}

export function rowsOf<Row extends Counts, Column extends keyof Row = never>(
  subject: Pick<Subject, 'type' | 'one' | 'table' | 'parent' | 'follow'>,
  { by, isHidden }: Hidden<Row, Column> = { by: [], isHidden: () => false },
): Rows<Row> {
  const { type, one, parent, follow = false } = subject
  const table = tableOf(subject)
  const isShown = (row: Row) => !isHidden(row)
  const noSuchThing = () => new Problem('not_found', `No such ${one.replace(/^an? /, '')}`)
  const selected = (db: Db) =>
    db
      .selectFrom(table)
      .selectAll()
      .$if(!parent, (rows) => rows.select(sql.lit(0).as('commentCount')))
  const read = prepared((db, given: Given<{ id: string }>) => selected(db).where('id', '=', given('id')))
  const locked = prepared((db, given: Given<{ id: string }>) => locking(db, selected(db).where('id', '=', given('id'))))
  const allLocked = prepared((db, given: Given<{ ids: string }>) =>
    locking(
      db,
      db
        .selectFrom(table)
        .select(['id', 'score', ...(by as readonly 'id'[])])
        .where('id', 'in', among(db, given('ids')))
        .orderBy('id'),
    ),
  )
  const add = additionTo(table, { comments: parent !== undefined })
  const rows: Rows<Row> = {
    type,
    follow,
    noSuchThing,
    findLocked: async (db, id) => known<Row[]>((await locked(db, { id })).rows).find(isShown),
    async lock(db, id) {
      const row = await rows.findLocked(db, id)
      if (!row) throw noSuchThing()
      return row
    },
    async lockAll(db, ids) {
      const { rows } = await allLocked(db, { ids: JSON.stringify(ids) })
      return known<(Score & Row)[]>(rows).filter(isShown)
    },
    addCounts: (db, id, delta) => add(db, [{ id, ...delta }]),
    addScores: add,
    async getRow(db, id) {
      const row = known<Row[]>((await read(db, { id })).rows).find(isShown)
      if (!row) throw noSuchThing()
      return row
    },
    countComments: async (db, id) => (await rows.getRow(db, id)).commentCount,
  }
  return rows
}

export type Stored<Thing> = Thing & Counts
export type Entry<Thing> = Stored<Thing> & { authorUsername: string | null }

/** What a list is asked for, beside what only this subject is filtered by. */
interface Wanted {
  page: number
  per_page: number
  sort: Sort
  q?: string | undefined
  authorId?: string | undefined
}

type Filters = Readonly<Record<string, string | undefined>>

/** What a slice keeps in step with the rows of its subject, and how its lists differ from others. */
export interface Companion {
  /** Groups of counters that a row is in, beside all rows and its author's. */
  groupsOf?(db: Transaction, row: { id: string; authorId: string }): Promise<string[]>
  addScores?(db: Transaction, scores: readonly Score[]): Promise<void>
  updateFacets?(db: Transaction, id: string, facets: Readonly<Record<string, unknown>>): Promise<void>
  /** The values that a list goes by, from those it was asked for. */
  resolve?(db: Db, filters: Filters): Promise<Filters>
  /** The group of counters that a list is the whole of. */
  groupOf?(filters: Filters): string
  /** A scan of its own, for filters that need one. */
  scan?(db: Db, filters: Filters, order: PageWindow & { sort: Sort }): ReturnType<typeof selectIds> | undefined
}

export interface Store<Thing, Parent extends string = string, Action extends string = string>
  extends Rows<Stored<Thing>> {
  subject: Pick<Subject<FeedKind, Parent, Action>, 'parent' | 'permissions'> & {
    type: FeedKind
    audit: ListedSubject['audit']
    record: Recorded
    text(thing: Thing): { title: string; text: string }
    url(thing: Thing): string
  }
  get(db: Db, id: string): Promise<Entry<Thing>>
  /** Where the site shows the thing; throws `not_found`. */
  findUrl(db: Db, id: string): Promise<string>
  insert(db: Transaction, thing: Thing): Promise<void>
  /** Changes a row, its counters and the rows of its companion; gives the row before. */
  update(db: Transaction, id: string, changes: Partial<Thing>): Promise<Stored<Thing>>
  /** Removes a row that is locked. */
  remove(db: Transaction, row: Stored<Thing>): Promise<void>
  page(db: Db, wanted: Wanted): Promise<Page<Entry<Thing>>>
}

export const groupOf = ({ authorId }: Filters): string => (authorId === undefined ? 'all' : `by/${authorId}`)

export function storeOf<Schema extends Recorded, Parent extends string, Action extends string>(
  subject: ListedSubject<Schema, z.ZodRawShape, FeedKind, Parent, Action>,
  companion: Companion = {},
): Store<z.output<Schema>, Parent, Action> {
  type Thing = z.output<Schema>
  const rows = rowsOf<Stored<Thing>>(subject)
  return {
    ...rows,
    subject,
    findUrl: async (db, id) => subject.url(await rows.getRow(db, id)),
    async addScores(db, scores) {
      await rows.addScores(db, scores)
      await companion.addScores?.(db, scores)
    },
    ...readsOf<Thing>(subject, companion, rows),
    ...writesOf<Thing>(subject, companion, rows),
  }
}

/** The part of a declaration that the queries of its rows need. */
type Declared = Pick<ListedSubject, 'type' | 'table' | 'parent' | 'record' | 'filters'>

function readsOf<Thing>(
  subject: Declared,
  companion: Companion,
  { noSuchThing }: Pick<Rows<Stored<Thing>>, 'noSuchThing'>,
): Pick<Store<Thing>, 'get' | 'page'> {
  const { type } = subject
  const table = tableOf(subject)
  const facets = facetsOf(subject)
  const entries = entriesOf(subject)
  const entry = prepared((db, given: Given<{ id: string }>) => entries(db).where(`${table}.id`, '=', given('id')))

  const scan = (db: Db, filters: Filters, order: PageWindow & { sort: Sort }) => {
    const { sort, ...page } = order
    const { q } = filters
    const search = q ? { type, q } : undefined
    const own = companion.scan?.(db, filters, order)
    return own ?? selectIds(db, { table, ...boundsOf(facets, filters), search, sort }, page)
  }

  return {
    async get(db, id) {
      const [found] = (await entry(db, { id })).rows
      if (!found) throw noSuchThing()
      return known<Entry<Thing>>(found)
    },
    async page(db, { page, per_page, sort, ...wanted }) {
      const filters: Filters = (await companion.resolve?.(db, wanted)) ?? wanted
      const group = (companion.groupOf ?? groupOf)(filters)
      const found = await pageOf(
        db,
        { page, per_page, sort, q: wanted.q },
        {
          kind: type,
          filters,
          count: () => countOf(db, { kind: type, group, facets: facets.map((name) => filters[name]) }),
          scan: (on, places, order) => scan(on, places, { sort, ...order }),
          entries: (on, ids) => inOrder(entries(on).where(`${table}.id`, 'in', ids), { of: table, sort }),
        },
      )
      return known(found)
    },
  }
}

/** Selects the rows of a subject as its readers get them. */
function entriesOf(subject: Declared) {
  const { parent, record } = subject
  const table = tableOf(subject)
  const columns = Object.keys(record.shape).map((name) => `${table}.${name}` as `${typeof table}.id`)
  return (db: Db) =>
    db
      .selectFrom(table)
      .leftJoin('user as author', 'author.id', `${table}.authorId`)
      .select(columns)
      .select(['author.username as authorUsername', `${table}.score`])
      .$if(parent !== undefined, (query) => query.select(`${table}.commentCount`))
      .$if(parent === undefined, (query) => query.select(sql.lit(0).as('commentCount')))
}

function writesOf<Thing extends z.output<Recorded>>(
  subject: Declared,
  companion: Companion,
  { lock }: Pick<Rows<Stored<Thing>>, 'lock'>,
): Pick<Store<Thing>, 'insert' | 'update' | 'remove'> {
  const { type, parent } = subject
  const table = tableOf(subject)
  const facets = facetsOf(subject)
  const counted = (thing: Thing, groups: readonly string[]): Counted => ({
    kind: type,
    groups: ['all', groupOf({ authorId: thing.authorId }), ...groups],
    facets: facets.map((name) => String(Reflect.get(thing, name))),
  })
  const groupsOf = async (db: Transaction, thing: Thing) => (await companion.groupsOf?.(db, thing)) ?? []

  return {
    async insert(db, thing) {
      const row = { ...thing, score: 0, ...(parent && { commentCount: 0 }) }
      await pipeline(db, db.insertInto(table).values(row as never))
      await increment(db, counted(thing, []))
    },
    async update(db, id, changes) {
      const before = await lock(db, id)
      const after = { ...before, ...changes }
      await db.updateTable(table).set(changes).where('id', '=', id).execute()
      await companion.updateFacets?.(db, id, Object.fromEntries(facets.map((name) => [name, Reflect.get(after, name)])))
      const groups = await groupsOf(db, before)
      await recount(db, counted(before, groups), counted(after, groups))
      return before
    },
    async remove(db, row) {
      const groups = await groupsOf(db, row)
      await pipeline(db, db.deleteFrom(table).where('id', '=', row.id))
      await decrement(db, counted(row, groups))
    },
  }
}

/** The bounds of a list in an index: it begins with the author, with one facet, or with all of several. */
export function boundsOf(facets: readonly string[], { authorId, ...filters }: Filters) {
  const having = Object.fromEntries(facets.map((name) => [name, filters[name]]))
  if (authorId !== undefined) return { within: ['authorId', authorId] as const, having }
  const given = facets.filter((name) => filters[name] !== undefined)
  if (given.length > 1) return { having }
  const name = (given[0] ?? facets[0] ?? 'authorId') as 'authorId'
  return { within: [name, filters[name]] as const }
}
