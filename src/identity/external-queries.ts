// How accounts at an external provider are stored: by issuer and subject, never by address. Locks are taken in one order: account, identity.
import type { Selectable } from 'kysely'
import { inTransaction, plain } from '../database/rows.ts'
import type { Db, ExternalIdentityTable, Transaction } from '../database/schema.ts'

export type ExternalIdentity = Selectable<ExternalIdentityTable>

/** Stores the link; false when the external account signs in to an account already. */
export async function insertExternalIdentity(db: Transaction, identity: ExternalIdentity): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('externalIdentity')
    .values(identity)
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export function findExternalIdentity(db: Db, of: Pick<ExternalIdentity, 'issuer' | 'subject'>) {
  return db
    .selectFrom('externalIdentity')
    .select(['id', 'userId'])
    .where((e) => e.and({ issuer: of.issuer, subject: of.subject }))
    .executeTakeFirst()
}

/** Oldest first. */
export function listExternalIdentities(db: Db, userId: string) {
  const columns = ['id', 'issuer', 'subject', 'email', 'createdAt', 'lastUsedAt'] as const
  return db.selectFrom('externalIdentity').select(columns).where('userId', '=', userId).orderBy('id').execute()
}

export const updateExternal = inTransaction.updateTable('externalIdentity', 'id')

/** What a server said of the accounts there that sign in to one here. */
export const listTold = (db: Db, { userId, issuer }: Pick<ExternalIdentity, 'userId' | 'issuer'>) =>
  db
    .selectFrom('externalIdentity')
    .select(['sourceId', 'username', 'toldAt'])
    .where((e) => e.and({ userId, issuer }))
    .orderBy('id')
    .execute()

export function deleteExternalIdentity(db: Transaction, { id, userId }: Pick<ExternalIdentity, 'id' | 'userId'>) {
  const own = db.deleteFrom('externalIdentity').where((e) => e.and({ id, userId }))
  return own.returning('issuer').executeTakeFirst()
}

/** Whether an admin used an account at this issuer, since a moment if there is one: connected it or signed in with it. */
export async function hasAdminAt(db: Db, issuer: string, since: string | undefined): Promise<boolean> {
  const admins = db.selectFrom('externalIdentity').innerJoin('user', 'user.id', 'externalIdentity.userId')
  const active = admins.where('user.role', '=', 'admin').where('blockedAt', 'is', null).where('deletionAt', 'is', null)
  const there = active.select('externalIdentity.id').where('issuer', '=', issuer)
  const used = there.$if(since !== undefined, (all) =>
    all.where((e) => e.or([e('lastUsedAt', '>=', since ?? ''), e('externalIdentity.createdAt', '>=', since ?? '')])),
  )
  const found = used.limit(1)
  return (await found.executeTakeFirst()) !== undefined
}

/** Returns the number of removed links. */
export const deleteExternalIdentitiesOf = plain.deleteCounted('externalIdentity', 'userId')
