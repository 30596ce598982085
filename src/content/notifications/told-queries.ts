// Whether what happened was told of before.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/schema.ts'
import { boarded } from '../board-access/contract.ts'
import { hiddenBy } from '../hiding/rules.ts'
import { SET_ASIDE } from './rules.ts'

/** It was set aside, wherever its delivery stood. */
export const isAside = sql`place like ${sql.lit(`${SET_ASIDE}%`)}`

/** Whether a type is one of what boards have. */
export const ofBoards = (column: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} in (${sql.join(boarded.map((type) => sql.lit(type)))})`

/** Whether the thing of an event is in a closed board now. */
const isInClosed = sql<boolean>`(${sql.join(
  boarded.map(
    (table) => sql`exists (select 1 from ${sql.table(table)} t
      where t.id = event."targetId" and (t.hidden & ${sql.lit(hiddenBy.board)}) <> 0)`,
  ),
  sql` or `,
)})`

/** Whether members have heard of a thing or a comment, or would have if it had not been hidden at once. */
export async function wasToldOf(db: Db, of: { targetId: string } | { commentId: string }): Promise<boolean> {
  const first = sql.lit('commentId' in of ? 'comment' : 'created')
  const told = sql<boolean>`(kind in (${first}, 'shown') or ${isAside})`
  // Of a thing in a closed board only the readers of that board have one.
  const heard = sql<boolean>`(hidden = 0 or not ${ofBoards('targetType')} or ${isInClosed})`
  const events = db
    .selectFrom('event')
    .select('id')
    .where((e) => e.and(of))
    .where(told)
    .where(heard)
  return (await events.limit(1).executeTakeFirst()) !== undefined
}
