// What has to be true of teams: their people have accounts, each of them has an owner, what they own is theirs, and none has more than it may.
// Each rule is one statement, so that the server may run. Items that are about to go on to others (teamHandover) are left out.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/schema.ts'
import { teamBounds } from '../library/library.ts'

const MAX_FOUND = 20
const count = (most: number) => sql.raw(String(most))

/** Whether an item `i` waits to go on to another account. */
const isGoingOn = sql`exists (select 1 from "teamHandover" h where h."teamId" = i."teamId"
  and h."accountId" in ('', i."ownerId"))`

/** Ids, with what is wrong with them. */
const rules: [sentence: string, ids: RawBuilder<unknown>][] = [
  [
    '(teamMember) has no account',
    sql`select m.id from "teamMember" m where not exists (select 1 from "user" u where u.id = m."accountId")`,
  ],
  [
    '(teamMember) is of a team that does not exist',
    sql`select m.id from "teamMember" m where not exists (select 1 from team t where t.id = m."teamId")`,
  ],
  [
    '(team) has no owner',
    sql`select t.id from team t where not exists (select 1 from "teamMember" m where m."teamId" = t.id and m.role = 'owner')`,
  ],
  [
    '(team) does not have its slug',
    sql`select t.id from team t where not exists (select 1 from slug s where s.kind = 'team' and s.slug = t.slug
      and s."targetId" = t.id)`,
  ],
  [
    '(libraryItem) belongs to a team that does not exist',
    sql`select i.id from "libraryItem" i where i."teamId" is not null and not ${isGoingOn}
      and not exists (select 1 from team t where t.id = i."teamId")`,
  ],
  [
    '(libraryItem) was published for a team to which its account does not belong',
    sql`select i.id from "libraryItem" i join team t on t.id = i."teamId" where not ${isGoingOn}
      and not exists (select 1 from "teamMember" m where m."teamId" = t.id and m."accountId" = i."ownerId")`,
  ],
  [
    '(libraryItem) belongs to a team and has owners or maintainers of its own',
    sql`select i.id from "libraryItem" i where i."teamId" is not null
      and exists (select 1 from membership m where m."itemId" = i.id)`,
  ],
  [
    `(team) has more than ${teamBounds.people} people`,
    sql`select "teamId" as id from "teamMember" group by "teamId" having count(*) > ${count(teamBounds.people)}`,
  ],
  [
    `(team) has more than ${teamBounds.items} items`,
    sql`select "teamId" as id from "libraryItem" where "teamId" is not null group by "teamId"
      having count(*) > ${count(teamBounds.items)}`,
  ],
  [
    `(user) belongs to more than ${teamBounds.teams} teams`,
    sql`select "accountId" as id from "teamMember" group by "accountId" having count(*) > ${count(teamBounds.teams)}`,
  ],
]

/** A sentence for each team, member or item against the rules, at most 20 for each rule. */
export async function listWrongTeams(db: Db): Promise<string[]> {
  const found: string[] = []
  for (const [sentence, ids] of rules) {
    const { rows } = await sql<{
      id: string
    }>`select id from (${ids}) wrong order by id limit ${sql.lit(MAX_FOUND)}`.execute(db)
    found.push(...rows.map(({ id }) => `${id} ${sentence}`))
  }
  return found
}
