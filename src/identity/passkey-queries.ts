// How passkeys and their challenges are stored. Locks are taken in one order: account, challenge, passkey.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { countChanged, countRows } from '../database/engine.ts'
import { inTransaction, plain } from '../database/rows.ts'
import type { Db, PasskeyChallengeTable, PasskeyTable, Transaction } from '../database/schema.ts'

export type StoredPasskey = Selectable<PasskeyTable>
export type Challenge = Selectable<PasskeyChallengeTable>

export const insertChallenge = plain.insertInto('passkeyChallenge')

/** Deletes and returns the challenge of this purpose and account; only one caller ever gets it. */
export function deleteChallenge(db: Transaction, { challengeHash, purpose, userId }: Omit<Challenge, 'expiresAt'>) {
  return db
    .deleteFrom('passkeyChallenge')
    .where((e) => e.and({ challengeHash, purpose, userId }))
    .returningAll()
    .executeTakeFirst()
}

/** The new passkey, or undefined when its credential is known already, here or at another account. */
export function insertPasskey(db: Transaction, passkey: Insertable<PasskeyTable>): Promise<StoredPasskey | undefined> {
  return db
    .insertInto('passkey')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Oldest first. */
export function listPasskeys(db: Db, userId: string): Promise<StoredPasskey[]> {
  return db.selectFrom('passkey').selectAll().where('userId', '=', userId).orderBy('createdAt').orderBy('id').execute()
}

export const countPasskeys = (db: Db, userId: string) =>
  countRows(db.selectFrom('passkey').where('userId', '=', userId))

export const findPasskey = plain.selectFrom('passkey', 'credentialId')
export const lockPasskey = inTransaction.selectForUpdate('passkey', 'id')

type Own = Pick<StoredPasskey, 'id' | 'userId'>

/** The passkey as it is now, or undefined when the account has none of that id. */
export function updatePasskey(db: Transaction, { id, userId }: Own, changes: Updateable<PasskeyTable>) {
  const update = db
    .updateTable('passkey')
    .set(changes)
    .where((e) => e.and({ id, userId }))
  return update.returningAll().executeTakeFirst()
}

/** The passkey that was removed, or undefined when the account has none of that id. */
export function deletePasskey(db: Transaction, { id, userId }: Own): Promise<StoredPasskey | undefined> {
  return db.deleteFrom('passkey').where('id', '=', id).where('userId', '=', userId).returningAll().executeTakeFirst()
}

/** Removes the account's passkeys, and challenges to add one; returns the number of passkeys. */
export async function deletePasskeysOf(db: Transaction, userId: string): Promise<number> {
  await db.deleteFrom('passkeyChallenge').where('userId', '=', userId).execute()
  return countChanged(db.deleteFrom('passkey').where('userId', '=', userId))
}
