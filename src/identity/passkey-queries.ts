// How passkeys and their challenges are stored. Locks are taken in one order: account, challenge, passkey.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { countChanged, countRows } from '../database/engine.ts'
import { inTransaction, plain } from '../database/rows.ts'
import type { Db, PasskeyChallengeTable, PasskeyTable, Transaction } from '../database/schema.ts'

const columns = ['id', 'userId', 'credentialId', 'transports', 'name', 'createdAt', 'lastUsedAt'] as const
export type StoredPasskey = Pick<Selectable<PasskeyTable>, (typeof columns)[number]>

/** What a signature is checked with. */
const keyColumns = ['id', 'userId', 'credentialId', 'publicKey', 'counter'] as const
export type PasskeyKey = Pick<Selectable<PasskeyTable>, (typeof keyColumns)[number]>

export type Challenge = Selectable<PasskeyChallengeTable>

export const insertChallenge = plain.insertInto('passkeyChallenge')

/** Deletes and returns the challenge of this purpose and account; only one caller ever gets it. */
export function deleteChallenge(db: Transaction, { challengeHash, purpose, userId }: Omit<Challenge, 'expiresAt'>) {
  return db
    .deleteFrom('passkeyChallenge')
    .where((e) => e.and({ challengeHash, purpose, userId }))
    .returning('expiresAt')
    .executeTakeFirst()
}

/** The new passkey, or undefined when its credential is known already, here or at another account. */
export function insertPasskey(db: Transaction, passkey: Insertable<PasskeyTable>): Promise<StoredPasskey | undefined> {
  return db
    .insertInto('passkey')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning(columns)
    .executeTakeFirst()
}

/** Oldest first. */
export function listPasskeys(db: Db, userId: string): Promise<StoredPasskey[]> {
  return db
    .selectFrom('passkey')
    .select(columns)
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export const countPasskeys = (db: Db, userId: string) =>
  countRows(db.selectFrom('passkey').where('userId', '=', userId))

/** Whether an admin has a passkey. */
export async function hasAdminWithPasskey(db: Db): Promise<boolean> {
  const admins = db
    .selectFrom('passkey')
    .innerJoin('user', 'user.id', 'passkey.userId')
    .where('user.role', '=', 'admin')
  const active = admins.where('blockedAt', 'is', null).where('deletionAt', 'is', null)
  return (await active.select('passkey.id').limit(1).executeTakeFirst()) !== undefined
}

export const findPasskey = plain.selectFrom('passkey', 'credentialId', keyColumns)
export const lockPasskey = inTransaction.selectForUpdate('passkey', 'id', keyColumns)

type Own = Pick<StoredPasskey, 'id' | 'userId'>

/** The passkey as it is now, or undefined when the account has none of that id. */
export function updatePasskey(db: Transaction, { id, userId }: Own, changes: Updateable<PasskeyTable>) {
  const update = db
    .updateTable('passkey')
    .set(changes)
    .where((e) => e.and({ id, userId }))
  return update.returning(columns).executeTakeFirst()
}

/** The passkey that was removed, or undefined when the account has none of that id. */
export function deletePasskey(db: Transaction, { id, userId }: Own): Promise<StoredPasskey | undefined> {
  return db
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning(columns)
    .executeTakeFirst()
}

/** Removes the account's passkeys that were added at a moment or later, and challenges to add one; returns the number of passkeys. */
export async function deletePasskeysOf(db: Transaction, userId: string, since = ''): Promise<number> {
  await db.deleteFrom('passkeyChallenge').where('userId', '=', userId).execute()
  return countChanged(db.deleteFrom('passkey').where('userId', '=', userId).where('createdAt', '>=', since))
}
