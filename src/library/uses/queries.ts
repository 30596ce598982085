// The names in versions that count as uses, and their locks; user-queries.ts finds the items that use one.
import { locksRows } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import type { Db, DependencyTable, Transaction } from '../../database/schema.ts'
import type { StoredItem } from '../queries.ts'

export type Name = Pick<DependencyTable, 'kind' | 'slug'>

/** Distinct, in the same order in all transactions. */
export const distinct = (names: readonly Name[]): Name[] =>
  [...new Map(names.map(({ kind, slug }) => [`${kind} ${slug}`, { kind, slug }]))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, name]) => name)

/** Distinct, in their order, each with its place. */
export const placed = (names: readonly Name[]) =>
  [...new Map(names.map(({ kind, slug }) => [`${kind} ${slug}`, { kind, slug }])).values()].map((name, place) => ({
    ...name,
    place,
  }))

/** A statement has a bounded number of values. */
const GROUP = 100
const inGroups = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / GROUP) }, (_, at) => all.slice(at * GROUP, (at + 1) * GROUP))

/** Locks names until the transaction ends, so that no item with one of them is deleted before (`isUsed`). Comes before any lock of a counter. */
export async function holdNames(db: Transaction, names: readonly Name[]): Promise<void> {
  if (!locksRows(db)) return
  for (const group of inGroups(distinct(names))) {
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

/** Stores the names in a version; the caller has locked the names. */
export async function insertDependencies(
  db: Transaction,
  { itemId, version, names }: { itemId: string; version: string; names: readonly Name[] },
): Promise<void> {
  for (const group of inGroups(placed(names))) {
    const rows = group.map((name) => ({ itemId, version, ...name }))
    await db.insertInto('dependency').values(rows).execute()
  }
}

/** Deletes the stored names of a version. */
export async function deleteDependencies(
  db: Transaction,
  { itemId, version }: { itemId: string; version: string },
): Promise<void> {
  await db.deleteFrom('dependency').where('itemId', '=', itemId).where('version', '=', version).execute()
}

/** The version of an item whose names are uses; none of an item that lists have not. */
type Shown = Pick<StoredItem, 'id' | 'version' | 'listed'>

const hiding = prepared(
  (db, given: Given<{ itemId: string; version: string }>) =>
    db
      .updateTable('dependency')
      .set({ shown: 0 })
      .where('itemId', '=', given('itemId'))
      .where('version', '<>', given('version'))
      .where('shown', '=', 1),
  { pipelined: true },
)
const showing = prepared(
  (db, given: Given<{ itemId: string; version: string }>) =>
    db
      .updateTable('dependency')
      .set({ shown: 1 })
      .where('itemId', '=', given('itemId'))
      .where('version', '=', given('version'))
      .where('shown', '=', 0),
  { pipelined: true },
)

/** Updates which names count as uses when the shown version of an item changes; `before` is undefined for a new item. */
export async function updateUses(db: Transaction, before: Shown | undefined, after: Shown): Promise<void> {
  const [was, is] = [before, after].map((item) => (item?.listed === 1 ? item.version : undefined))
  if (was === is) return
  if (was !== undefined) await hiding(db, { itemId: after.id, version: is ?? '' })
  if (is !== undefined) await showing(db, { itemId: after.id, version: is })
}

const named = prepared((db, given: Given<{ itemId: string; version: string }>) =>
  db
    .selectFrom('dependency')
    .select(['kind', 'slug'])
    .where('itemId', '=', given('itemId'))
    .where('version', '=', given('version'))
    .orderBy('place')
    .orderBy('kind')
    .orderBy('slug'),
)

/** The names in a version, as its file has them. */
export async function listNames(db: Db, of: { itemId: string; version: string }): Promise<readonly Name[]> {
  return (await named(db, of)).rows
}
