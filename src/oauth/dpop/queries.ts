// How proofs that were accepted are remembered.

import { type Given, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'

const proofAdded = prepared((db, given: Given<{ hash: string; expiresAt: string }>) =>
  db
    .insertInto('dpopProof')
    .values({ hash: given('hash'), expiresAt: given('expiresAt') })
    .onConflict((conflict) => conflict.doNothing()),
)

/** Remembers a proof; false when it was presented before. */
export async function insertProof(db: Db, hash: string, expiresAt: string): Promise<boolean> {
  const { numAffectedRows } = await proofAdded(db, { hash, expiresAt })
  return numAffectedRows === 1n
}

export async function deleteExpiredProofs(db: Db, now: string, limit: number): Promise<number> {
  const expired = db
    .selectFrom('dpopProof')
    .select('hash')
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('dpopProof').where('hash', 'in', expired).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
