// The versions of MCP servers that everybody sees, as the MCP Registry API lists them: by name, and newest first.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/schema.ts'
import { hasParts } from '../../database/search.ts'

export interface ServerFilters {
  /** In the form in which texts are indexed; '' for any. */
  search: string
  /** ISO 8601; '' for any time. */
  since: string
  /** `latest`, a version without build metadata, or '' for each. */
  version: string
  /** Those too that an admin withholds. */
  withDeleted: boolean
}

/** The newest release that is not yanked; where there is none, the newest prerelease (library/naming/choosing.ts says the same). */
const latest = sql<number | null>`(select v."number" from "itemVersion" v
  where v."itemId" = item.id and v."yankedAt" is null
  order by case when v.precedence like '%-%' then 1 else 0 end, v."number" desc limit 1)`

const versions = (db: Db) =>
  db
    .selectFrom('libraryItem as item')
    .innerJoin('itemVersion as version', 'version.itemId', 'item.id')
    .leftJoin('user as owner', 'owner.id', 'item.ownerId')
    .leftJoin('versionStatement as statement', (join) =>
      join.onRef('statement.itemId', '=', 'item.id').onRef('statement.version', '=', 'version.version'),
    )
    .select([
      'item.id',
      'item.kind',
      'item.slug',
      'item.deprecation',
      'item.updatedAt',
      'item.lifeAt',
      'version.number',
    ])
    .select(['version.version', 'version.sha256', 'version.size', 'version.createdAt', 'version.yankedAt'])
    .select(['version.yankReason', 'version.yankedByAdmin', 'statement.payload', latest.as('latest')])
    .where('item.kind', '=', sql.lit('mcp-server' as const))
    .where('item.listed', '=', 1)
    .where('owner.blockedAt', 'is', null)

export type ServerRow = Awaited<ReturnType<typeof listServerVersions>>[number]

interface Window {
  after: { slug: string; number: number } | undefined
  limit: number
}

/** Some versions of every server, after one. */
export function listServerVersions(
  db: Db,
  { search, since, version, withDeleted }: ServerFilters,
  { after, limit }: Window,
) {
  let query = versions(db).orderBy('item.slug').orderBy('version.number', 'desc').limit(limit)
  if (!withDeleted) query = query.where('version.yankedByAdmin', '=', 0)
  if (version === 'latest') query = query.where('version.number', '=', latest)
  else if (version) query = query.where('version.precedence', '=', version)
  if (since) query = query.where((row) => row.or([row('item.updatedAt', '>=', since), row('item.lifeAt', '>=', since)]))
  if (search) query = query.where(hasText(db, search))
  if (after) {
    const { slug, number } = after
    query = query.where((row) =>
      row.or([row('item.slug', '>', slug), row.and([row('item.slug', '=', slug), row('version.number', '<', number)])]),
    )
  }
  return query.execute()
}

/** The name has it, or what else the library finds an item by. A slug has `_` for the slash of a name. */
function hasText(db: Db, search: string): RawBuilder<boolean> {
  const inText = sql`(select ${hasParts(db, [sql`t.text`], [search])} from "itemText" t where t."rowId" = item."rowId")`
  return sql<boolean>`(${hasParts(db, [sql`item.slug`], [search.replaceAll('/', '_')])} or ${inText})`
}

/** Some versions of one server by the slug of its name, after one. */
export function listVersionsOfServer(
  db: Db,
  { slug, withDeleted }: { slug: string; withDeleted: boolean },
  { after, limit }: Window,
): Promise<ServerRow[]> {
  let query = versions(db).where('item.slug', '=', slug).orderBy('version.number', 'desc').limit(limit)
  if (!withDeleted) query = query.where('version.yankedByAdmin', '=', 0)
  if (after) query = query.where('version.number', '<', after.number)
  return query.execute()
}

/** One version of a server: by its number without build metadata, or the latest. */
export function findServerVersion(
  db: Db,
  { slug, version, withDeleted }: { slug: string; version: string; withDeleted: boolean },
): Promise<ServerRow | undefined> {
  const one = versions(db).where('item.slug', '=', slug)
  const chosen =
    version === 'latest' ? one.where('version.number', '=', latest) : one.where('version.precedence', '=', version)
  return (withDeleted ? chosen : chosen.where('version.yankedByAdmin', '=', 0)).executeTakeFirst()
}
