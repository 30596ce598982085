// The items that can be plugins: those that everybody sees, with the version that each shows.
import { sql } from 'kysely'
import type { Db } from '../../database/schema.ts'
import type { PluginKind } from './bounds.ts'

/** The best of one kind, along the index of its list. */
export function listBest(db: Db, kind: PluginKind, limit: number) {
  return db
    .selectFrom('libraryItem as item')
    .innerJoin('itemVersion as version', (join) =>
      join.onRef('version.itemId', '=', 'item.id').onRef('version.version', '=', 'item.version'),
    )
    .leftJoin('user as owner', 'owner.id', 'item.ownerId')
    .leftJoin('team', (join) => join.onRef('team.id', '=', 'item.teamId').on('team.hidden', '=', 0))
    .select(['item.id', 'item.slug', 'item.name', 'item.description', 'item.version', 'item.license'])
    .select(sql.lit(kind).as('kind'))
    .select(['item.sha256', 'item.size', 'item.deprecation', 'item.rank', 'item.updatedAt'])
    .select(['version.createdAt', 'owner.name as ownerName', 'team.name as teamName'])
    .where('item.kind', '=', sql.lit(kind))
    .where('item.listed', '=', 1)
    .where('item.yanked', '=', 0)
    .where('owner.blockedAt', 'is', null)
    .orderBy('item.rank', 'desc')
    .orderBy('item.updatedAt', 'desc')
    .orderBy('item.id', 'desc')
    .limit(limit)
    .execute()
}

export type PluginRow = Awaited<ReturnType<typeof listBest>>[number]
