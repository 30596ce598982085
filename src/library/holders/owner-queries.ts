// Owners, maintainers and invitations as they are stored. The row of an item, or of a team, guards those that belong to it.
import { sql } from 'kysely'
import { countRows } from '../../database/engine.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db, InvitationTable, MembershipTable, Transaction } from '../../database/schema.ts'

type Key = Pick<MembershipTable, 'itemId' | 'accountId'>

const columns = ['id', 'itemId', 'teamId', 'accountId', 'role', 'invitedBy', 'expiresAt'] as const
export type Invitation = Pick<InvitationTable, (typeof columns)[number]>

/** The people of an item with what everybody sees of them, those of longest standing first; not those that are blocked. */
export function listMembers(db: Db, itemId: string) {
  return db
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.accountId')
    .select(['user.id', 'user.username', 'user.name', 'membership.role', 'membership.since'])
    .where('membership.itemId', '=', itemId)
    .where('user.blockedAt', 'is', null)
    .orderBy('membership.since')
    .orderBy('user.id')
    .execute()
}

/** The owner of longest standing beside the account that an item belongs to. */
export function findNextOwner(db: Db, itemId: string, besides: string) {
  return db
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.accountId')
    .select(['membership.itemId', 'membership.accountId', 'membership.since'])
    .where('membership.itemId', '=', itemId)
    .where('membership.role', '=', 'owner')
    .where('membership.accountId', '<>', besides)
    .where('user.blockedAt', 'is', null)
    .orderBy('membership.since')
    .orderBy('membership.accountId')
    .limit(1)
    .executeTakeFirst()
}

/** What accounts are invited to. */
export interface PlaceKey {
  type: 'item' | 'team'
  id: string
}

/** Invitations to an item or a team. */
const invitationsTo = (db: Db, { type, id }: PlaceKey) =>
  type === 'item'
    ? db.selectFrom('invitation').where('itemId', '=', id)
    : db.selectFrom('invitation').where('teamId', '=', id).where('itemId', 'is', null)

/** How many people an item or a team has, those that are invited with them. */
export async function countPeople(db: Db, place: PlaceKey): Promise<number> {
  const people =
    place.type === 'item'
      ? db.selectFrom('membership').select('accountId').where('itemId', '=', place.id)
      : db.selectFrom('teamMember').select('accountId').where('teamId', '=', place.id)
  const invited = invitationsTo(db, place).select(sql<string>`"accountId"`.as('accountId'))
  return countRows(db.selectFrom(people.unionAll(invited).as('people')))
}

export const insertMembership = inTransaction.insertInto('membership')

export async function updateRole(
  db: Transaction,
  { itemId, accountId }: Key,
  role: MembershipTable['role'],
): Promise<void> {
  await db
    .updateTable('membership')
    .set({ role })
    .where('itemId', '=', itemId)
    .where('accountId', '=', accountId)
    .execute()
}

export async function deleteMembership(db: Transaction, { itemId, accountId }: Key): Promise<void> {
  await db.deleteFrom('membership').where('itemId', '=', itemId).where('accountId', '=', accountId).execute()
}

export const insertInvitation = inTransaction.insertInto('invitation')
export const findInvitation = plain.selectFrom('invitation', 'id', columns)

/** The same, locked until the transaction ends. */
export const lockInvitation = inTransaction.selectForUpdate('invitation', 'id', columns)

/** What waits of an item or a team, oldest first; by one inviter, where that is given. */
export function listInvitationsOf(db: Db, place: PlaceKey, invitedBy?: string): Promise<Invitation[]> {
  const all = invitationsTo(db, place).select(columns).orderBy('id')
  return (invitedBy === undefined ? all : all.where('invitedBy', '=', invitedBy)).execute()
}

/** Every invitation that names a team: to it, and of items that are offered to it. */
export const listNamingTeam = (db: Db, teamId: string) =>
  db.selectFrom('invitation').select('id').where('teamId', '=', teamId).orderBy('id').execute()

export const deleteMemberships = inTransaction.deleteFrom('membership', 'itemId')

export async function deleteInvitations(db: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('invitation').where('id', 'in', ids).execute()
}

/** Invitations with the names of those who sent and got them, and of the item and the team; only those that are still open. */
const shown = (db: Db, now: string) =>
  db
    .selectFrom('invitation')
    .leftJoin('libraryItem as item', 'item.id', 'invitation.itemId')
    .leftJoin('team', 'team.id', 'invitation.teamId')
    .leftJoin('user as invited', 'invited.id', 'invitation.accountId')
    .innerJoin('user as inviter', 'inviter.id', 'invitation.invitedBy')
    .select(['invitation.id', 'invitation.role', 'invitation.createdAt', 'invitation.expiresAt'])
    .select(['item.id as itemId', 'item.kind', 'item.slug', 'item.name'])
    .select(['team.slug as teamSlug', 'team.name as teamName'])
    .select(['invited.id as accountId', 'invited.username', 'invited.name as accountName'])
    .select(['inviter.id as inviterId', 'inviter.username as inviterUsername', 'inviter.name as inviterName'])
    .where('invitation.expiresAt', '>', now)
    .where('inviter.blockedAt', 'is', null)

export type ShownInvitation = Awaited<ReturnType<typeof listReceived>>[number]

/** What waits for an account or for a team that it owns, newest first. */
export const listReceived = (db: Db, accountId: string, { now, limit }: { now: string; limit: number }) =>
  shown(db, now)
    .where((row) =>
      row.or([
        row('invitation.accountId', '=', accountId),
        row.and([
          row('invitation.accountId', 'is', null),
          row(
            'invitation.teamId',
            'in',
            row
              .selectFrom('teamMember')
              .select('teamId')
              .where('accountId', '=', accountId)
              .where('role', '=', sql.lit('owner')),
          ),
        ]),
      ]),
    )
    .orderBy('invitation.id', 'desc')
    .limit(limit)
    .execute()

/** What waits of an item or a team, newest first. */
export function listSent(db: Db, { type, id }: PlaceKey, now: string) {
  const all = shown(db, now).orderBy('invitation.id', 'desc')
  if (type === 'item') return all.where('invitation.itemId', '=', id).execute()
  return all.where('invitation.teamId', '=', id).where('invitation.itemId', 'is', null).execute()
}

/** An invitation with what is shown of it; undefined where there is none, or where it has expired. */
export const findShown = (db: Db, id: string, now: string) =>
  shown(db, now).where('invitation.id', '=', id).executeTakeFirst()

/** Invitations that can no longer be accepted. Gives some of them. */
export const listExpired = (db: Db, now: string, limit: number) =>
  db
    .selectFrom('invitation')
    .select(['id', 'itemId', 'teamId'])
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .limit(limit)
    .execute()

/** Items of which an account is one of the people. */
export async function listItemsOf(db: Db, accountId: string, limit: number): Promise<string[]> {
  const rows = db.selectFrom('membership').select('itemId').where('accountId', '=', accountId).limit(limit)
  return (await rows.execute()).map(({ itemId }) => itemId)
}

/** Some invitations for an account or by it. */
export const listInvitationsNaming = (db: Db, accountId: string, limit: number) =>
  db
    .selectFrom('invitation')
    .select(['id', 'itemId', 'teamId'])
    .where((row) => row.or([row('accountId', '=', accountId), row('invitedBy', '=', accountId)]))
    .limit(limit)
    .execute()
