// Boards as they are stored, and what is in them.
import { sql } from 'kysely'
import { countRows, isAmong, locking, sharing } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { BoardTable, Db, Transaction } from '../../database/schema.ts'
import { hiddenBy } from '../hiding/rules.ts'

const columns = [
  ...(['id', 'slug', 'name', 'description', 'position', 'readers', 'writers', 'moderators'] as const),
  ...(['agents', 'statuses', 'labels', 'createdAt', 'updatedAt', 'archivedAt'] as const),
] as const

const all = prepared(
  (db, _given: Bind<object>) => db.selectFrom('board').select(columns).orderBy('position').orderBy('slug'),
  { cached: true },
)

/** Every board with a row, by its position: there are few, and they are read from memory until one changes. */
export const listBoards = async (db: Db): Promise<readonly BoardTable[]> => (await all(db, {})).rows

/** The boards as they are now, locked against other changes of boards. */
export async function lockBoards(db: Transaction): Promise<BoardTable[]> {
  return locking(db, db.selectFrom('board').select(columns).orderBy('id')).execute()
}

/** Keeps the boards as they are until the transaction ends. It comes before every lock of a thing, as `lockBoards` does. */
export async function holdBoards(db: Transaction): Promise<void> {
  await sharing(db, db.selectFrom('board').select('id').orderBy('id')).execute()
}

export const insertBoard = inTransaction.insertInto('board')
export const updateBoard = inTransaction.updateTable('board', 'id')
export const deleteBoard = inTransaction.deleteFrom('board', 'id')

export const THINGS = ['bug', 'feature', 'post', 'release'] as const
export type BoardedTable = (typeof THINGS)[number]

/** Some things of a board, with their types, hidden ones too: no more than `limit`. */
export async function listInBoard(
  db: Db,
  { boardId, limit }: { boardId: string; limit: number },
): Promise<{ type: BoardedTable; id: string }[]> {
  const each = THINGS.map(
    (table) => sql`select ${sql.lit(table)} as type, id from ${sql.table(table)} where "boardId" = ${boardId}`,
  )
  const { rows } = await sql<{
    type: BoardedTable
    id: string
  }>`select type, id from (${sql.join(each, sql` union all `)}) found
    limit ${limit}`.execute(db)
  return rows
}

/** Those of these things that are in closed boards. */
export async function listClosed(db: Db, ids: readonly string[]): Promise<ReadonlySet<unknown>> {
  const those = JSON.stringify(ids)
  const each = THINGS.map(
    (table) => sql`select id from ${sql.table(table)} where ${isAmong(db, 'id', those)}
      and (hidden & ${sql.lit(hiddenBy.board)}) <> 0`,
  )
  const { rows } = await sql<{ id: string }>`${sql.join(each, sql` union all `)}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** How many of these labels there are. */
export const countLabels = (db: Db, ids: readonly string[]): Promise<number> =>
  countRows(db.selectFrom('label').where('id', 'in', ids))

/** How many teams have one of these slugs. */
export const countTeams = (db: Db, slugs: readonly string[]): Promise<number> =>
  countRows(db.selectFrom('team').where('slug', 'in', slugs).where('hidden', '=', 0))

/** What rules of boards go by, of some accounts. */
export async function listRuledAccounts(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('user')
    .select(['id', 'role', 'externalGroups'])
    .where(isAmong(db, 'id', JSON.stringify(ids)))
    .execute()
}

/** Which of these accounts are in which teams, by the slugs of these. */
export async function listTeamsOf(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('teamMember')
    .innerJoin('team', 'team.id', 'teamMember.teamId')
    .select(['teamMember.accountId', 'team.slug'])
    .where(isAmong(db, 'teamMember.accountId', JSON.stringify(ids)))
    .where('team.hidden', '=', 0)
    .execute()
}

/** Those of these accounts that are invited to a board. */
export async function listInvited(db: Db, boardId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('boardMember')
    .select('userId')
    .where('boardId', '=', boardId)
    .where(isAmong(db, 'userId', JSON.stringify(ids)))
    .execute()
  return new Set(rows.map(({ userId }) => userId))
}

const teamsOf = prepared(
  (db, given: Bind<{ accountId: string }>) =>
    db
      .selectFrom('teamMember')
      .innerJoin('team', 'team.id', 'teamMember.teamId')
      .select('team.slug')
      .where('teamMember.accountId', '=', given('accountId'))
      .where('team.hidden', '=', 0),
  { cached: true },
)

/** The slugs of the teams of an account. */
export const listTeamSlugs = async (db: Db, accountId: string): Promise<string[]> =>
  (await teamsOf(db, { accountId })).rows.map(({ slug }) => slug)
