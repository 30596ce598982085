// How the authorization server stores accepted proofs, pushed requests and the RSA keys of ID tokens.
import type { Selectable } from 'kysely'
import { countChanged } from '../database/engine.ts'
import { type Given, prepared } from '../database/prepared.ts'
import { plain } from '../database/rows.ts'
import type { Db, IdTokenKeyTable } from '../database/schema.ts'

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

export const insertPushedRequest = plain.insertInto('pushedRequest')
export const findPushedRequest = plain.selectFrom('pushedRequest', 'hash')

/** Uses a request up; false when it was already. */
export async function deletePushedRequest(db: Db, hash: string): Promise<boolean> {
  return (await countChanged(db.deleteFrom('pushedRequest').where('hash', '=', hash))) > 0
}

export const findIdTokenKey = plain.selectFrom('idTokenKey', 'sealedBy')

/** Keeps the key, unless another process was first. */
export async function insertIdTokenKey(db: Db, key: Selectable<IdTokenKeyTable>): Promise<void> {
  await db
    .insertInto('idTokenKey')
    .values(key)
    .onConflict((conflict) => conflict.column('sealedBy').doNothing())
    .execute()
}

/** The public keys, newest first. */
export async function listPublicIdTokenKeys(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('idTokenKey').select('publicKey').orderBy('createdAt', 'desc').execute()
  return rows.map(({ publicKey }) => publicKey)
}

/** Deletes keys that were replaced before `moment`; their signatures have expired. */
export async function deleteReplacedIdTokenKeys(db: Db, moment: string): Promise<void> {
  const successor = await db
    .selectFrom('idTokenKey')
    .select('createdAt')
    .where('createdAt', '<', moment)
    .orderBy('createdAt', 'desc')
    .executeTakeFirst()
  if (successor) await db.deleteFrom('idTokenKey').where('createdAt', '<', successor.createdAt).execute()
}
