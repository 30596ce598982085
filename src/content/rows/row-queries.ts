// The rows of a subject as far as votes, comments and hiding need them, built once for each subject. What is hidden is not found here:
// only what asks for it by name gets it.
import { sql } from 'kysely'
import type { FeedKind } from '../../contract/kinds.ts'
import { Problem } from '../../contract/problem.ts'
import { isWithinReach, standingIn } from '../../contract/standing.ts'
import { among, locking, locksRows } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Database, Db, TablesWith, Transaction } from '../../database/schema.ts'
import type { Caller } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { additionTo } from '../counter-queries.ts'
import { hiddenBy, shows } from '../hiding/rules.ts'
import { hasActivity, type ListedSubject, moderatesBoardOf, type Subject } from '../subject.ts'
import type { ActiveAt, Counts, Score } from '../things.ts'

// When something happened last to a thing: a column of its row, which the rows of its labels repeat (database/schema-community.ts).

type Touch = (db: Transaction, id: string, at: string) => Promise<void>
type Touched = { id: string; at: string }
/** The tables that have the column, by the column of the thing. */
type ActiveTable = Extract<keyof Database, 'bug' | 'feature' | 'post' | `${FeedKind}Label`>

const touchOf = (table: ActiveTable, id: string) =>
  prepared(
    (db, given: Bind<Touched>) =>
      db
        .updateTable(table as 'bug')
        .set({ touchedAt: given('at') })
        .where(id as 'id', '=', given('id'))
        .where('activeAt', '<', given('at')),
    { pipelined: true },
  )

/** Says that something happened to a thing that is locked; an older moment changes nothing. Nothing of what has no such order. */
export function touchingOf({
  table,
  thread,
  parent,
  labels,
}: Pick<Subject, 'table' | 'thread' | 'parent' | 'labels'>): Touch {
  if (!hasActivity({ thread })) return async () => {}
  const thing = touchOf(table as ActiveTable, 'id')
  const labelled = labels && touchOf(labels.table as ActiveTable, parent ?? 'id')
  return async (db, id, at) => {
    await thing(db, { id, at })
    await labelled?.(db, { id, at })
  }
}

/** When the author of a row was blocked; null for an account that is not. */
export const authorBlockedAt = (author: string) =>
  sql<string | null>`(select "blockedAt" from "user" where id = ${sql.ref(author)})`.as('authorBlockedAt')

/** When comments on a thing were locked; null where they are not. */
const commentsLockedAt = (thing: string) =>
  sql<string | null>`(select "lockedAt" from "threadState" where "threadState".id = ${sql.ref(thing)})`.as(
    'commentsLockedAt',
  )

/** 0 for what shows; otherwise why it does not (hiding/rules.ts). */
export interface Hideable {
  hidden: number
  /** The board that it is in, where its kind is in boards; null for the first one. */
  boardId?: string | null
}

/** The rows of a subject, as far as votes and comments need them. */
export interface Rows<Row> {
  type: string
  follow: boolean
  noSuchThing(): Problem
  /** Locks a row until the transaction ends, if there is one that is not hidden. */
  findLocked(db: Transaction, id: string): Promise<Row | undefined>
  /** The same for a row that may be hidden. */
  findLockedAny(db: Transaction, id: string): Promise<Row | undefined>
  /** The same with what says whether it shows. */
  findLockedSeen(db: Transaction, id: string): Promise<(Row & OfBlocked) | undefined>
  /** Locks a row until the transaction ends; throws `not_found`, and `forbidden` to a member who comments where comments are locked. */
  lock(db: Transaction, id: string, commenter?: Commenter): Promise<Row>
  /** Locks several in the order of their ids, in any board; gives those that are there. */
  lockAll(db: Transaction, ids: readonly string[]): Promise<Score[]>
  /** Adds to what is counted of a thing; `activeAt` says when what is added happened. */
  addCounts(db: Transaction, id: string, delta: Partial<Counts> & ActiveAt): Promise<void>
  /** Adds to the scores of rows that are locked. */
  addScores(db: Transaction, scores: readonly Score[]): Promise<void>
  countComments(db: Db, id: string): Promise<number>
  /** A row, hidden or not. */
  findAny(db: Db, id: string): Promise<Row | undefined>
  /** Throws `not_found`. */
  getRow(db: Db, id: string): Promise<Row>
}

interface OfAuthor {
  authorId: string
  after: string
  limit: number
}

/** Lists ids of what an account wrote after one, in order, hidden ones too. */
export const idsByAuthor =
  (table: TablesWith<'id' | 'authorId'>) =>
  async (db: Db, { authorId, after, limit }: OfAuthor): Promise<string[]> => {
    const ids = db.selectFrom(table).select('id').where('authorId', '=', authorId).where('id', '>', after)
    return (await ids.orderBy('id').limit(limit).execute()).map(({ id }) => id)
  }

export interface OfBlocked {
  authorBlockedAt: string | null
  /** When comments on it were locked, where that is asked. */
  commentsLockedAt?: string | null
}

/** Who writes a comment. */
export type Commenter = Pick<Caller, 'role'>

/** What is stored of a row. */
export function storedOf<Row>(found: Row & OfBlocked): Row {
  const { authorBlockedAt: _, commentsLockedAt: __, ...row } = found
  return row as Row
}

function fail(problem: Problem): never {
  throw problem
}

/** The row, for a new comment; refuses a member where comments are locked, and who does not write in its board. */
function openTo<Row extends OfBlocked & Hideable>(row: Row, commenter: Commenter | undefined): Row {
  if (row.commentsLockedAt && !moderatesBoardOf(row)) throw new Problem('forbidden', 'Locked')
  if (commenter && row.boardId != null && !standingIn(row.boardId).write)
    throw new Problem('forbidden', 'Others write in this board')
  return row
}

/**
 * Locks a row and reads it with what says whether comments are locked: by two statements, sent together. One alone does not see on
 * PostgreSQL what was committed while it waited for the row.
 */
function lockedForComment<Row>(table: NonNullable<Subject['table']>, selected: (db: Db) => ReturnType<typeof rowsIn>) {
  const lock = prepared(
    (db, given: Bind<{ id: string }>) => locking(db, db.selectFrom(table).select('id').where('id', '=', given('id'))),
    { pipelined: true },
  )
  const read = prepared((db, given: Bind<{ id: string }>) =>
    selected(db)
      .select(commentsLockedAt(`${table}.id`))
      .where('id', '=', given('id')),
  )
  return async (db: Transaction, id: string) => {
    if (locksRows(db)) await lock(db, { id })
    return (await read(db, { id })).rows as object[] as (Row & OfBlocked)[]
  }
}

/** A row that was locked to be changed. Throws `forbidden` where a moderator of boards has no say over it. */
function withinReach<Row extends Hideable>(row: Row): Row {
  if (!isWithinReach(row.boardId)) throw new Problem('forbidden', 'Forbidden')
  return row
}

interface RowColumns {
  columns: readonly string[]
  /** The column of its author. */
  author: string
  hasComments: boolean
}

const rowsIn = (db: Db, table: NonNullable<Subject['table']>, { columns, author, hasComments }: RowColumns) =>
  db
    .selectFrom(table)
    .select(columns.map((name) => sql.ref(name).as(name)))
    .select(authorBlockedAt(author))
    .$if(!hasComments, (rows) => rows.select(sql.lit(0).as('commentCount')))

const rowIn = <Row>(found: (Row & OfBlocked) | undefined): Row | undefined => found && storedOf<Row>(found)

/** Rows that have no votes and comments: they are not found. The columns `by` tell which. */
interface HiddenRule<Row, Column extends keyof Row> {
  by: readonly Column[]
  isHidden(row: Pick<Row, Column>): boolean
}

/** For several callers at once: each has looked by itself whether it reads the board. */
const inAnyBoard = <Row extends Hideable>(row: Row): Row => ({ ...row, hidden: row.hidden & ~hiddenBy.board })

export function rowsOf<Row extends Counts & Hideable, Column extends keyof Row & string = never>(
  subject: Pick<Subject, 'type' | 'one' | 'table' | 'author' | 'parent' | 'follow'> &
    Pick<Partial<ListedSubject>, 'thread'>,
  columns: readonly string[],
  { by, isHidden }: HiddenRule<Row, Column> = { by: [], isHidden: () => false },
): Rows<Row> {
  const { type, one, parent, follow = false, thread = [] } = subject
  const table = required(subject.table)
  const author = `${table}.${subject.author ?? 'authorId'}`
  type FoundRow = Row & OfBlocked
  const isShown = (row: FoundRow) => shows(row) && !isHidden(row)
  const noSuchThing = () => new Problem('not_found', `No such ${one.replace(/^an? /, '')}`)
  const selected = (db: Db) => rowsIn(db, table, { columns, author, hasComments: parent !== undefined })
  const read = prepared((db, given: Bind<{ id: string }>) => selected(db).where('id', '=', given('id')))
  const locked = prepared((db, given: Bind<{ id: string }>) => locking(db, selected(db).where('id', '=', given('id'))))
  const lockedRows = async (db: Transaction, id: string) =>
    ((await locked(db, { id })).rows as object[] as FoundRow[]).map(withinReach)
  const forComment = lockedForComment<Row>(table, selected)
  const allLocked = prepared((db, given: Bind<{ ids: string }>) =>
    locking(
      db,
      db
        .selectFrom(table)
        .select(['id', 'score', 'hidden'])
        .select(authorBlockedAt(author))
        .select(by.map((name) => sql.ref(name).as(name)))
        .where('id', ...among(db, given('ids')))
        .orderBy('id'),
    ),
  )
  const add = additionTo(table, { comments: parent !== undefined })
  const rows: Rows<Row> = {
    type,
    follow,
    noSuchThing,
    findLocked: async (db, id) => rowIn<Row>((await lockedRows(db, id)).find(isShown)),
    findLockedSeen: async (db, id) => (await lockedRows(db, id))[0],
    findLockedAny: async (db, id) => rowIn<Row>((await lockedRows(db, id))[0]),
    lock: async (db, id, commenter) => {
      const asksLock = commenter?.role === 'member' && thread.includes('lock')
      const found = asksLock ? await forComment(db, id) : await lockedRows(db, id)
      return storedOf<Row>(openTo(found.find(isShown) ?? fail(noSuchThing()), commenter))
    },
    async lockAll(db, ids) {
      const { rows } = await allLocked(db, { ids: JSON.stringify(ids) })
      return (rows as object[] as (Score & FoundRow)[]).filter((row) => isShown(inAnyBoard(row)))
    },
    addCounts: (db, id, delta) => add(db, [{ id, ...delta }]),
    addScores: add,
    findAny: async (db, id) => rowIn<Row>(((await read(db, { id })).rows as object[] as FoundRow[])[0]),
    async getRow(db, id) {
      const row = rowIn<Row>(((await read(db, { id })).rows as object[] as FoundRow[]).find(isShown))
      if (!row) throw noSuchThing()
      return row
    },
    countComments: async (db, id) => (await rows.getRow(db, id)).commentCount,
  }
  return rows
}
