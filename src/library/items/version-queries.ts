// Versions after their publication: how they change and go, and which stored artifacts belong to them; and what only
// the page of an item shows of each.
import { type Selectable, sql } from 'kysely'
import { versionStates } from '../../contract/states.ts'
import { countChanged } from '../../database/engine.ts'
import type { Db, ItemVersionTable, Transaction, VersionDetailsTable } from '../../database/schema.ts'
import { mayStep } from '../../database/states.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { noSuchItem, type StoredItem, type StoredVersion } from './queries.ts'

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

const state = sql`case when "yankedAt" is null then 'published' when "yankedByAdmin" = 1 then 'withheld' else 'yanked' end`

type Yanking = Pick<Selectable<ItemVersionTable>, 'yankedAt' | 'yankReason' | 'yankedByAdmin'>
type VersionStep = Yanking & { by: keyof typeof versionStates; to: 'published' | 'yanked' | 'withheld' }

/** Takes a step with a version of an item that is locked; false where its state has no such step for the caller. */
export async function stepVersion(
  db: Transaction,
  { itemId, number }: Pick<StoredVersion, 'itemId' | 'number'>,
  { by, to, ...changes }: VersionStep,
): Promise<boolean> {
  const one = db.updateTable('itemVersion').where('itemId', '=', itemId).where('number', '=', number)
  return (await countChanged(one.where(mayStep(versionStates[by], { to }, state)).set(changes))) === 1
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

/** Removes a version of an item that is locked, with what it says. Its bytes are swept once nothing refers to them. False where its state has no such step for the caller. */
export async function deleteVersion(
  db: Transaction,
  { itemId, number, version }: Pick<StoredVersion, 'itemId' | 'number' | 'version'>,
  by: keyof typeof versionStates,
): Promise<boolean> {
  const one = db.deleteFrom('itemVersion').where('itemId', '=', itemId).where('number', '=', number)
  if ((await countChanged(one.where(mayStep(versionStates[by], { to: 'deleted' }, state)))) === 0) return false
  await db.deleteFrom('versionDetails').where('itemId', '=', itemId).where('version', '=', version).execute()
  return true
}

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
    .select(['itemId', 'version', 'readme', 'contents', 'meta'])
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

/** A version of an item that has these bytes. */
export const findVersionOf = (
  db: Db,
  { itemId, sha256 }: { itemId: string; sha256: string },
): Promise<{ version: string } | undefined> =>
  db
    .selectFrom('itemVersion')
    .select('version')
    .where((e) => e.and({ itemId, sha256 }))
    .limit(1)
    .executeTakeFirst()
