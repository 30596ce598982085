// Teams and their people as they are stored. The row of a team guards its people; who changes them locks it first, and an item before it.
import { type Selectable, sql } from 'kysely'
import { countRows, locking } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db, TeamHandoverTable, TeamMemberTable, TeamTable, Transaction } from '../../database/schema.ts'
import type { TeamRole } from '../items/rules.ts'

export type StoredTeam = Selectable<TeamTable>
type Key = Pick<TeamMemberTable, 'teamId' | 'accountId'>

const teamColumns = [
  ...['team.id', 'team.slug', 'team.name', 'team.description', 'team.hidden'],
  ...['team.createdAt', 'team.updatedAt'],
] as const
const teams = (db: Db) => db.selectFrom('team').select(teamColumns)

const memberColumns = ['teamId', 'accountId', 'role', 'shown'] as const
type Member = Pick<TeamMemberTable, (typeof memberColumns)[number]>

const byName = prepared((db, given: Bind<{ slug: string }>) =>
  teams(db)
    .innerJoin('slug', 'slug.targetId', 'team.id')
    .where('slug.kind', '=', sql.lit('team'))
    .where('slug.slug', '=', given('slug')),
)

/** A team by its slug of today, or one that it had before. */
export async function findTeam(db: Db, slug: string): Promise<StoredTeam | undefined> {
  return (await byName(db, { slug })).rows[0]
}

export const findTeamById = (db: Db, id: string): Promise<StoredTeam | undefined> =>
  teams(db).where('team.id', '=', id).executeTakeFirst()

/** The same, locked until the transaction ends. */
export const lockTeam = (db: Transaction, id: string): Promise<StoredTeam | undefined> =>
  locking(db, teams(db).where('team.id', '=', id)).executeTakeFirst()

export const insertTeam = inTransaction.insertInto('team')
export const updateTeam = inTransaction.updateTable('team', 'id')

/** Its people and invitations go with it by the schema. */
export const deleteTeam = inTransaction.deleteFrom('team', 'id')

/** Lets the background give items of a team to others. */
export async function insertHandover(db: Transaction, row: TeamHandoverTable): Promise<void> {
  await db
    .insertInto('teamHandover')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const some = prepared((db, given: Bind<{ limit: number }>) =>
  db
    .selectFrom('teamHandover')
    .select(['teamId', 'accountId'])
    .orderBy('teamId')
    .orderBy('accountId')
    .limit(given('limit')),
)

export const listHandovers = async (db: Db, limit: number): Promise<readonly TeamHandoverTable[]> =>
  (await some(db, { limit })).rows

export async function deleteHandover(db: Transaction, { teamId, accountId }: TeamHandoverTable): Promise<void> {
  await db.deleteFrom('teamHandover').where('teamId', '=', teamId).where('accountId', '=', accountId).execute()
}

export const deleteHandoversOf = plain.deleteFrom('teamHandover', 'accountId')

interface Counts {
  teamId: string
  members: number
  /** Items that everybody sees, and all. */
  listed: number
  items: number
}

const count = (of: string, where: string) => sql<number>`(select count(*) from ${sql.raw(of)} where ${sql.raw(where)})`

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
export async function listItemIds(
  db: Db,
  { teamId, accountId }: TeamHandoverTable,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = db.selectFrom('libraryItem').select('id').where('teamId', '=', teamId).where('id', '>', after)
  const some = accountId === '' ? rows : rows.where('ownerId', '=', accountId)
  return (await some.orderBy('id').limit(limit).execute()).map(({ id }) => id)
}

const member = prepared((db, given: Bind<Key>) =>
  db
    .selectFrom('teamMember')
    .select(memberColumns)
    .where('teamId', '=', given('teamId'))
    .where('accountId', '=', given('accountId')),
)

export async function findMember(db: Db, key: Key): Promise<Member | undefined> {
  return (await member(db, key)).rows[0]
}

/** The same, locked until the transaction ends: so long the account keeps its role. */
export const lockMember = (db: Transaction, { teamId, accountId }: Key): Promise<Member | undefined> =>
  locking(
    db,
    db.selectFrom('teamMember').select(memberColumns).where('teamId', '=', teamId).where('accountId', '=', accountId),
  ).executeTakeFirst()

export const findMemberById = plain.selectFrom('teamMember', 'id', ['teamId', 'accountId'])

/** The people of a team with what everybody sees of them, those of longest standing first; not those that are blocked. */
export const listMembers = (db: Db, teamId: string) =>
  db
    .selectFrom('teamMember as member')
    .innerJoin('user', 'user.id', 'member.accountId')
    .select(['user.id', 'user.username', 'user.name', 'member.role', 'member.since'])
    .where('member.teamId', '=', teamId)
    .where('user.blockedAt', 'is', null)
    .orderBy('member.since')
    .orderBy('member.id')
    .execute()

/** Ids of the accounts that own a team, those of longest standing first. */
export async function listOwnerIds(db: Db, teamId: string): Promise<string[]> {
  return (await listMembers(db, teamId)).filter(({ role }) => role === 'owner').map(({ id }) => id)
}

/** The one who follows where an account goes: of the others the owner of longest standing, otherwise the member of longest standing. */
export function findSuccessor(db: Db, { teamId, accountId }: Key) {
  return db
    .selectFrom('teamMember as member')
    .innerJoin('user', 'user.id', 'member.accountId')
    .select(['member.teamId', 'member.accountId', 'member.role'])
    .where('member.teamId', '=', teamId)
    .where('member.accountId', '<>', accountId)
    .where('user.blockedAt', 'is', null)
    .orderBy(sql`case member.role when 'owner' then 0 else 1 end`)
    .orderBy('member.since')
    .orderBy('member.id')
    .limit(1)
    .executeTakeFirst()
}

/** How many teams an account belongs to. */
export const countTeamsOf = (db: Db, accountId: string) =>
  countRows(db.selectFrom('teamMember').where('accountId', '=', accountId))

export const insertMember = inTransaction.insertInto('teamMember')

export async function updateMember(db: Transaction, { teamId, accountId }: Key, role: TeamRole): Promise<void> {
  await db
    .updateTable('teamMember')
    .set({ role })
    .where('teamId', '=', teamId)
    .where('accountId', '=', accountId)
    .execute()
}

export async function deleteMember(db: Transaction, { teamId, accountId }: Key): Promise<void> {
  await db.deleteFrom('teamMember').where('teamId', '=', teamId).where('accountId', '=', accountId).execute()
}

/** The memberships of an account, of the team of longest standing first: some of them. */
export const listMembershipsOf = (db: Db, accountId: string, limit: number) =>
  db
    .selectFrom('teamMember')
    .select(['id', ...memberColumns])
    .where('accountId', '=', accountId)
    .orderBy('id')
    .limit(limit)
    .execute()

/** The teams of an account with its role in each, by name; those that are hidden too. */
export const listTeamsOf = (db: Db, accountId: string) =>
  teams(db)
    .innerJoin('teamMember as member', 'member.teamId', 'team.id')
    .select(['member.role', 'member.shown'])
    .where('member.accountId', '=', accountId)
    .orderBy('team.name')
    .orderBy('team.id')
    .execute()

/** Teams that everybody sees, the newest first. */
export const listShownTeams = (
  db: Db,
  { before, offset, limit }: { before?: string | undefined; offset: number; limit: number },
): Promise<StoredTeam[]> =>
  teams(db)
    .where('team.hidden', '=', 0)
    .$if(before !== undefined, (rows) => rows.where('team.id', '<', String(before)))
    .orderBy('team.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()

/** Teams that everybody sees and that an account shows on its profile, by name. */
export const listProfileTeams = (db: Db, accountId: string): Promise<StoredTeam[]> =>
  teams(db)
    .innerJoin('teamMember as member', 'member.teamId', 'team.id')
    .where('member.accountId', '=', accountId)
    .where('member.shown', '=', 1)
    .where('team.hidden', '=', 0)
    .orderBy('team.name')
    .orderBy('team.id')
    .execute()

export async function updateShown(db: Transaction, { teamId, accountId }: Key, shown: 0 | 1): Promise<void> {
  await db
    .updateTable('teamMember')
    .set({ shown })
    .where('teamId', '=', teamId)
    .where('accountId', '=', accountId)
    .execute()
}
