// How the authorization server stores pushed requests, device authorizations and the RSA keys of ID tokens.
import type { Selectable } from 'kysely'
import { countChanged, locking } from '../database/engine.ts'
import { plain } from '../database/rows.ts'
import type { Db, DeviceCodeTable, IdTokenKeyTable, Transaction } from '../database/schema.ts'

export const insertPushedRequest = plain.insertInto('pushedRequest')
export const findPushedRequest = plain.selectFrom('pushedRequest', 'hash', ['request', 'expiresAt'])

/** Uses a request up; false when it was already. */
export async function deletePushedRequest(db: Db, hash: string): Promise<boolean> {
  return (await countChanged(db.deleteFrom('pushedRequest').where('hash', '=', hash))) > 0
}

export const findIdTokenKey = plain.selectFrom('idTokenKey', 'sealedBy', ['sealed'])

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

const columns = [
  ...['hash', 'clientId', 'scope', 'network', 'device', 'createdAt', 'expiresAt'],
  ...['intervalSeconds', 'polledAt', 'decision', 'grantId', 'consumedAt', 'bounds', 'maxAge', 'acrValues'],
] as const
export type DeviceCode = Pick<Selectable<DeviceCodeTable>, (typeof columns)[number]>

/** Stores a request; false when another one has the same code to type. */
export async function insertDeviceCode(db: Db, code: Selectable<DeviceCodeTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('deviceCode')
    .values(code)
    .onConflict((conflict) => conflict.column('codeHash').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export const findDeviceCode = plain.selectFrom('deviceCode', 'hash', columns)

/** The request with this code to type that waits for a decision. */
export function findUndecided(db: Db, codeHash: string, now: string): Promise<DeviceCode | undefined> {
  return undecided(db, codeHash, now).executeTakeFirst()
}

/** The same, locked until the transaction ends. */
export function lockUndecided(db: Transaction, codeHash: string, now: string): Promise<DeviceCode | undefined> {
  return locking(db, undecided(db, codeHash, now)).executeTakeFirst()
}

const undecided = (db: Db, codeHash: string, now: string) =>
  db
    .selectFrom('deviceCode')
    .select(columns)
    .where('codeHash', '=', codeHash)
    .where('decision', 'is', null)
    .where('expiresAt', '>', now)

export async function updateDecision(
  db: Transaction,
  hash: string,
  decided: { decision: 'allowed'; grantId: string } | { decision: 'denied'; grantId: null },
): Promise<void> {
  await db.updateTable('deviceCode').set(decided).where('hash', '=', hash).execute()
}

/** Notes a poll, if no other one was noted since `seen`; false otherwise. */
export async function updatePoll(
  db: Db,
  { hash, polledAt: seen }: Pick<DeviceCode, 'hash' | 'polledAt'>,
  poll: { polledAt: string; intervalSeconds: number },
): Promise<boolean> {
  return (
    (await countChanged(
      db
        .updateTable('deviceCode')
        .set(poll)
        .where('hash', '=', hash)
        .where('polledAt', seen === null ? 'is' : '=', seen),
    )) === 1
  )
}

/** Marks a code as used; false when it was already. */
export async function consumeDeviceCode(db: Db, hash: string, now: string): Promise<boolean> {
  return (
    (await countChanged(
      db.updateTable('deviceCode').set({ consumedAt: now }).where('hash', '=', hash).where('consumedAt', 'is', null),
    )) === 1
  )
}
