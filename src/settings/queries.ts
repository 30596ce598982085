// Settings as they are stored, and every change of them. A change has the next number: the newest one is the version of all settings.
import { lockName } from '../database/engine.ts'
import { prepared } from '../database/prepared.ts'
import type { Db, SettingChangeTable, SettingTable, Transaction } from '../database/schema.ts'

const stored = prepared((db) =>
  db.selectFrom('setting').select(['name', 'value', 'actorId', 'changedAt']).orderBy('name'),
)

/** Every stored setting. */
export const listStored = async (db: Db): Promise<readonly SettingTable[]> => (await stored(db, {})).rows

/** The same with the current names of those who stored them. */
export function listNamed(db: Db) {
  return db
    .selectFrom('setting')
    .leftJoin('user as actor', 'actor.id', 'setting.actorId')
    .select(['setting.name', 'setting.changedAt', 'actor.username as actorUsername'])
    .execute()
}

/** Keeps other changes of settings waiting until the transaction ends. */
export const lockSettings = (db: Transaction): Promise<void> => lockName(db, 'settings')

/** The number of the newest change; 0 before the first. */
export async function findVersion(db: Db): Promise<number> {
  const newest = await db
    .selectFrom('settingChange')
    .select('number')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.number ?? 0
}

/** Stores a value. */
export async function putSetting(db: Transaction, setting: SettingTable): Promise<void> {
  const { name: _, ...values } = setting
  await db
    .insertInto('setting')
    .values(setting)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
    .execute()
}

/** Removes a value: the default holds. */
export async function deleteSetting(db: Transaction, name: string): Promise<void> {
  await db.deleteFrom('setting').where('name', '=', name).execute()
}

/** When one of some settings was changed last. */
export async function findLastChange(db: Db, names: readonly string[]): Promise<string | undefined> {
  const changes = db.selectFrom('settingChange').select('changedAt').where('name', 'in', names)
  return (await changes.orderBy('number', 'desc').limit(1).executeTakeFirst())?.changedAt
}

export async function insertChange(db: Transaction, change: SettingChangeTable): Promise<void> {
  await db.insertInto('settingChange').values(change).execute()
}

const columns = ['number', 'id', 'name', 'valueBefore', 'valueAfter', 'actorId', 'changedAt'] as const

export function findChange(db: Db, id: string): Promise<SettingChangeTable | undefined> {
  return db.selectFrom('settingChange').select(columns).where('id', '=', id).executeTakeFirst()
}

/** Newest first, with the current names of those who made them. */
export function listChanges(
  db: Db,
  { before, offset, limit }: { before?: number | undefined; offset: number; limit: number },
) {
  return db
    .selectFrom('settingChange')
    .leftJoin('user as actor', 'actor.id', 'settingChange.actorId')
    .select(columns.map((column) => `settingChange.${column}` as const))
    .select('actor.username as actorUsername')
    .$if(before !== undefined, (rows) => rows.where('settingChange.number', '<', Number(before)))
    .orderBy('settingChange.number', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}
