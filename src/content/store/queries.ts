// How the things of every subject are stored: one row each, with its counters, its entry in the feed and its text in the
// search. The queries of a subject are built once. The handle comes first: what needs a lock asks for Transaction.
import { sql } from 'kysely'
import type { z } from 'zod'
import type { ActiveSort, Writers } from '../../contract/fields.ts'
import type { FeedKind } from '../../contract/kinds.ts'
import type { PageRequest } from '../../database/cursor.ts'
import { type Bind, pipeline, prepared } from '../../database/prepared.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Concerning } from '../about/about.ts'
import { resolveBoard } from '../board-access/listing-queries.ts'
import { type CountedThing, countOf, decrement, increment, recount } from '../counter-queries.ts'
import { isInClosedBoard } from '../hiding/rules.ts'
import { groupOf, type Labelling, labellingOf, resolveLabel } from '../labelled/labelling.ts'
import { type Page, pageOf } from '../list-pages.ts'
import { inOrder } from '../listing-queries.ts'
import { countFound, LABELS, resolveAssignee, spread, valueIn } from '../rows/filter-queries.ts'
import { type Hideable, idsByAuthor, type Rows, rowsOf, touchingOf } from '../rows/row-queries.ts'
import { columnsOf, facetsOf, hasActivity, type ListedSubject, type RecordSchema, type Subject } from '../subject.ts'
import type { Counts } from '../things.ts'
import { byFilter, countBy, groupsWith, type ViaColumn } from '../via.ts'
import { countsOf, type FacetCounts, isCountedByRows, scanOf } from './scan-queries.ts'

export type StoredRow<Thing> = Thing & Counts & Hideable & ViaColumn
/** `mergedCount` is of what can be merged. */
export type Entry<Thing> = Thing &
  Counts &
  ViaColumn &
  Pick<Hideable, 'boardId'> & { authorUsername: string | null; mergedCount: number }
/** New values of a row: of its record, or of columns by their names. */
export type Changes<Thing> = Partial<Thing> | Readonly<Record<string, string | number | null>>
/** One that may be hidden, or of a blocked account. */
export type AnyEntry<Thing> = Entry<Thing> & Hideable & { authorBlockedAt: string | null }

/** What a list is asked for, beside what only this subject is filtered by. */
interface ListParams extends PageRequest {
  sort: ActiveSort
  q?: string | undefined
  authorId?: string | undefined
  by?: Writers | undefined
  pinned?: string | undefined
  assignee?: string | undefined
  due?: string | undefined
  activeSince?: string | undefined
  board?: string | undefined
  aboutItemId?: string | undefined
  aboutNumber?: string | undefined
}

/** The store of a subject, with what its things are about where they can be. */
export interface ConcernedStore<Thing, Parent extends string = string, Action extends string = string>
  extends Store<Thing, Parent, Action> {
  concerning?: Concerning
}

export interface Store<Thing, Parent extends string = string, Action extends string = string>
  extends Rows<StoredRow<Thing>> {
  /** Whether comments on its things can be locked. */
  canLock: boolean
  /** Its labels, where it has any. */
  labelling: Labelling | undefined
  subject: Pick<Subject<FeedKind, Parent, Action>, 'can' | 'parent' | 'permissions'> & {
    type: FeedKind
    table: ListedSubject['table']
    audit: ListedSubject['audit']
    record: RecordSchema
    labels?: ListedSubject['labels']
    thread?: ListedSubject['thread']
    about?: ListedSubject['about']
    closing?: ListedSubject['closing']
    text(thing: Thing): { title: string; text: string }
    url(thing: Thing): string
  }
  /** Any thing; throws `not_found`. */
  get(db: Db, id: string): Promise<AnyEntry<Thing>>
  /** Where the site shows the thing; throws `not_found`. */
  findUrl(db: Db, id: string): Promise<string>
  /** The board of a thing; null for the first one. */
  findBoard(db: Db, id: string): Promise<string | null>
  /** Whether the search may have what is said of a thing: not in a closed board. */
  isShared(db: Db, id: string): Promise<boolean>
  insert(db: Transaction, thing: Thing & Partial<ViaColumn & Pick<Hideable, 'boardId'>>): Promise<void>
  /** Changes a row, hidden or not, its counters and the rows of its labels; gives the row before. */
  update(db: Transaction, id: string, changes: Changes<Thing>): Promise<StoredRow<Thing>>
  /** Removes a row that is locked. */
  remove(db: Transaction, row: StoredRow<Thing>): Promise<void>
  /** Hides a row that is locked, or shows it: its counters go along. */
  setHidden(db: Transaction, row: StoredRow<Thing>, hidden: number): Promise<void>
  /** Ids of an account's things after one, in order, hidden ones too. */
  listIdsOf(db: Db, of: { authorId: string; after: string; limit: number }): Promise<string[]>
  /** Gives a row that is locked to another author; no longer to an agent of the one before. */
  reassign(db: Transaction, row: StoredRow<Thing>, authorId: string): Promise<void>
  page(db: Db, wanted: ListParams): Promise<Page<Entry<Thing>>>
  /** Says that something happened to a thing that is locked; an older moment changes nothing. */
  touch(db: Transaction, id: string, at: string): Promise<void>
  /** How many things a list has under each value of each facet, with the others as wanted. */
  counts(db: Db, wanted: Omit<ListParams, 'sort' | 'page' | 'per_page' | 'q'>): Promise<FacetCounts>
}

export function storeOf<Schema extends RecordSchema, Parent extends string, Action extends string>(
  subject: ListedSubject<Schema, z.ZodRawShape, FeedKind, Parent, Action>,
): Store<z.output<Schema>, Parent, Action> {
  type Thing = z.output<Schema>
  const rows = rowsOf<StoredRow<Thing>>(subject, columnsOf(subject))
  const labelling = subject.labels && labellingOf(subject)
  const touch = touchingOf(subject)
  return {
    ...rows,
    subject,
    labelling,
    canLock: subject.thread?.includes('lock') ?? false,
    findUrl: async (db, id) => subject.url(await rows.getRow(db, id)),
    findBoard: async (db, id) => (subject.boards && (await rows.findAny(db, id))?.boardId) ?? null,
    async isShared(db, id) {
      const row = subject.boards && (await rows.findAny(db, id))
      return !row || !isInClosedBoard(row)
    },
    touch,
    async addCounts(db, id, { activeAt, ...delta }) {
      await rows.addCounts(db, id, delta)
      if (activeAt !== undefined) await touch(db, id, activeAt)
    },
    async addScores(db, scores) {
      await rows.addScores(db, scores)
      await labelling?.addScores(db, scores)
    },
    ...readsOf<Thing>(subject, labelling, rows),
    ...writesOf<Thing>(subject, labelling, rows),
  }
}

/** The part of a declaration that the queries of its rows need. */
type SubjectDeclaration = Pick<
  ListedSubject,
  'type' | 'table' | 'parent' | 'record' | 'filters' | 'permissions' | 'boards' | 'labels' | 'thread'
>

function readsOf<Thing>(
  subject: SubjectDeclaration,
  labelling: Labelling | undefined,
  { noSuchThing }: Pick<Rows<StoredRow<Thing>>, 'noSuchThing'>,
): Pick<Store<Thing>, 'get' | 'page' | 'counts' | 'listIdsOf'> {
  const { type, table } = subject
  const facets = facetsOf(subject)
  const all = entriesOf(subject)
  // Things of a blocked account are hidden in the background; until then they are left out here.
  const entries = (db: Db) => all(db).where('author.blockedAt', 'is', null)
  const entry = prepared((db, given: Bind<{ id: string }>) =>
    all(db)
      .select([`${table}.hidden`, 'author.blockedAt as authorBlockedAt'])
      .where(`${table}.id`, '=', given('id')),
  )

  const scan = scanOf(subject, labelling)

  return {
    async get(db, id) {
      const [found] = (await entry(db, { id })).rows
      if (!found) throw noSuchThing()
      return found as object as AnyEntry<Thing>
    },
    async page(db, { page, per_page, cursor, sort, by, ...given }) {
      const wanted = await resolveBoard(db, await resolveAssignee(db, { ...given, ...byFilter(by) }))
      const filters = spread(await resolveLabel(db, wanted), [...facets, LABELS])
      const group = groupOf(filters)
      const values = facets.map((name) => valueIn(filters, name))
      const found = await pageOf(
        db,
        { page, per_page, cursor, sort, q: wanted['q'] },
        {
          kind: type,
          filters,
          count: () =>
            isCountedByRows(filters)
              ? countFound(db, scan(db, filters, { sort, backwards: false }))
              : countBy((one) => countOf(db, { kind: type, group: one, facets: values }), group, by),
          scan: (on, places, order) => scan(on, places, { sort, ...order }),
          entries: (on, ids) => inOrder(entries(on).where(`${table}.id`, ...ids), { of: table, sort }),
        },
      )
      return found as object as Page<Entry<Thing>>
    },
    counts: countsOf(subject, scan),
    listIdsOf: idsByAuthor(subject.table),
  }
}

/** Selects the rows of a subject as its readers get them. */
function entriesOf(subject: SubjectDeclaration) {
  const { table, parent, record, permissions, boards = false } = subject
  const columns = Object.keys(record.shape).map((name) => `${table}.${name}` as `${typeof table}.id`)
  return (db: Db) =>
    db
      .selectFrom(table)
      .leftJoin('user as author', 'author.id', `${table}.authorId`)
      .select(columns)
      .select(['author.username as authorUsername', `${table}.score`, `${table}.viaClientId`])
      .$if('merge' in permissions, (query) => query.select('mergedCount'))
      .$if(boards, (query) => query.select('boardId'))
      .$if(parent !== undefined, (query) => query.select('commentCount'))
      .$if(parent === undefined, (query) => query.select(sql.lit(0).as('commentCount')))
}

function writesOf<Thing extends z.output<RecordSchema>>(
  subject: SubjectDeclaration,
  labelling: Labelling | undefined,
  { findLockedAny, noSuchThing }: Pick<Rows<StoredRow<Thing>>, 'findLockedAny' | 'noSuchThing'>,
): Pick<Store<Thing>, 'insert' | 'update' | 'remove' | 'setHidden' | 'reassign'> {
  const { type, table, parent } = subject
  const facets = facetsOf(subject)
  const counted = (thing: Thing & Partial<ViaColumn>, groups: readonly string[]): CountedThing => ({
    kind: type,
    groups: groupsWith(['all', groupOf({ authorId: thing.authorId }), ...groups], thing),
    facets: facets.map((name) => String(Reflect.get(thing, name))),
  })
  const groupsOf = async (db: Transaction, thing: Thing) => (await labelling?.groupsOf(db, thing)) ?? []

  return {
    async insert(db, thing) {
      const row = { ...thing, score: 0, ...(parent && { commentCount: 0 }) }
      await pipeline(db, db.insertInto(table).values(row as never))
      await increment(db, counted(thing, []))
    },
    async update(db, id, changes) {
      const before = await findLockedAny(db, id)
      if (!before) throw noSuchThing()
      const touched = touchedBy(subject, { before, changes })
      const after = { ...before, ...changes }
      await db
        .updateTable(table)
        .set({ ...changes, ...touched })
        .where('id', '=', id)
        .execute()
      const facts = Object.fromEntries(facets.map((name) => [name, Reflect.get(after, name)]))
      await labelling?.updateFacets(db, id, { ...facts, ...touched })
      if (before.hidden !== 0) return before
      const groups = await groupsOf(db, before)
      await recount(db, counted(before, groups), counted(after, groups))
      return before
    },
    async remove(db, row) {
      const groups = await groupsOf(db, row)
      await pipeline(db, db.deleteFrom(table).where('id', '=', row.id))
      if (row.hidden === 0) await decrement(db, counted(row, groups))
    },
    async setHidden(db, row, hidden) {
      await db.updateTable(table).set({ hidden }).where('id', '=', row.id).execute()
      await labelling?.updateFacets(db, row.id, { hidden })
      if ((row.hidden === 0) === (hidden === 0)) return
      const count = hidden === 0 ? increment : decrement
      await count(db, counted(row, await groupsOf(db, row)))
    },
    async reassign(db, row, authorId) {
      if (row.hidden === 0) await decrement(db, counted(row, await groupsOf(db, row)))
      await db.updateTable(table).set({ authorId, viaClientId: null }).where('id', '=', row.id).execute()
      await labelling?.updateFacets(db, row.id, { authorId })
      const after = { ...row, authorId, viaClientId: null }
      if (row.hidden === 0) await increment(db, counted(after, await groupsOf(db, after)))
    },
  }
}

/** The moment of a change of its text or its status, where lists are in the order of what happened last. */
function touchedBy(
  subject: Pick<ListedSubject, 'thread'>,
  { before, changes }: { before: object; changes: object },
): { touchedAt?: string } {
  const at: unknown = Reflect.get(changes, 'updatedAt') ?? Reflect.get(changes, 'editedAt')
  if (!hasActivity(subject) || typeof at !== 'string') return {}
  const last: unknown = Reflect.get(before, 'touchedAt')
  return typeof last === 'string' && last >= at ? {} : { touchedAt: at }
}
