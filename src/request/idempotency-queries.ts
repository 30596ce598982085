// Idempotency keys as they are stored.
import { deleteUntil } from '../database/expiry.ts'
import { inTransaction } from '../database/rows.ts'
import type { Db, IdempotencyKeyTable, Transaction } from '../database/schema.ts'

export type StoredAnswer = Pick<IdempotencyKeyTable, 'fingerprint' | 'answer'>

/** The write with this key, until it expires. */
export function findKept(db: Db, hash: string, now: string): Promise<StoredAnswer | undefined> {
  return db
    .selectFrom('idempotencyKey')
    .select(['fingerprint', 'answer'])
    .where('hash', '=', hash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

/**
 * Takes the key for this transaction; false when another write has it. One that is still open is waited for. A key that has expired is
 * free again.
 */
export async function takeKey(
  db: Transaction,
  key: Omit<IdempotencyKeyTable, 'fingerprint' | 'answer'>,
): Promise<boolean> {
  const fresh = { ...key, fingerprint: '', answer: '' }
  const taken = await db
    .insertInto('idempotencyKey')
    .values(fresh)
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet(fresh).where('idempotencyKey.expiresAt', '<=', key.createdAt),
    )
    .returning('hash')
    .executeTakeFirst()
  return taken !== undefined
}

/** Stores the answer, and until when it is kept. */
export async function updateKept(
  db: Transaction,
  hash: string,
  kept: StoredAnswer & Pick<IdempotencyKeyTable, 'expiresAt'>,
): Promise<void> {
  await db.updateTable('idempotencyKey').set(kept).where('hash', '=', hash).execute()
}

/** Frees the key of a write that decided nothing. */
export const deleteKey = inTransaction.deleteFrom('idempotencyKey', 'hash')

/** Forgets the keys of an account, with their answers. */
export const deleteKeysOf = inTransaction.deleteFrom('idempotencyKey', 'accountId')

export const deleteExpiredKeys = (db: Db, now: string): Promise<void> =>
  deleteUntil(db, { table: 'idempotencyKey', key: 'hash', since: 'expiresAt' }, now)
