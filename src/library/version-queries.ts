// Versions after their publication: how they change and go, and which stored artifacts belong to them.
import type { Updateable } from 'kysely'
import type { Db, ItemVersionTable, Transaction } from '../database/schema.ts'
import type { StoredVersion } from './queries.ts'

/** Whether a version of any item is this artifact. */
export async function isArtifactUsed(db: Db, sha256: string): Promise<boolean> {
  const row = await db.selectFrom('itemVersion').select('itemId').where('sha256', '=', sha256).limit(1).execute()
  return row.length > 0
}

/** Artifacts that versions are made of, each once, in the order of their digests, beginning after one. */
export function listArtifacts(db: Db, after: string, limit: number): Promise<{ sha256: string }[]> {
  return db
    .selectFrom('itemVersion')
    .select('sha256')
    .distinct()
    .where('sha256', '>', after)
    .orderBy('sha256')
    .limit(limit)
    .execute()
}

/** Which versions are made of an artifact. */
export function listUses(db: Db, sha256: string) {
  return db
    .selectFrom('itemVersion as version')
    .innerJoin('libraryItem as item', 'item.id', 'version.itemId')
    .select(['item.kind', 'item.slug', 'version.version'])
    .where('version.sha256', '=', sha256)
    .orderBy('item.id')
    .execute()
}

/** Changes a version of an item that is locked. */
export async function updateVersion(
  db: Transaction,
  { itemId, number }: Pick<StoredVersion, 'itemId' | 'number'>,
  changes: Updateable<ItemVersionTable>,
): Promise<void> {
  await db.updateTable('itemVersion').set(changes).where('itemId', '=', itemId).where('number', '=', number).execute()
}

/** Keeps what is given with a version that is being published. */
export async function updatePublished(
  db: Transaction,
  { itemId, precedence, ...told }: Pick<StoredVersion, 'itemId' | 'precedence' | 'changelog' | 'license'>,
): Promise<void> {
  if (told.changelog === null && told.license === null) return
  await db
    .updateTable('itemVersion')
    .set(told)
    .where('itemId', '=', itemId)
    .where('precedence', '=', precedence)
    .execute()
}

/** Removes a version of an item that is locked, with what it says. Its bytes are swept once nothing refers to them. */
export async function deleteVersion(
  db: Transaction,
  { itemId, number, version }: Pick<StoredVersion, 'itemId' | 'number' | 'version'>,
): Promise<void> {
  await db.deleteFrom('itemVersion').where('itemId', '=', itemId).where('number', '=', number).execute()
  await db.deleteFrom('versionDetails').where('itemId', '=', itemId).where('version', '=', version).execute()
}
