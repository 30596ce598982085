// Reports of outcomes and the figures that are made of them, as they are stored. Who changes the reports of a version locks its row of
// staleOutcomes, so that the job that makes the figures sees them or is run again.
import { type Insertable, sql } from 'kysely'
import { keepVersion, type VersionKey } from '../../content/about/queries.ts'
import { among, isAmong } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db, OutcomeTable, Transaction, VersionOutcomesTable } from '../../database/schema.ts'
import { MAX_REPORTS, MIN_ACCOUNTS } from './rules.ts'

export { keepVersion, type VersionKey }

const downloader = prepared((db, given: Bind<{ key: string }>) =>
  db.selectFrom('versionDownloader').select('day').where('key', '=', given('key')),
)

/** On which day an account downloaded a version last. */
export async function findDownloadDay(db: Db, key: string): Promise<string | undefined> {
  return (await downloader(db, { key })).rows[0]?.day
}

export async function keepDownload(db: Db, key: string, day: string): Promise<void> {
  await db
    .insertInto('versionDownloader')
    .values({ key, day })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ day }))
    .execute()
}

/** Marks versions whose figures are to be made again; the rows are locked until the transaction ends, always in one order. */
export async function markStale(db: Transaction, versions: readonly VersionKey[], now: string): Promise<void> {
  const distinct = [...new Map(versions.map((one) => [`${one.itemId} ${one.number}`, one]))].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  for (const [, { itemId, number }] of distinct) {
    await db
      .insertInto('staleOutcomes')
      .values({ itemId, number, since: now })
      .onConflict((conflict) =>
        conflict.columns(['itemId', 'number']).doUpdateSet((row) => ({ since: row.ref('staleOutcomes.since') })),
      )
      .execute()
  }
}

const waiting = prepared((db, given: Bind<{ limit: number }>) =>
  db
    .selectFrom('staleOutcomes')
    .select(['itemId', 'number', 'since'])
    .orderBy('since')
    .orderBy('itemId')
    .orderBy('number')
    .limit(given('limit')),
)

/** Those that wait, the longest first. */
export const listStale = async (db: Db, limit: number) => (await waiting(db, { limit })).rows

/** Takes the mark away, which waits for those who change the reports; the version is locked until the transaction ends. */
export async function takeStale(db: Transaction, { itemId, number }: VersionKey): Promise<void> {
  await db.deleteFrom('staleOutcomes').where('itemId', '=', itemId).where('number', '=', number).execute()
}

export async function isStale(db: Db, { itemId, number }: VersionKey): Promise<boolean> {
  const marks = db.selectFrom('staleOutcomes').select('since').where('itemId', '=', itemId)
  return (await marks.where('number', '=', number).executeTakeFirst()) !== undefined
}

/** Stores the report of an account for a day in the place of one that is there; gives whether there was one. */
export async function putOutcome(db: Transaction, row: Insertable<OutcomeTable>): Promise<boolean> {
  const { id, ...set } = row
  const found = await db.selectFrom('outcome').select('id').where('id', '=', id).executeTakeFirst()
  if (found) await db.updateTable('outcome').set(set).where('id', '=', id).execute()
  else await db.insertInto('outcome').values(row).execute()
  return found !== undefined
}

const counted = prepared((db, given: Bind<VersionKey>) =>
  db
    .selectFrom('outcome')
    .select(['accountId', 'network', 'outcome', 'error', 'weight'])
    .where('itemId', '=', given('itemId'))
    .where('number', '=', given('number'))
    .where('hidden', '=', sql.lit(0))
    .orderBy('day', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(MAX_REPORTS)),
)

/** The newest reports of a version that count. */
export const listCounted = async (db: Db, version: VersionKey) => (await counted(db, version)).rows

export async function putFigures(db: Transaction, row: VersionOutcomesTable): Promise<void> {
  const { itemId: _item, number: _number, ...set } = row
  await db
    .insertInto('versionOutcomes')
    .values(row)
    .onConflict((conflict) => conflict.columns(['itemId', 'number']).doUpdateSet(set))
    .execute()
}

export async function deleteFigures(db: Transaction, { itemId, number }: VersionKey): Promise<void> {
  await db.deleteFrom('versionOutcomes').where('itemId', '=', itemId).where('number', '=', number).execute()
}

const figureColumns = ['worked', 'failed', 'accounts', 'weight', 'rate', 'lower', 'errors'] as const

const ofItems = prepared((db, given: Bind<{ ids: string }>) =>
  db
    .selectFrom('versionOutcomes as figures')
    .innerJoin('itemVersion as version', (join) =>
      join.onRef('version.itemId', '=', 'figures.itemId').onRef('version.number', '=', 'figures.number'),
    )
    .innerJoin('libraryItem as item', (join) =>
      join.onRef('item.id', '=', 'figures.itemId').onRef('item.version', '=', 'version.version'),
    )
    .select(['figures.itemId', ...prefixed('figures')])
    .where('figures.itemId', ...among(db, given('ids'))),
)

function prefixed<Table extends string>(table: Table) {
  return figureColumns.map((name) => `${table}.${name}` as const)
}

/** The figures of the current versions of items. */
export async function listFiguresOfItems(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map()
  const { rows } = await ofItems(db, { ids: JSON.stringify(ids) })
  return new Map(rows.map((row) => [row.itemId, row]))
}

const ofVersions = prepared((db, given: Bind<{ itemId: string; versions: string }>) =>
  db
    .selectFrom('versionOutcomes as figures')
    .innerJoin('itemVersion as version', (join) =>
      join.onRef('version.itemId', '=', 'figures.itemId').onRef('version.number', '=', 'figures.number'),
    )
    .select(['version.version', ...prefixed('figures')])
    .where('figures.itemId', '=', given('itemId'))
    .where('version.version', ...among(db, given('versions'))),
)

/** The figures of versions of an item, by their versions. */
export async function listFigures(db: Db, itemId: string, versions: readonly string[]) {
  const { rows } = await ofVersions(db, { itemId, versions: JSON.stringify(versions) })
  return new Map(rows.map((row) => [row.version, row]))
}

export type StoredFigures = Pick<VersionOutcomesTable, (typeof figureColumns)[number]>

/** What reporters wrote of an item, the newest day first. */
export function listTexts(
  db: Db,
  itemId: string,
  { after, limit }: { after?: readonly unknown[] | undefined; limit: number },
) {
  return db
    .selectFrom('outcome')
    .innerJoin('itemVersion as version', (join) =>
      join.onRef('version.itemId', '=', 'outcome.itemId').onRef('version.number', '=', 'outcome.number'),
    )
    .select(['outcome.id', 'version.version', 'outcome.day', 'outcome.outcome', 'outcome.error', 'outcome.os'])
    .select(['outcome.arch', 'outcome.client', 'outcome.clientVersion', 'outcome.text'])
    .where('outcome.itemId', '=', itemId)
    .where('outcome.text', 'is not', null)
    .where('outcome.hidden', '=', 0)
    .$if(after !== undefined, (rows) =>
      rows.where(sql<boolean>`(outcome.day, outcome.id) < (${after?.[0]}, ${after?.[1]})`),
    )
    .orderBy('outcome.day', 'desc')
    .orderBy('outcome.id', 'desc')
    .limit(limit)
    .execute()
}

const keyColumns = ['id', 'itemId', 'number', 'hidden'] as const

/** Reports of an account after one, in the order of their ids, hidden ones too. */
export function listReportsOf(db: Db, { authorId, after, limit }: { authorId: string; after: string; limit: number }) {
  const own = db.selectFrom('outcome').select(keyColumns).where('accountId', '=', authorId).where('id', '>', after)
  return own.orderBy('id').limit(limit).execute()
}

export const findReport = plain.selectFrom('outcome', 'id', [...keyColumns, 'day'])
export const lockReport = inTransaction.selectForUpdate('outcome', 'id', keyColumns)
export const updateReport = inTransaction.updateTable('outcome', 'id')

export async function deleteReports(db: Transaction, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('outcome')
    .where('id', ...among(db, JSON.stringify(ids)))
    .execute()
}

/** Reports of days before one, the oldest first. */
export function listOldReports(db: Db, before: string, limit: number) {
  const old = db.selectFrom('outcome').select(keyColumns).where('day', '<', before)
  return old.orderBy('day').orderBy('id').limit(limit).execute()
}

export async function deleteOldDownloaders(db: Db, before: string): Promise<void> {
  await db.deleteFrom('versionDownloader').where('day', '<', before).execute()
}

/** Versions with reports or with figures that do not wait for new ones, after one, in order. */
export async function listSettled(db: Db, after: VersionKey, limit: number): Promise<VersionKey[]> {
  const { rows } = await sql<VersionKey>`
    select "itemId", "number" from (
      select "itemId", "number" from outcome union select "itemId", "number" from "versionOutcomes") as known
    where ("itemId", "number") > (${after.itemId}, ${after.number}) and not exists (
      select 1 from "staleOutcomes" s where s."itemId" = known."itemId" and s."number" = known."number")
    order by "itemId", "number" limit ${limit}`.execute(db)
  return rows
}

export async function findFigures(db: Db, { itemId, number }: VersionKey): Promise<StoredFigures | undefined> {
  const rows = db.selectFrom('versionOutcomes').select(figureColumns)
  return rows.where('itemId', '=', itemId).where('number', '=', number).executeTakeFirst()
}

/** Marks items whose rank is to be found again, in the order of their ids. */
export async function markRanks(db: Transaction, itemIds: readonly string[], since: string): Promise<void> {
  for (const itemId of [...new Set(itemIds)].toSorted()) {
    await db
      .insertInto('staleRank')
      .values({ itemId, since })
      .onConflict((conflict) => conflict.column('itemId').doUpdateSet((row) => ({ since: row.ref('staleRank.since') })))
      .execute()
  }
}

const unranked = prepared((db, given: Bind<{ limit: number }>) =>
  db
    .selectFrom('staleRank')
    .select(['itemId as key', 'since'])
    .orderBy('since')
    .orderBy('itemId')
    .limit(given('limit')),
)

/** Items whose rank waits, the longest first. */
export const listUnranked = async (db: Db, limit: number) => (await unranked(db, { limit })).rows

/** Takes the mark away, as `takeStale` does. */
export const takeRank = inTransaction.deleteFrom('staleRank', 'itemId')

/** What the ranks of items are made of: downloads, and the figures of the newest version that has some and is not yanked. */
export async function listRanked(db: Db, ids: readonly string[]) {
  const { rows } = await sql<RankedItem>`
    select item.id, item.rank, coalesce(d.total, 0) as downloads, f.lower, f.weight, f.accounts
    from "libraryItem" item left join "itemDownloads" d on d."itemId" = item.id
    left join "versionOutcomes" f on f."itemId" = item.id and f."number" = (
      select max(g."number") from "versionOutcomes" g
      join "itemVersion" v on v."itemId" = g."itemId" and v."number" = g."number" and v."yankedAt" is null
      where g."itemId" = item.id and g.accounts >= ${sql.lit(MIN_ACCOUNTS)})
    where ${isAmong(db, 'item.id', JSON.stringify(ids))} order by item.id`.execute(db)
  return rows.map(({ lower, weight, accounts, ...row }) => ({
    ...row,
    figures: lower === null ? undefined : { lower, weight: weight ?? 0, accounts: accounts ?? 0 },
  }))
}

interface RankedItem {
  id: string
  rank: number
  downloads: number
  lower: number | null
  weight: number | null
  accounts: number | null
}

/** Items whose rank does not wait, after one, in the order of their ids. */
export async function listIdsRanked(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = db.selectFrom('libraryItem as item').select('item.id').where('item.id', '>', after)
  const settled = rows.where((row) =>
    row.not(row.exists(row.selectFrom('staleRank').select('since').whereRef('staleRank.itemId', '=', 'item.id'))),
  )
  return (await settled.orderBy('item.id').limit(limit).execute()).map(({ id }) => id)
}
