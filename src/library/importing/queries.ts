// Items of an account by the names that they were made from.
import type { Db, SlugTable } from '../../database/schema.ts'

/** The oldest item of an account whose address was made from a name. */
export const findOwn = (db: Db, { kind, base, ownerId }: Pick<SlugTable, 'kind' | 'base'> & { ownerId: string }) =>
  db
    .selectFrom('slug')
    .innerJoin('libraryItem as item', 'item.id', 'slug.targetId')
    .select(['item.id', 'item.slug', 'item.ownerId'])
    .where('slug.kind', '=', kind)
    .where('slug.base', '=', base)
    .where('item.ownerId', '=', ownerId)
    .orderBy('item.id')
    .limit(1)
    .executeTakeFirst()
