// Which items use an item, by each of its names.
import { type SelectQueryBuilder, sql } from 'kysely'
import { among, locking } from '../../database/engine.ts'
import { type Bind, prepared, preparedEach } from '../../database/prepared.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { type ItemRow, rows, type StoredItem } from '../items/queries.ts'

const slugs = prepared((db, given: Bind<{ itemId: string }>) =>
  db.selectFrom('slug').select('slug').where('targetId', '=', given('itemId')).orderBy('slug'),
)

/** The most users of one item that are counted and listed. */
export const MAX_USERS = 1_000

type ItemNames = { id: string; kind: StoredItem['kind'] } & Record<`slug${number}`, string>

const usersOf = preparedEach(
  (names: number) => String(names),
  (db, names: number, given: Bind<ItemNames>) => {
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
    .where('item.id', ...among(db, JSON.stringify(ids)))
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
