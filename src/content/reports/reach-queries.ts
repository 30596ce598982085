// Cases on what is in some boards: on things there, and on what members said of them.
import { type RawBuilder, sql } from 'kysely'
import { isAmong } from '../../database/engine.ts'
import type { Db } from '../../database/schema.ts'
import { boarded } from '../board-access/contract.ts'

/** Whether a case is on something in these boards. */
export function isOnBoards(db: Db, cases: 'one' | 'moderationCase', boards: readonly string[]): RawBuilder<boolean> {
  const target = sql.ref(`${cases}.targetId`)
  const inside = isAmong(db, 'placed.boardId', JSON.stringify(boards))
  const each = boarded.map(
    (table) => sql`exists (select 1 from ${sql.table(table)} placed
      where placed.id in (${target}, (select said."targetId" from comment said where said.id = ${target})) and ${inside})`,
  )
  return sql<boolean>`(${sql.join(each, sql` or `)})`
}
