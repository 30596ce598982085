// How apps with a secret are stored. Locks are taken in one order: the app, then accounts and grants.
import type { Selectable } from 'kysely'
import { countChanged, locking, sharing } from '../../database/engine.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db, SecretClientTable, Transaction } from '../../database/schema.ts'

export type SecretClient = Selectable<SecretClientTable>

const columns = [
  ...['id', 'name', 'method', 'hash', 'formerHash', 'formerUntil', 'createdAt', 'secretAt', 'lastUsedAt'],
] as const

const byId = (db: Db, id: string) => db.selectFrom('secretClient').select(columns).where('id', '=', id)

export const insertSecretClient = inTransaction.insertInto('secretClient')
export const findSecretClient = plain.selectFrom('secretClient', 'id', columns)
export const updateSecretClient = inTransaction.updateTable('secretClient', 'id')

export const lockSecretClient = (db: Transaction, id: string): Promise<SecretClient | undefined> =>
  locking(db, byId(db, id)).executeTakeFirst()

/** Whether it is there, and stays until the transaction ends. */
export const holdSecretClient = async (db: Transaction, id: string): Promise<boolean> =>
  (await sharing(db, byId(db, id)).executeTakeFirst()) !== undefined

/** Newest first. */
export const listSecretClients = (db: Db, limit: number): Promise<SecretClient[]> =>
  db.selectFrom('secretClient').select(columns).orderBy('id', 'desc').limit(limit).execute()

export const deleteSecretClient = async (db: Transaction, id: string): Promise<boolean> =>
  (await countChanged(db.deleteFrom('secretClient').where('id', '=', id))) > 0

/** Writes only when it was last used before `before`. */
export async function updateSecretClientUse(db: Db, { id, now, before }: Record<'id' | 'now' | 'before', string>) {
  const rows = db.updateTable('secretClient').set({ lastUsedAt: now }).where('id', '=', id)
  await rows.where((e) => e.or([e('lastUsedAt', 'is', null), e('lastUsedAt', '<', before)])).execute()
}
