// The names in versions that count as uses, their locks, and the backfill of those from before they were stored.
// user-queries.ts finds the items that use one.
import { locksRows } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db, DependencyTable, Transaction } from '../../database/schema.ts'
import type { StoredItem } from '../items/queries.ts'

type Name = Pick<DependencyTable, 'kind' | 'slug'>

/** Distinct, in the same order in all transactions. */
const distinct = (names: readonly Name[]): Name[] =>
  [...new Map(names.map(({ kind, slug }) => [`${kind} ${slug}`, { kind, slug }]))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, name]) => name)

/** Distinct, in their order, each with its place. */
const placed = (names: readonly Name[]) =>
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
type ShownVersion = Pick<StoredItem, 'id' | 'version' | 'listed'>

const hiding = prepared(
  (db, given: Bind<{ itemId: string; version: string }>) =>
    db
      .updateTable('dependency')
      .set({ shown: 0 })
      .where('itemId', '=', given('itemId'))
      .where('version', '<>', given('version'))
      .where('shown', '=', 1),
  { pipelined: true },
)
const showing = prepared(
  (db, given: Bind<{ itemId: string; version: string }>) =>
    db
      .updateTable('dependency')
      .set({ shown: 1 })
      .where('itemId', '=', given('itemId'))
      .where('version', '=', given('version'))
      .where('shown', '=', 0),
  { pipelined: true },
)

/** Updates which names count as uses when the shown version of an item changes; `before` is undefined for a new item. */
export async function updateUses(
  db: Transaction,
  before: ShownVersion | undefined,
  after: ShownVersion,
): Promise<void> {
  const [was, is] = [before, after].map((item) => (item?.listed === 1 ? item.version : undefined))
  if (was === is) return
  if (was !== undefined) await hiding(db, { itemId: after.id, version: is ?? '' })
  if (is !== undefined) await showing(db, { itemId: after.id, version: is })
}

const named = prepared((db, given: Bind<{ itemId: string; version: string }>) =>
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

/** Versions whose names count as uses and should not, or the other way round; some of them. */
export function listWronglyShown(db: Db, limit: number): Promise<{ itemId: string; version: string }[]> {
  return db
    .selectFrom('dependency as named')
    .innerJoin('libraryItem as item', 'item.id', 'named.itemId')
    .select(['named.itemId', 'named.version'])
    .distinct()
    .where((row) =>
      row.or([
        row.and([
          row('named.shown', '=', 1),
          row.or([row('item.listed', '=', 0), row('item.version', '<>', row.ref('named.version'))]),
        ]),
        row.and([
          row('named.shown', '=', 0),
          row('item.listed', '=', 1),
          row('item.version', '=', row.ref('named.version')),
        ]),
      ]),
    )
    .orderBy('named.itemId')
    .orderBy('named.version')
    .limit(limit)
    .execute()
}

/** In the contents of a version that has the names of its steps; no text within them can have it, since its quotes are escaped. */
const WITH_STEPS = '%"stepNames":[%'

/** Items after an id whose current version has no names that were stored in their order, and workflows without names of steps, by id. */
export function listUnread(db: Db, after: string, limit: number) {
  return db
    .selectFrom('libraryItem as item')
    .select(['item.id', 'item.kind', 'item.version', 'item.sha256', 'item.size'])
    .where('item.id', '>', after)
    .where((row) =>
      row.or([
        row.not(
          row.exists(
            row
              .selectFrom('dependency as named')
              .select('named.slug')
              .whereRef('named.itemId', '=', 'item.id')
              .whereRef('named.version', '=', 'item.version')
              .where('named.place', 'is not', null),
          ),
        ),
        row.and([
          row('item.kind', '=', 'workflow'),
          row.exists(
            row
              .selectFrom('versionDetails as details')
              .select('details.version')
              .whereRef('details.itemId', '=', 'item.id')
              .where('details.contents', 'not like', WITH_STEPS),
          ),
        ]),
      ]),
    )
    .orderBy('item.id')
    .limit(limit)
    .execute()
}

/** The versions of a workflow whose steps have no names in what is stored, each with its file. */
export function listNameless(db: Db, itemId: string) {
  return db
    .selectFrom('versionDetails as details')
    .innerJoin('itemVersion as one', (join) =>
      join.onRef('one.itemId', '=', 'details.itemId').onRef('one.version', '=', 'details.version'),
    )
    .select(['one.version', 'one.sha256', 'one.size'])
    .where('details.itemId', '=', itemId)
    .where('details.contents', 'not like', WITH_STEPS)
    .orderBy('one.number')
    .execute()
}

/** Stores the names in a version, except those that are stored already. */
export async function insertMissing(
  db: Transaction,
  { itemId, version, names }: { itemId: string; version: string; names: readonly Name[] },
): Promise<void> {
  const rows = placed(names).map((name) => ({ itemId, version, ...name }))
  await db
    .insertInto('dependency')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['itemId', 'version', 'kind', 'slug'])
        .doUpdateSet((row) => ({ place: row.ref('excluded.place') })),
    )
    .execute()
}
