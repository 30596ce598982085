// Cases on what is in some boards: on things there, and on what members said of them.
import { type RawBuilder, sql } from 'kysely'
import { isAmong } from '../../database/engine.ts'
import type { Db } from '../../database/schema.ts'
import { boarded } from '../board-access/contract.ts'

type Cases = 'one' | 'moderationCase'

/** Whether a case is on something in these boards. */
export const isOnBoards = (db: Db, cases: Cases, boards: readonly string[]): RawBuilder<boolean> =>
  isPlaced(cases, isAmong(db, 'placed.boardId', JSON.stringify(boards)))

/** Whether a case is on something in the board of a list's filters: what is in the first one names none. */
export const isOnBoard = (
  cases: Cases,
  { openBoard, closedBoard }: Readonly<Record<string, string | undefined>>,
): RawBuilder<boolean> => {
  const id = openBoard ?? closedBoard
  return isPlaced(
    cases,
    id === undefined ? sql<boolean>`placed."boardId" is null` : sql<boolean>`placed."boardId" = ${id}`,
  )
}

function isPlaced(cases: Cases, inside: RawBuilder<boolean>): RawBuilder<boolean> {
  const target = sql.ref(`${cases}.targetId`)
  const each = boarded.map(
    (table) => sql`exists (select 1 from ${sql.table(table)} placed
      where placed.id in (${target}, (select said."targetId" from comment said where said.id = ${target})) and ${inside})`,
  )
  return sql<boolean>`(${sql.join(each, sql` or `)})`
}
