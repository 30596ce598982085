// What changes about a version after its publication. The row of the item is locked by the transaction that writes.
import { locksRows } from '../../database/engine.ts'
import type { Db, DependencyTable, Transaction } from '../../database/schema.ts'
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

type Named = Pick<DependencyTable, 'kind' | 'slug'>

/**
 * Keeps what a version names, and holds the names until the transaction ends: an item of one of them is not deleted until then
 * (`holdName`). Names are held in one order.
 */
export async function insertDependencies(
  db: Transaction,
  { itemId, version, names }: { itemId: string; version: string; names: readonly Named[] },
): Promise<void> {
  const distinct = [...new Map(names.map(({ kind, slug }) => [`${kind}/${slug}`, { kind, slug }])).values()]
  if (distinct.length === 0) return
  for (const group of inGroups(distinct)) {
    const rows = group.map((name) => ({ itemId, version, ...name }))
    await db.insertInto('dependency').values(rows).execute()
  }
  if (!locksRows(db)) return
  for (const group of inGroups(distinct.toSorted(byName))) {
    await db
      .selectFrom('slug')
      .select('slug')
      .where((row) => row.or(group.map((name) => row.and(name))))
      .orderBy('kind')
      .orderBy('slug')
      .forShare()
      .execute()
  }
}

const byName = (a: Named, b: Named) => (`${a.kind} ${a.slug}` < `${b.kind} ${b.slug}` ? -1 : 1)

/** A statement has a bounded number of values. */
const GROUP = 100
const inGroups = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / GROUP) }, (_, at) => all.slice(at * GROUP, (at + 1) * GROUP))

/** Forgets what is counted and kept of a version that is gone; the total of its item stays. */
export async function deleteCounts(
  db: Transaction,
  { itemId, version }: Pick<StoredVersion, 'itemId' | 'version'>,
): Promise<void> {
  await db.deleteFrom('versionDownloads').where('itemId', '=', itemId).where('version', '=', version).execute()
  await db.deleteFrom('dependency').where('itemId', '=', itemId).where('version', '=', version).execute()
}
