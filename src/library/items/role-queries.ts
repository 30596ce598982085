// What accounts are to items: by themselves, and by a role in the team that holds an item.
import { sql } from 'kysely'
import { among } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db, MembershipTable } from '../../database/schema.ts'

type Membership = Pick<MembershipTable, 'itemId' | 'accountId'>

const membership = prepared((db, given: Bind<Membership>) =>
  db
    .selectFrom('membership')
    .select(['itemId', 'accountId', 'role'])
    .where('itemId', '=', given('itemId'))
    .where('accountId', '=', given('accountId')),
)

export async function findMembership(db: Db, key: Membership) {
  return (await membership(db, key)).rows[0]
}

const rolesOn = prepared(
  (db, given: Bind<{ accountId: string; items: string }>) =>
    db
      .selectFrom('membership')
      .select(['itemId', 'role'])
      .where('accountId', '=', given('accountId'))
      .where('itemId', ...among(db, given('items')))
      .unionAll(
        db
          .selectFrom('libraryItem as item')
          .innerJoin('teamMember as member', 'member.teamId', 'item.teamId')
          .select(['item.id as itemId', rolesInTeams])
          .where('member.accountId', '=', given('accountId'))
          .where('item.id', ...among(db, given('items'))),
      ),
  { cached: true },
)

/** What roles in a team are on its items (teams/rules.ts). */
const rolesInTeams = sql<MembershipTable['role']>`case member.role when 'owner' then 'owner' else 'maintainer' end`.as(
  'role',
)

/** The roles of an account on these items, where it has one. */
export async function listRoles(
  db: Db,
  accountId: string,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, MembershipTable['role']>> {
  const { rows } = await rolesOn(db, { accountId, items: JSON.stringify(itemIds) })
  return new Map(rows.map(({ itemId, role }) => [itemId, role]))
}
