// Lists of one board: what a list goes by, and the rows it is of. The names of the filters tell queries apart (list-pages.ts).
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../database/schema.ts'
import { fold, hasParts } from '../../database/search.ts'
import { hiddenBy } from '../hiding/rules.ts'
import { type Board, boardBySlug } from './boards.ts'
import { boarded } from './contract.ts'
import { FIRST_BOARD, isClosed } from './rules.ts'

type Filters = Readonly<Record<string, string | undefined>>

/** Filters with the board that an address means; throws `not_found` for one that the running call does not read. */
export async function resolveBoard(db: Db, { board, ...filters }: Filters): Promise<Filters> {
  if (board === undefined) return filters
  return { ...filters, ...filtersOf(await boardBySlug(db, board)) }
}

/** The filter of a board. */
export function filtersOf(board: Pick<Board, 'id' | 'readers'>): Filters {
  if (board.id === FIRST_BOARD) return { firstBoard: '1' }
  return { [isClosed(board) ? 'closedBoard' : 'openBoard']: board.id }
}

/** Whether a list is of one board: it is counted by its rows. */
export const isOfBoard = ({ firstBoard, openBoard, closedBoard }: Filters): boolean =>
  (firstBoard ?? openBoard ?? closedBoard) !== undefined

/** Whether a list is of a closed board: no index of texts has what is in it. */
export const isOfClosed = ({ closedBoard }: Filters): boolean => closedBoard !== undefined

/** Whether a row of a table shows in the board of a list; without a board, whether everybody sees it. */
export function isShownIn(table: string, { firstBoard, openBoard, closedBoard }: Filters): RawBuilder<boolean> {
  const hidden = sql.ref(`${table}.hidden`)
  const boardId = sql.ref(`${table}.boardId`)
  if (closedBoard !== undefined) return sql`${boardId} = ${closedBoard} and ${hidden} = ${sql.lit(hiddenBy.board)}`
  if (openBoard !== undefined) return sql`${boardId} = ${openBoard} and ${hidden} = 0`
  if (firstBoard !== undefined) return sql`${hidden} = 0 and ${boardId} is null`
  return sql`${hidden} = 0`
}

/** Whether a row is about what shows in the board of a list: `type` and `id` are of a thing. */
export function isAboutShown(
  type: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  filters: Filters,
): RawBuilder<boolean> {
  const each = boarded.map(
    (one) => sql`when ${sql.lit(one)} then exists (select 1 from ${sql.table(one)}
      where ${sql.ref(`${one}.id`)} = ${id} and ${isShownIn(one, filters)})`,
  )
  return sql<boolean>`case ${type} ${sql.join(each, sql` `)} else 1 = 0 end`
}

/** The most matches of a search within a closed board. */
export const MAX_WITHIN = 300

/** Whether all these words are in columns of a row, in any case that the engine knows. */
export function hasWords(db: Db, columns: readonly string[], words: readonly string[]): RawBuilder<SqlBool> {
  const texts = columns.map((column) => sql.ref(column))
  return hasParts(db, [sql`lower(${sql.join(texts, sql` || ' ' || `)})`], words.map(fold))
}
