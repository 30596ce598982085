// How many people and items teams have, and which items.
import { sql } from 'kysely'
import { countRows } from '../../database/engine.ts'
import type { Db, TeamHandoverTable } from '../../database/schema.ts'

interface Counts {
  teamId: string
  members: number
  /** Items that everybody sees, and all. */
  listed: number
  items: number
}

export const count = (of: string, where: string) =>
  sql<number>`(select count(*) from ${sql.raw(of)} where ${sql.raw(where)})`

/** How many people and items teams have. */
export async function countOfTeams(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Counts>> {
  if (ids.length === 0) return new Map()
  const people = '"teamMember" m join "user" u on u.id = m."accountId"'
  const items = 'i."teamId" = team.id'
  const rows = await db
    .selectFrom('team')
    .select('team.id as teamId')
    .select(count(people, 'm."teamId" = team.id and u."blockedAt" is null').as('members'))
    .select(count('"libraryItem" i', `${items} and i.listed = 1`).as('listed'))
    .select(count('"libraryItem" i', items).as('items'))
    .where('team.id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ teamId, members, listed, items }) => [
      teamId,
      { teamId, members: Number(members), listed: Number(listed), items: Number(items) },
    ]),
  )
}

export const countItems = (db: Db, teamId: string) =>
  countRows(db.selectFrom('libraryItem').where('teamId', '=', teamId))

/** Some items of a team: those that an account published, or all. */
export async function listItemIds(db: Db, { teamId, accountId }: TeamHandoverTable, limit: number): Promise<string[]> {
  const rows = db.selectFrom('libraryItem').select('id').where('teamId', '=', teamId)
  const some = accountId === '' ? rows : rows.where('ownerId', '=', accountId)
  return (await some.orderBy('id').limit(limit).execute()).map(({ id }) => id)
}
