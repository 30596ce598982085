// How often items and their versions were downloaded, and who else relies on them.
import { among } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'

const totals = prepared((db, given: Bind<{ ids: string; since: string }>) =>
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
    .where('all.itemId', ...among(db, given('ids'))),
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

const relied = prepared((db, given: Bind<{ ids: string }>) =>
  db
    .selectFrom('libraryItem as item')
    .select('item.id')
    .select((row) =>
      row.exists(row.selectFrom('logEntry').select('id').whereRef('itemId', '=', 'item.id')).as('wasSeen'),
    )
    .select((row) =>
      row
        .exists(
          row
            .selectFrom('dependency as named')
            .innerJoin('slug', (join) =>
              join.onRef('slug.kind', '=', 'named.kind').onRef('slug.slug', '=', 'named.slug'),
            )
            .select('named.itemId')
            .whereRef('slug.kind', '=', 'item.kind')
            .whereRef('slug.targetId', '=', 'item.id')
            .whereRef('named.itemId', '<>', 'item.id')
            .where('named.shown', '=', 1),
        )
        .as('isUsed'),
    )
    .where('item.id', ...among(db, given('ids'))),
)

/** Whether everybody could see items at any time, and whether other items use them. */
export async function listRelied(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { wasSeen: boolean; isUsed: boolean }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await relied(db, { ids: JSON.stringify(ids) })
  return new Map(rows.map(({ id, wasSeen, isUsed }) => [id, { wasSeen: Boolean(wasSeen), isUsed: Boolean(isUsed) }]))
}

const ofVersions = prepared((db, given: Bind<{ itemId: string; versions: string }>) =>
  db
    .selectFrom('versionDownloads')
    .select(['version', 'count'])
    .where('itemId', '=', given('itemId'))
    .where('version', ...among(db, given('versions'))),
)

export async function listDownloadsOfVersions(
  db: Db,
  itemId: string,
  versions: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await ofVersions(db, { itemId, versions: JSON.stringify(versions) })
  return new Map(rows.map(({ version, count }) => [version, count]))
}
