// How pushed authorization requests are stored.
import type { Selectable } from 'kysely'
import type { Db, PushedRequestTable } from '../database/schema.ts'

export type PushedRequest = Selectable<PushedRequestTable>

export async function insertPushedRequest(db: Db, request: PushedRequest): Promise<void> {
  await db.insertInto('pushedRequest').values(request).execute()
}

export function findPushedRequest(db: Db, hash: string): Promise<PushedRequest | undefined> {
  return db.selectFrom('pushedRequest').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** Uses a request up; false when it was already. */
export async function deletePushedRequest(db: Db, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('pushedRequest').where('hash', '=', hash).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function deleteExpiredPushedRequests(db: Db, moment: string, limit: number): Promise<number> {
  const expired = db
    .selectFrom('pushedRequest')
    .select('hash')
    .where('expiresAt', '<=', moment)
    .orderBy('expiresAt')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('pushedRequest').where('hash', 'in', expired).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
