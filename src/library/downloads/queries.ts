// What changes about a version after its publication. The row of the item is locked by the transaction that writes. Downloads as they are
// counted.

import { sql } from 'kysely'
import { among, locksRows } from '../../database/engine.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { type StoredVersion, versionColumns } from '../items/queries.ts'

/** The version that an item shows: the newest one that is not yanked; where all are, the newest one. */
export function getCurrent(db: Db, itemId: string): Promise<StoredVersion> {
  return db
    .selectFrom('itemVersion')
    .select(versionColumns)
    .where('itemId', '=', itemId)
    .orderBy((row) => row.case().when('yankedAt', 'is', null).then(0).else(1).end())
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}

/** Forgets what is counted of a version that is gone; the total of its item stays. */
export async function deleteCounts(
  db: Transaction,
  { itemId, version }: Pick<StoredVersion, 'itemId' | 'version'>,
): Promise<void> {
  await db.deleteFrom('versionDownloads').where('itemId', '=', itemId).where('version', '=', version).execute()
}

/** Keeps items where they are until the transaction ends, in the order of their ids; gives those that are there. */
export async function keepItems(db: Transaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = db
    .selectFrom('libraryItem')
    .select('id')
    .where('id', ...among(db, JSON.stringify(ids)))
    .orderBy('id')
  const rows = await (locksRows(db) ? found.forKeyShare() : found).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Notes downloads, in the order of their keys; gives the keys of those that had not been noted. */
export async function insertCounted(
  db: Transaction,
  downloads: readonly { day: string; key: string }[],
): Promise<ReadonlySet<string>> {
  if (downloads.length === 0) return new Set()
  const rows = await db
    .insertInto('countedDownload')
    .values([...downloads])
    .onConflict((conflict) => conflict.columns(['day', 'key']).doNothing())
    .returning('key')
    .execute()
  return new Set(rows.map(({ key }) => key))
}

export interface DownloadCount {
  itemId: string
  version: string
  day: string
  count: number
}

const sumBy = (added: readonly DownloadCount[], keyOf: (one: DownloadCount) => string) =>
  [...Map.groupBy(added, keyOf)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => {
      const [first] = group
      return first ? [{ ...first, count: group.reduce((sum, { count }) => sum + count, 0) }] : []
    })

/** Adds to the counts of items, days and versions, always in one order. */
export async function addDownloads(db: Transaction, added: readonly DownloadCount[]): Promise<void> {
  if (added.length === 0) return
  const excluded = sql.ref<number>('excluded.count')
  await db
    .insertInto('itemDownloads')
    .values(sumBy(added, ({ itemId }) => itemId).map(({ itemId, count }) => ({ itemId, total: count })))
    .onConflict((conflict) =>
      conflict.column('itemId').doUpdateSet((row) => ({
        total: row('itemDownloads.total', '+', sql.ref<number>('excluded.total')),
      })),
    )
    .execute()
  await db
    .insertInto('dayDownloads')
    .values(
      sumBy(added, ({ itemId, day }) => `${itemId} ${day}`).map(({ itemId, day, count }) => ({ itemId, day, count })),
    )
    .onConflict((conflict) =>
      conflict.columns(['itemId', 'day']).doUpdateSet((row) => ({ count: row('dayDownloads.count', '+', excluded) })),
    )
    .execute()
  await db
    .insertInto('versionDownloads')
    .values(
      sumBy(added, ({ itemId, version }) => `${itemId} ${version}`).map(({ itemId, version, count }) => ({
        ...{ itemId, version, count },
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['itemId', 'version'])
        .doUpdateSet((row) => ({ count: row('versionDownloads.count', '+', excluded) })),
    )
    .execute()
}

/** Forgets which networks were counted before one day, and the counts of days before another. */
export async function deleteOldDownloads(db: Db, before: { counted: string; days: string }): Promise<void> {
  await db.deleteFrom('countedDownload').where('day', '<', before.counted).execute()
  await db.deleteFrom('dayDownloads').where('day', '<', before.days).execute()
}
