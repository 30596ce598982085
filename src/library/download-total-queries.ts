// How often items and their versions were downloaded.
import { among } from '../database/engine.ts'
import { type Given, prepared } from '../database/prepared.ts'
import type { Db } from '../database/schema.ts'

const totals = prepared((db, given: Given<{ ids: string; since: string }>) =>
  db
    .selectFrom('itemDownloads as all')
    .select(['all.itemId', 'all.total'])
    .select((row) =>
      row
        .selectFrom('dayDownloads as one')
        .select((day) => day.fn.sum<number | string | null>('one.count').as('count'))
        .whereRef('one.itemId', '=', 'all.itemId')
        .where('one.day', '>', given('since'))
        .as('week'),
    )
    .where('all.itemId', 'in', among(db, given('ids'))),
)

/** The downloads of items, in all and on the days after `since`; none for those that were never downloaded. */
export async function listDownloads(
  db: Db,
  ids: readonly string[],
  since: string,
): Promise<ReadonlyMap<string, { total: number; week: number }>> {
  const { rows } = await totals(db, { ids: JSON.stringify(ids), since })
  return new Map(rows.map(({ itemId, total, week }) => [itemId, { total, week: Number(week ?? 0) }]))
}

const ofVersions = prepared((db, given: Given<{ itemId: string; versions: string }>) =>
  db
    .selectFrom('versionDownloads')
    .select(['version', 'count'])
    .where('itemId', '=', given('itemId'))
    .where('version', 'in', among(db, given('versions'))),
)

export async function listDownloadsOfVersions(
  db: Db,
  itemId: string,
  versions: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await ofVersions(db, { itemId, versions: JSON.stringify(versions) })
  return new Map(rows.map(({ version, count }) => [version, count]))
}
