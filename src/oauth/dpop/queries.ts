// Accepted proofs of keys, and assertions, as they are stored: each is good once.
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'

const proofAdded = prepared((db, given: Bind<{ hash: string; expiresAt: string }>) =>
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
