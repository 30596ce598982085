// Keys of the items that accounts may publish versions of, and of those of a team: few enough to be looked through.
import { sql } from 'kysely'
import { type Given, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'

const maintained = prepared((db, given: Given<{ accountId: string; limit: number }>) =>
  db
    .selectFrom('membership')
    .innerJoin('libraryItem as item', 'item.id', 'membership.itemId')
    .select('item.rowId')
    .where('membership.accountId', '=', given('accountId'))
    .unionAll(
      db
        .selectFrom('teamMember as member')
        .innerJoin('libraryItem as item', 'item.teamId', 'member.teamId')
        .select('item.rowId')
        .where('member.accountId', '=', given('accountId')),
    )
    .orderBy(sql`1`, 'desc')
    .limit(given('limit')),
)

/** Those that an account may publish versions of by a role, its own or one in a team: the newest, at most `limit`. */
export async function listMaintained(db: Db, accountId: string, limit: number): Promise<number[]> {
  return (await maintained(db, { accountId, limit })).rows.map(({ rowId }) => rowId)
}

const ofTeam = prepared((db, given: Given<{ slug: string; limit: number }>) =>
  db
    .selectFrom('slug')
    .innerJoin('team', 'team.id', 'slug.targetId')
    .innerJoin('libraryItem as item', 'item.teamId', 'team.id')
    .select('item.rowId')
    .where('slug.kind', '=', sql.lit('team'))
    .where('slug.slug', '=', given('slug'))
    .where('team.hidden', '=', sql.lit(0))
    .limit(given('limit')),
)

/** Those of a team that is not hidden, at most `limit`: none where there is no such team. */
export async function listOfTeam(db: Db, slug: string, limit: number): Promise<number[]> {
  return (await ofTeam(db, { slug, limit })).rows.map(({ rowId }) => rowId)
}
