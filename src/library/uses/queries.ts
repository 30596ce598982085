// What versions name, and which items use an item: those that lists have and whose current versions name it, by its name of today or one
// that it had before.
import { type SelectQueryBuilder, sql } from 'kysely'
import { among, locking, locksRows } from '../../database/engine.ts'
import { type Given, prepared, preparedEach } from '../../database/prepared.ts'
import type { Db, DependencyTable, Transaction } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { type ItemRow, rows, type StoredItem } from '../queries.ts'

type Name = Pick<DependencyTable, 'kind' | 'slug'>

/** Each once, in one order for all transactions. */
const distinct = (names: readonly Name[]): Name[] =>
  [...new Map(names.map(({ kind, slug }) => [`${kind} ${slug}`, { kind, slug }]))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, name]) => name)

/** A statement has a bounded number of values. */
const GROUP = 100
const inGroups = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / GROUP) }, (_, at) => all.slice(at * GROUP, (at + 1) * GROUP))

/** Holds names until the transaction ends: no item of one of them is deleted until then (`isUsed`). Before any counter is locked. */
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

/** Keeps what a version names; the names are held. */
export async function insertDependencies(
  db: Transaction,
  { itemId, version, names }: { itemId: string; version: string; names: readonly Name[] },
): Promise<void> {
  for (const group of inGroups(distinct(names))) {
    const rows = group.map((name) => ({ itemId, version, ...name }))
    await db.insertInto('dependency').values(rows).execute()
  }
}

/** Forgets what a version names. */
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

/** Lets the names of the version that an item shows count as uses, as far as that changed; `before` is undefined for a new item. */
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
    .orderBy('kind')
    .orderBy('slug'),
)

/** What a version names, in the order of the names. */
export async function listNames(db: Db, of: { itemId: string; version: string }): Promise<readonly Name[]> {
  return (await named(db, of)).rows
}

const slugs = prepared((db, given: Given<{ itemId: string }>) =>
  db.selectFrom('slug').select('slug').where('targetId', '=', given('itemId')).orderBy('slug'),
)

/** Users of one item are counted so far, and no page goes beyond. */
export const MAX_USERS = 1_000

type Asked = { id: string; kind: StoredItem['kind'] } & Record<`slug${number}`, string>

const usersOf = preparedEach(
  (names: number) => String(names),
  (db, names: number, given: Given<Asked>) => {
    const one = (at: number): SelectQueryBuilder<object, never, { itemId: string }> => {
      const of = db
        .selectFrom('dependency as named')
        .innerJoin('libraryItem as item', 'item.id', 'named.itemId')
        .leftJoin('user as owner', 'owner.id', 'item.ownerId')
        .select('named.itemId')
        .where('named.kind', '=', given('kind'))
        .where('named.slug', '=', given(`slug${at}`))
        .where('named.shown', '=', 1)
        .where('named.itemId', '<>', given('id'))
        .where('owner.blockedAt', 'is', null)
        .orderBy('named.itemId', 'desc')
        .limit(sql.lit(MAX_USERS))
      return db.selectFrom(of.as('some')).select('some.itemId') as never
    }
    const rest = Array.from({ length: names - 1 }, (_, at) => one(at + 1))
    return rest.reduce((all, next) => all.union(next), one(0))
  },
)

/** The ids of the items that use an item and whose owners are not blocked, newest first, `MAX_USERS` at most. */
export async function listUserIds(db: Db, { id, kind }: Pick<StoredItem, 'id' | 'kind'>): Promise<string[]> {
  const names = (await slugs(db, { itemId: id })).rows
  if (names.length === 0) return []
  const given = Object.fromEntries(names.map(({ slug }, at) => [`slug${at}`, slug]))
  const found = await usersOf(db, names.length, { id, kind, ...given })
  return found.rows
    .map(({ itemId }) => itemId)
    .sort()
    .reverse()
    .slice(0, MAX_USERS)
}

/** Items by their ids, in the order of these. */
export async function listItems(db: Db, ids: readonly string[]): Promise<ItemRow[]> {
  const found = await rows(db)
    .where('item.id', 'in', among(db, JSON.stringify(ids)))
    .execute()
  const byId = new Map(found.map((row) => [row.id, row]))
  return ids.filter((id) => byId.has(id)).map((id) => required(byId.get(id)))
}

/** Whether an item is used by another one. No version that names it is published until the transaction ends. */
export async function isUsed(db: Transaction, { id, kind }: Pick<StoredItem, 'id' | 'kind'>): Promise<boolean> {
  const names = db.selectFrom('slug').select('slug').where('kind', '=', kind).where('targetId', '=', id)
  const held = await locking(db, names.orderBy('slug')).execute()
  if (held.length === 0) return false
  const row = await db
    .selectFrom('dependency')
    .select('itemId')
    .where('kind', '=', kind)
    .where(
      'slug',
      'in',
      held.map(({ slug }) => slug),
    )
    .where('shown', '=', 1)
    .where('itemId', '<>', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
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

const ONE = 1

/** How far items from before names were stored are taken in. */
export function findFilling(db: Db) {
  return db.selectFrom('useFilling').select(['after', 'doneAt']).where('id', '=', ONE).executeTakeFirstOrThrow()
}

export async function updateFilling(db: Db, values: { after: string; doneAt: string | null }): Promise<void> {
  await db.updateTable('useFilling').set(values).where('id', '=', ONE).execute()
}

/** Orgs and automations after one whose current version has no names stored, in the order of their ids. */
export function listUnread(db: Db, after: string, limit: number) {
  return db
    .selectFrom('libraryItem as item')
    .select(['item.id', 'item.kind', 'item.version', 'item.sha256', 'item.size'])
    .where('item.id', '>', after)
    .where('item.kind', 'in', ['org', 'automation'])
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('dependency as named')
            .select('named.slug')
            .whereRef('named.itemId', '=', 'item.id')
            .whereRef('named.version', '=', 'item.version'),
        ),
      ),
    )
    .orderBy('item.id')
    .limit(limit)
    .execute()
}

/** Keeps what a version names, as far as that is not kept. */
export async function insertMissing(
  db: Transaction,
  { itemId, version, names }: { itemId: string; version: string; names: readonly Name[] },
): Promise<void> {
  const rows = distinct(names).map((name) => ({ itemId, version, ...name }))
  await db
    .insertInto('dependency')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['itemId', 'version', 'kind', 'slug']).doNothing())
    .execute()
}
