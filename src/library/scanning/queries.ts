// What was found in versions, as it is stored.
import { type Selectable, sql } from 'kysely'
import { countChanged, nearlyAlways } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Database, Db, Transaction, VersionScanTable } from '../../database/schema.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { Finding } from './rules.ts'

export type StoredScan = Selectable<VersionScanTable>

/** null where the scan could not finish. */
export const findingsOf = ({ findings }: Pick<StoredScan, 'findings'>): Finding[] | null =>
  findings === null ? null : parseJson<Finding[]>(findings)

export const insertScan = inTransaction.insertInto('versionScan')

const byVersion = prepared((db, given: Bind<{ itemId: string; version: string }>) =>
  db
    .selectFrom('versionScan')
    .select(['findings', 'warnings', 'scannedAt', 'answer', 'answeredAt'])
    .where('itemId', '=', given('itemId'))
    .where('version', '=', given('version')),
)

export async function findScan(db: Db, of: { itemId: string; version: string }) {
  const { rows } = await byVersion(db, of)
  return rows[0]
}

/** That of the current version of an item. */
export function findCurrentScan(db: Transaction, itemId: string) {
  return db
    .selectFrom('versionScan as scan')
    .innerJoin('libraryItem as item', (join) =>
      join.onRef('item.id', '=', 'scan.itemId').onRef('item.version', '=', 'scan.version'),
    )
    .select(['scan.version', 'scan.findings', 'scan.answer', 'scan.answeredAt'])
    .where('scan.itemId', '=', itemId)
    .executeTakeFirst()
}

/** Gives whether there is such a scan. */
export async function updateAnswer(
  db: Transaction,
  { itemId, version, ...set }: Pick<StoredScan, 'itemId' | 'version' | 'answer' | 'answeredAt'>,
): Promise<boolean> {
  const changed = db.updateTable('versionScan').set(set).where('itemId', '=', itemId).where('version', '=', version)
  return (await countChanged(changed)) > 0
}

/** An item with so many more votes for it than against it is known by its name. */
export const KNOWN_FROM_SCORE = 3
const MAX_KNOWN = 200

type KnownItem = Pick<Selectable<Database['libraryItem']>, 'kind' | 'slug' | 'name'>

interface MostVoted {
  visibility: 'public' | 'official'
  ownerId: string
}

export const selectMostVoted = (db: Db, given: <Name extends keyof MostVoted>(name: Name) => MostVoted[Name]) =>
  db
    .selectFrom('libraryItem')
    .select(['kind', 'slug', 'name'])
    // In the words of the condition that the index by visibility has: the official ones are few of those that are listed.
    .where(nearlyAlways(db, sql<boolean>`"libraryItem".listed = 1`))
    .where('visibility', '=', given('visibility'))
    .where('score', '>=', KNOWN_FROM_SCORE)
    .where('ownerId', '!=', given('ownerId'))
    .orderBy('score', 'desc')
    .limit(MAX_KNOWN)

const mostVoted = prepared((db, given: Bind<MostVoted>) => selectMostVoted(db, given))

/** The most voted of the items that everybody sees, of other owners: what a new name could be mistaken for. */
export async function listKnown(db: Db, ownerId: string): Promise<KnownItem[]> {
  const official = await mostVoted(db, { visibility: 'official', ownerId })
  return [...official.rows, ...(await mostVoted(db, { visibility: 'public', ownerId })).rows]
}

/** Replaces what was found in a version. */
export async function updateFindings(
  db: Transaction,
  { itemId, version, findings }: Pick<StoredScan, 'itemId' | 'version' | 'findings'>,
): Promise<void> {
  await db
    .updateTable('versionScan')
    .set({ findings })
    .where('itemId', '=', itemId)
    .where('version', '=', version)
    .execute()
}
