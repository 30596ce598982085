// The people of teams as they are stored. Those who change them lock the row of the team first.
import { sql } from 'kysely'
import { countRows, locking } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db, TeamMemberTable, Transaction } from '../../database/schema.ts'
import type { TeamRole } from '../rules.ts'
import { type Key, type StoredTeam, teams } from './queries.ts'

const member = prepared((db, given: Given<Key>) =>
  db
    .selectFrom('teamMember')
    .selectAll()
    .where('teamId', '=', given('teamId'))
    .where('accountId', '=', given('accountId')),
)

export async function findMember(db: Db, key: Key): Promise<TeamMemberTable | undefined> {
  return (await member(db, key)).rows[0]
}

/** The same, locked until the transaction ends: so long the account keeps its role. */
export const lockMember = (db: Transaction, { teamId, accountId }: Key): Promise<TeamMemberTable | undefined> =>
  locking(
    db,
    db.selectFrom('teamMember').selectAll().where('teamId', '=', teamId).where('accountId', '=', accountId),
  ).executeTakeFirst()

export const findMemberById = plain.selectFrom('teamMember', 'id')

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
export function findSuccessor(db: Db, { teamId, accountId }: Key): Promise<TeamMemberTable | undefined> {
  return db
    .selectFrom('teamMember as member')
    .innerJoin('user', 'user.id', 'member.accountId')
    .selectAll('member')
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
export const listMembershipsOf = (db: Db, accountId: string, limit: number): Promise<TeamMemberTable[]> =>
  db.selectFrom('teamMember').selectAll().where('accountId', '=', accountId).orderBy('id').limit(limit).execute()

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
export const listShownTeams = (db: Db, { offset, limit }: { offset: number; limit: number }): Promise<StoredTeam[]> =>
  teams(db).where('team.hidden', '=', 0).orderBy('team.id', 'desc').offset(offset).limit(limit).execute()

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
