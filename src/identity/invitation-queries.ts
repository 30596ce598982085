// How links that invite are stored, and who used them. A use is counted by the update that checks that the link is good, so that no more count than may.
import { type Selectable, sql } from 'kysely'
import { countChanged } from '../database/engine.ts'
import { deleteUntil } from '../database/expiry.ts'
import { inTransaction } from '../database/rows.ts'
import type { Db, InvitationLinkTable, Transaction } from '../database/schema.ts'

const columns = ['id', 'role', 'createdById', 'createdAt', 'expiresAt', 'maxUses', 'uses', 'revokedAt'] as const
export type InvitationLink = Pick<Selectable<InvitationLinkTable>, (typeof columns)[number]> & {
  boardId: string | null
}

/** By the keyed hash of its secret, at a time. */
interface LinkRequest {
  tokenHash: string
  now: string
}

/** The board that a link of this table invites to; null for none. */
const boardId = sql<string | null>`(select "boardId" from "boardInvitation" where "linkId" = "invitationLink".id)`.as(
  'boardId',
)

export const insertLinkBoard = inTransaction.insertInto('boardInvitation')
export const insertLink = inTransaction.insertInto('invitationLink')
export const insertUse = inTransaction.insertInto('invitationUse')

/** With who made them, newest first: ids sort by when they were made. */
export function listLinks(
  db: Db,
  { before, offset, limit }: { before: string | undefined; offset: number; limit: number },
) {
  const made = db.selectFrom('invitationLink').innerJoin('user', 'user.id', 'invitationLink.createdById')
  return made
    .select(columns.map((name) => `invitationLink.${name}` as const))
    .select(boardId)
    .select(['user.username as createdUsername', 'user.name as createdName'])
    .$if(before !== undefined, (rows) => rows.where('invitationLink.id', '<', String(before)))
    .orderBy('invitationLink.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Who used these links, newest first. */
export async function listUses(db: Db, linkIds: readonly string[]) {
  if (linkIds.length === 0) return []
  return db
    .selectFrom('invitationUse')
    .innerJoin('user', 'user.id', 'invitationUse.userId')
    .select(['invitationUse.linkId', 'user.id', 'user.username', 'user.name', 'invitationUse.usedAt'])
    .where('invitationUse.linkId', 'in', linkIds)
    .orderBy('invitationUse.usedAt', 'desc')
    .orderBy('user.id')
    .execute()
}

/** Those that can still be used, as far as their row says. */
export async function countOpenLinks(db: Db, now: string): Promise<number> {
  const open = db.selectFrom('invitationLink').select('id').where('expiresAt', '>', now).where('revokedAt', 'is', null)
  return (await open.whereRef('uses', '<', 'maxUses').execute()).length
}

/** Admins whose power a link has: it was made since the moment of the account, or on it (credentials.ts). */
const admins = (db: Db) =>
  db
    .selectFrom('user')
    .select('id')
    .where('role', '=', 'admin')
    .where('blockedAt', 'is', null)
    .where('deletionAt', 'is', null)
    .where((e) =>
      e.or([
        e('credentialsValidFrom', 'is', null),
        e('credentialsValidFrom', '<=', sql.ref<string>('invitationLink.createdAt')),
      ]),
    )

/** A link that is good now: neither over, nor used up, nor revoked, and made by who is an admin still. */
export function findGoodLink(db: Db, { tokenHash, now }: LinkRequest): Promise<InvitationLink | undefined> {
  return db
    .selectFrom('invitationLink')
    .select(columns)
    .select(boardId)
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .where('revokedAt', 'is', null)
    .whereRef('uses', '<', 'maxUses')
    .where('createdById', 'in', admins(db))
    .executeTakeFirst()
}

/** Counts a use of a good link; undefined where it is not good any more. */
export function countUse(db: Transaction, { tokenHash, now }: LinkRequest): Promise<InvitationLink | undefined> {
  return db
    .updateTable('invitationLink')
    .set((e) => ({ uses: e('uses', '+', 1) }))
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .where('revokedAt', 'is', null)
    .whereRef('uses', '<', 'maxUses')
    .where('createdById', 'in', admins(db))
    .returning(columns)
    .returning(boardId)
    .executeTakeFirst()
}

/** Whether the account used this link. */
export async function hasUsed(db: Db, { tokenHash, userId }: { tokenHash: string; userId: string }): Promise<boolean> {
  const own = db
    .selectFrom('invitationUse')
    .innerJoin('invitationLink', 'invitationLink.id', 'invitationUse.linkId')
    .select('linkId')
    .where('tokenHash', '=', tokenHash)
  return (await own.where('userId', '=', userId).executeTakeFirst()) !== undefined
}

/** Ends all links of an account, for good. */
export async function revokeLinksOf(db: Transaction, userId: string, now: string): Promise<void> {
  const open = db.updateTable('invitationLink').set({ revokedAt: now }).where('createdById', '=', userId)
  await open.where('revokedAt', 'is', null).execute()
}

/** Ends a link; false where it has ended, or there is none. */
export async function revokeLink(db: Transaction, id: string, now: string): Promise<boolean> {
  const open = db.updateTable('invitationLink').set({ revokedAt: now }).where('id', '=', id)
  return (await countChanged(open.where('revokedAt', 'is', null))) > 0
}

/** Deletes links that ended until then, by their time, a revocation or their last use, and with each of them who used it. */
export async function deleteEndedLinks(db: Db, until: string): Promise<void> {
  const links = { table: 'invitationLink', key: 'id' } as const
  await deleteUntil(db, { ...links, since: 'expiresAt' }, until)
  await deleteUntil(db, { ...links, since: 'revokedAt' }, until)
  const usedLater = sql`select 1 from "invitationUse" where "linkId" = "invitationLink"."id" and "usedAt" > ${until}`
  const isUsedUp = sql<boolean>`"uses" >= "maxUses" and not exists (${usedLater})`
  await deleteUntil(db, { ...links, since: 'createdAt', where: isUsedUp }, until)
  const isThere = sql<boolean>`exists (select 1 from "invitationLink" where id = "boardInvitation"."linkId")`
  await db
    .deleteFrom('boardInvitation')
    .where((e) => e.not(isThere))
    .execute()
}
