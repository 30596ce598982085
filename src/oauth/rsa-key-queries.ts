// How the RSA keys of ID tokens are stored.
import type { Selectable } from 'kysely'
import type { Db, IdTokenKeyTable } from '../database/schema.ts'

export type IdTokenKey = Selectable<IdTokenKeyTable>

export function findIdTokenKey(db: Db, sealedBy: string): Promise<IdTokenKey | undefined> {
  return db.selectFrom('idTokenKey').selectAll().where('sealedBy', '=', sealedBy).executeTakeFirst()
}

/** Keeps the key, unless another process was first. */
export async function insertIdTokenKey(db: Db, key: IdTokenKey): Promise<void> {
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
