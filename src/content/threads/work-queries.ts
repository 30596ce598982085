// What is assigned to an account and open, over all kinds of things that can be assigned.
import { type RawBuilder, sql } from 'kysely'
import type { Range } from '../../database/cursor.ts'
import type { Db, TablesWith } from '../../database/schema.ts'

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

/** Things that show, of accounts that are not blocked. */
function rowsOf(kinds: readonly WorkKind[], userId: string): RawBuilder<WorkRow> {
  const parts = kinds.map(
    ({ type, table, open }) => sql`select t.id, ${sql.lit(type)} as type, t.status, s."dueOn",
      coalesce(s."dueOn", ${sql.lit(NO_DAY)}) as due
      from assignment a join ${sql.table(table)} t on t.id = a."thingId" left join "threadState" s on s.id = t.id
      join "user" u on u.id = t."authorId"
      where a."userId" = ${userId} and t.hidden = 0 and u."blockedAt" is null and t.status in (${sql.join(open)})`,
  )
  return sql<WorkRow>`(${sql.join(parts, sql` union all `)})`
}

/** The first due first; what has no day last. */
export async function listWork(
  db: Db,
  { kinds, userId }: { kinds: readonly WorkKind[]; userId: string },
  { offset, limit, after }: Range,
): Promise<WorkRow[]> {
  const behind = after ? sql`where (due, id) > (${after[0]}, ${after[1]})` : sql``
  const { rows } = await sql<WorkRow>`select id, type, status, "dueOn", due from ${rowsOf(kinds, userId)} work ${behind}
    order by due, id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countWork(db: Db, { kinds, userId }: { kinds: readonly WorkKind[]; userId: string }) {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${rowsOf(kinds, userId)} work`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** What the feed has of things: their numbers, titles and addresses. */
export const listHeads = (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db.selectFrom('feedEntry').select(['id', 'number', 'title', 'url', 'createdAt']).where('id', 'in', ids).execute()
