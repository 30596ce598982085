// How device authorizations are stored.
import type { Selectable } from 'kysely'
import { countChanged, locking } from '../database/engine.ts'
import { plain } from '../database/rows.ts'
import type { Db, DeviceCodeTable, Transaction } from '../database/schema.ts'

export type DeviceCode = Selectable<DeviceCodeTable>

/** Stores a request; false when another one has the same code to type. */
export async function insertDeviceCode(db: Db, code: DeviceCode): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('deviceCode')
    .values(code)
    .onConflict((conflict) => conflict.column('codeHash').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export const findDeviceCode = plain.selectFrom('deviceCode', 'hash')

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
    .selectAll()
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
