// What is assigned to an account and open, over all kinds of things that can be assigned.
import { type RawBuilder, sql } from 'kysely'
import type { Range } from '../../database/cursor.ts'
import { isAmong } from '../../database/engine.ts'
import type { Db, TablesWith } from '../../database/schema.ts'
import { insideOf } from '../board-access/place-queries.ts'
import { hiddenBy } from '../hiding/rules.ts'

/** A kind of thing that can be assigned, and the statuses in which there is something to do. */
export interface WorkKind {
  type: string
  table: TablesWith<'id' | 'authorId'>
  open: readonly string[]
}

export interface WorkRow {
  id: string
  type: string
  status: string
  dueOn: string | null
  /** The day, or one after all others. */
  due: string
}

/** After every day. */
const NO_DAY = '9999-99-99'

interface Work {
  kinds: readonly WorkKind[]
  userId: string
  /** The closed boards that the account reads now: what is assigned to it in others is left out. */
  boards: readonly string[]
}

/** Things that show to who reads these boards, of accounts that are not blocked. */
function rowsOf(db: Db, { kinds, userId, boards }: Work): RawBuilder<WorkRow> {
  const inside = isAmong(db, 't.boardId', JSON.stringify(boards))
  const isShown =
    boards.length === 0
      ? sql`t.hidden = 0`
      : sql`(t.hidden = 0 or (t.hidden = ${sql.lit(hiddenBy.board)} and ${inside}))`
  const parts = kinds.map(
    ({ type, table, open }) => sql`select t.id, ${sql.lit(type)} as type, t.status, s."dueOn",
      coalesce(s."dueOn", ${sql.lit(NO_DAY)}) as due
      from assignment a join ${sql.table(table)} t on t.id = a."thingId" left join "threadState" s on s.id = t.id
      join "user" u on u.id = t."authorId"
      where a."userId" = ${userId} and ${isShown} and u."blockedAt" is null and t.status in (${sql.join(open)})`,
  )
  return sql<WorkRow>`(${sql.join(parts, sql` union all `)})`
}

/** The first due first; what has no day last. */
export async function listWork(db: Db, of: Work, { offset, limit, after }: Range): Promise<WorkRow[]> {
  const behind = after ? sql`where (due, id) > (${after[0]}, ${after[1]})` : sql``
  const { rows } = await sql<WorkRow>`select id, type, status, "dueOn", due from ${rowsOf(db, of)} work ${behind}
    order by due, id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countWork(db: Db, of: Work) {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${rowsOf(db, of)} work`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

const heads = ['id', 'number', 'title', 'url', 'createdAt'] as const

/** The numbers, titles and addresses of things that everybody sees, and of those in these closed boards. */
export async function listHeads(db: Db, ids: readonly string[], boards: readonly string[]) {
  if (ids.length === 0) return []
  const shown = await db.selectFrom('feedEntry').select(heads).where('id', 'in', ids).execute()
  if (boards.length === 0 || shown.length === ids.length) return shown
  const inside = await db.selectFrom(insideOf(db, boards).as('one')).select(heads).where('id', 'in', ids).execute()
  return [...shown, ...inside]
}
