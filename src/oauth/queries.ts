// How the authorization server stores accepted proofs, pushed requests and the RSA keys of ID tokens.
import type { Selectable } from 'kysely'
import { type Given, prepared } from '../database/prepared.ts'
import type { Db, IdTokenKeyTable, PushedRequestTable } from '../database/schema.ts'

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

export async function insertPushedRequest(db: Db, request: Selectable<PushedRequestTable>): Promise<void> {
  await db.insertInto('pushedRequest').values(request).execute()
}

export function findPushedRequest(db: Db, hash: string) {
  return db.selectFrom('pushedRequest').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** Uses a request up; false when it was already. */
export async function deletePushedRequest(db: Db, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('pushedRequest').where('hash', '=', hash).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export function findIdTokenKey(db: Db, sealedBy: string) {
  return db.selectFrom('idTokenKey').selectAll().where('sealedBy', '=', sealedBy).executeTakeFirst()
}

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
