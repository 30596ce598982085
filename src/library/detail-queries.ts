// What only the page of an item shows of its versions, as it is stored.
import type { Db, Transaction, VersionDetailsTable } from '../database/schema.ts'
import { parseJson } from '../runtime/untyped.ts'
import { noSuchItem, type StoredItem } from './queries.ts'

/** Keeps what a version says; what is kept already stays. */
export async function insertDetails(db: Db, details: VersionDetailsTable): Promise<void> {
  await db
    .insertInto('versionDetails')
    .values(details)
    .onConflict((conflict) => conflict.columns(['itemId', 'version']).doNothing())
    .execute()
}

export async function updateReadme(db: Transaction, itemId: string, readme: string | null): Promise<void> {
  await db.updateTable('versionDetails').set({ readme }).where('itemId', '=', itemId).execute()
}

/** Adds what the steps of a version are called to what it says, if it is still there. */
export async function updateStepNames(
  db: Transaction,
  of: { id: string; version: string },
  stepNames: readonly string[],
): Promise<void> {
  const details = await findDetails(db, of)
  if (!details) return
  const contents = JSON.stringify({ ...parseJson<object>(details.contents), stepNames })
  await db
    .updateTable('versionDetails')
    .set({ contents })
    .where('itemId', '=', of.id)
    .where('version', '=', of.version)
    .execute()
}

/** What a version says; undefined for one that was published before this was kept. */
export function findDetails(
  db: Db,
  { id, version }: { id: string; version: string },
): Promise<VersionDetailsTable | undefined> {
  return db
    .selectFrom('versionDetails')
    .selectAll()
    .where('itemId', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
}

/** What the current version of an item says. */
export async function getDetails(db: Db, item: Pick<StoredItem, 'id' | 'version'>): Promise<VersionDetailsTable> {
  const details = await findDetails(db, item)
  if (!details) throw noSuchItem()
  return details
}
