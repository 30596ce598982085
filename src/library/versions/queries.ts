// What changes about a version after its publication. The row of the item is locked by the transaction that writes.
import type { Db, Transaction } from '../../database/schema.ts'
import type { StoredVersion } from '../queries.ts'

/** The version that an item shows: the newest one that is not yanked; where all are, the newest one. */
export function getCurrent(db: Db, itemId: string): Promise<StoredVersion> {
  return db
    .selectFrom('itemVersion')
    .selectAll()
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
