// How items are stored. The handle comes first, so that the caller chooses between the pool and a transaction it already
// holds; what needs a lock asks for Transaction in its type.
import { type Insertable, type Selectable, sql } from 'kysely'
import { rowsOf } from '../../content/rows/row-queries.ts'
import { among } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type {
  Db,
  ItemVersionTable,
  LibraryItemTable,
  MembershipTable,
  OrgUploadTable,
  Transaction,
} from '../../database/schema.ts'
import type { Kind } from './item-contract.ts'
import { item } from './subject.ts'

// What accounts are to items: by themselves, and by a role in the team that holds an item.

type Membership = Pick<MembershipTable, 'itemId' | 'accountId'>

const membership = prepared((db, given: Bind<Membership>) =>
  db
    .selectFrom('membership')
    .select(['itemId', 'accountId', 'role'])
    .where('itemId', '=', given('itemId'))
    .where('accountId', '=', given('accountId')),
)

export async function findMembership(db: Db, key: Membership) {
  return (await membership(db, key)).rows[0]
}

const rolesOn = prepared(
  (db, given: Bind<{ accountId: string; items: string }>) =>
    db
      .selectFrom('membership')
      .select(['itemId', 'role'])
      .where('accountId', '=', given('accountId'))
      .where('itemId', ...among(db, given('items')))
      .unionAll(
        db
          .selectFrom('libraryItem as item')
          .innerJoin('teamMember as member', 'member.teamId', 'item.teamId')
          .select(['item.id as itemId', rolesInTeams])
          .where('member.accountId', '=', given('accountId'))
          .where('item.id', ...among(db, given('items'))),
      ),
  { cached: true },
)

/** What roles in a team are on its items (teams/rules.ts). */
const rolesInTeams = sql<MembershipTable['role']>`case member.role when 'owner' then 'owner' else 'maintainer' end`.as(
  'role',
)

/** The roles of an account on these items, where it has one. */
export async function listRoles(
  db: Db,
  accountId: string,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, MembershipTable['role']>> {
  const { rows } = await rolesOn(db, { accountId, items: JSON.stringify(itemIds) })
  return new Map(rows.map(({ itemId, role }) => [itemId, role]))
}

export const itemColumns = [
  ...['rowId', 'id', 'kind', 'slug', 'name', 'description', 'ownerId', 'teamId', 'heldSince', 'visibility', 'listed'],
  ...['hidden', 'gallery', 'version', 'newestVersion', 'yanked', 'deprecation', 'successor', 'tags', 'keywords'],
  ...['score', 'commentCount', 'createdAt', 'viaClientId'],
] as const
/** An item whose row is locked. */
export type StoredItem = Pick<Selectable<LibraryItemTable>, (typeof itemColumns)[number]>
export type ItemRow = Awaited<ReturnType<typeof findItem>> & {}
export type StoredVersion = Selectable<ItemVersionTable>
/** A version and its file. */
export type VersionFile = Pick<StoredVersion, 'version' | 'sha256' | 'size'>

const shown = (db: Db) =>
  db
    .selectFrom('libraryItem as item')
    .leftJoin('user as owner', 'owner.id', 'item.ownerId')
    .leftJoin('team', (join) => join.onRef('team.id', '=', 'item.teamId').on('team.hidden', '=', 0))
    .select(['team.slug as teamSlug', 'team.name as teamName', 'item.teamId'])
    .select(['item.rowId', 'item.id', 'item.kind', 'item.slug', 'item.name', 'item.description', 'item.version'])
    .select(['item.visibility', 'item.gallery', 'item.tags', 'item.sha256', 'item.size', 'item.score'])
    .select(['item.commentCount', 'item.createdAt', 'item.updatedAt', 'item.ownerId', 'item.hidden', 'item.heldSince'])
    .select(['item.yanked', 'item.newestVersion', 'item.deprecation', 'item.successor', 'item.license'])
    .select('item.viaClientId')
    .select(['owner.username as ownerUsername', 'owner.name as ownerName', 'owner.blockedAt as authorBlockedAt'])

/** Everything an item shows in a list, with its owner: nothing of a blocked account, which is hidden in the background. */
export const rows = (db: Db) => shown(db).select('item.meta').where('owner.blockedAt', 'is', null)

/** The same with the whole of `meta`. */
const whole = (db: Db) =>
  shown(db)
    .innerJoin('versionDetails as details', (join) =>
      join.onRef('details.itemId', '=', 'item.id').onRef('details.version', '=', 'item.version'),
    )
    .select((row) => row.fn.coalesce('details.meta', 'item.meta').as('meta'))

const byId = prepared((db, given: Bind<{ id: string }>) => whole(db).where('item.id', '=', given('id')))

const bySlug = prepared((db, given: Bind<{ kind: Kind; slug: string }>) =>
  whole(db).where('item.kind', '=', given('kind')).where('item.slug', '=', given('slug')),
)

const byFormerSlug = prepared((db, given: Bind<{ kind: Kind; slug: string }>) =>
  whole(db)
    .innerJoin('slug', 'slug.targetId', 'item.id')
    .where('slug.kind', '=', given('kind'))
    .where('slug.slug', '=', given('slug')),
)

/** An item by its id, or by its kind and a slug: that of today, or one that it had before. */
export async function findItem(db: Db, ref: { id: string } | { kind: Kind; slug: string }) {
  if ('id' in ref) return (await byId(db, ref)).rows[0]
  return (await bySlug(db, ref)).rows[0] ?? (await byFormerSlug(db, ref)).rows[0]
}

/** The same, where it has to be there; throws `not_found`. */
export async function getItem(db: Db, ref: { id: string }): Promise<ItemRow> {
  const found = await findItem(db, ref)
  if (!found) throw noSuchItem()
  return found
}

const several = prepared((db, given: Bind<{ ids: string }>) =>
  db
    .selectFrom('libraryItem as item')
    .leftJoin('user as owner', 'owner.id', 'item.ownerId')
    .select(['item.id', 'item.kind', 'item.slug', 'item.name', 'item.ownerId', 'item.teamId', 'item.visibility'])
    .select(['item.gallery', 'item.hidden', 'owner.blockedAt as authorBlockedAt'])
    .where('item.id', ...among(db, given('ids'))),
)

/** What items are called, and what decides who sees them. */
export const listItems = async (db: Db, ids: readonly string[]) =>
  (await several(db, { ids: JSON.stringify(ids) })).rows

const ofGallery = prepared((db, given: Bind<{ ids: string }>) =>
  db
    .selectFrom('orgUpload as org')
    .select(['org.id', 'org.bannerUrl', 'org.runCount', 'org.commentCount'])
    .where('org.id', ...among(db, given('ids'))),
)

export type GalleryFacts = Pick<Selectable<OrgUploadTable>, 'bannerUrl' | 'runCount' | 'commentCount'>

/** What the gallery counts and shows of these orgs of its own, by their ids. */
export async function listGalleryFacts(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, GalleryFacts>> {
  if (ids.length === 0) return new Map()
  return new Map((await ofGallery(db, { ids: JSON.stringify(ids) })).rows.map(({ id, ...facts }) => [id, facts]))
}

/** Locks an item until the transaction ends, and adds to scores; a missing item is `not_found`. */
export const {
  lock: lockItem,
  findAny: findAnyItem,
  findLockedAny: findLockedItem,
  addScores: addToItems,
  noSuchThing: noSuchItem,
} = rowsOf<StoredItem>(item, itemColumns)

/** Locks an item that may be hidden until the transaction ends; a missing one is `not_found`. */
export async function lockAnyItem(db: Transaction, id: string): Promise<StoredItem> {
  const found = await findLockedItem(db, id)
  if (!found) throw noSuchItem()
  return found
}

/** Ids of an account's items after one, in order, hidden ones too; orgs of the gallery are the gallery's own. */
export async function listIdsOf(
  db: Db,
  { authorId, after, limit }: { authorId: string; after: string; limit: number },
) {
  const ids = db.selectFrom('libraryItem').select('id').where('ownerId', '=', authorId).where('id', '>', after)
  return (await ids.where('gallery', '=', 0).orderBy('id').limit(limit).execute()).map(({ id }) => id)
}

/** Stores a new item and gives its small key. */
export async function insertItem(db: Transaction, item: Insertable<LibraryItemTable>): Promise<number> {
  const { rowId } = await db.insertInto('libraryItem').values(item).returning('rowId').executeTakeFirstOrThrow()
  return rowId
}

export const updateItem = inTransaction.updateTable('libraryItem', 'id')

/** Removes the item; versions, tags, text and what was read go with it by the schema. */
export const deleteItem = inTransaction.deleteFrom('libraryItem', 'id')

export async function insertVersion(
  db: Transaction,
  version: Omit<Insertable<ItemVersionTable>, 'number'>,
): Promise<void> {
  const { last } = await db
    .selectFrom('itemVersion')
    .select((column) => column.fn.max('number').as('last'))
    .where('itemId', '=', version.itemId)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('itemVersion')
    .values({ ...version, number: (last ?? 0) + 1 })
    .execute()
}

/** UTF-16 units of a changelog in a list, before the `…` that says that there is more. */
const LISTED_CHANGELOG = 1_000
const glimpse = (text: string) =>
  text.length > LISTED_CHANGELOG ? `${text.slice(0, LISTED_CHANGELOG).replace(/[\ud800-\udbff]$/, '')}…` : text

const listedColumns = [
  ...['itemId', 'number', 'version', 'precedence', 'sha256', 'size', 'createdAt', 'license'],
  ...['yankedAt', 'yankReason', 'yankedByAdmin', 'viaClientId'],
] as const
export const versionColumns = [...listedColumns, 'changelog'] as const

/** No version has a greater one. */
const MAX_NUMBER = 2 ** 31 - 1

const versionsOf = prepared((db, given: Bind<{ itemId: string; below: number; limit: number; offset: number }>) =>
  db
    .selectFrom('itemVersion')
    .select(listedColumns)
    .select(sql<string | null>`substr(changelog, 1, ${sql.lit(LISTED_CHANGELOG + 1)})`.as('changelog'))
    .where('itemId', '=', given('itemId'))
    .where('number', '<', given('below'))
    .orderBy('number', 'desc')
    .limit(given('limit'))
    .offset(given('offset')),
)

/** Newest first: a version is always newer than those before it. Of a longer changelog a list has the beginning. */
export async function listVersions(
  db: Db,
  itemId: string,
  { below = MAX_NUMBER, ...range }: { limit: number; offset: number; below?: number | undefined },
): Promise<readonly StoredVersion[]> {
  const { rows } = await versionsOf(db, { itemId, below, ...range })
  return rows.map(({ changelog, ...row }) => ({ ...row, changelog: changelog && glimpse(changelog) }))
}

const versionByPrecedence = prepared((db, given: Bind<{ itemId: string; precedence: string }>) =>
  db
    .selectFrom('itemVersion')
    .select(versionColumns)
    .where('itemId', '=', given('itemId'))
    .where('precedence', '=', given('precedence')),
)

export async function findVersion(db: Db, itemId: string, precedence: string): Promise<StoredVersion | undefined> {
  const { rows } = await versionByPrecedence(db, { itemId, precedence })
  return rows[0]
}

/** Of all versions, in bytes. */
export async function sumSizes(db: Db, itemId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('itemVersion')
    .select((row) => row.fn.sum<number | string | null>('size').as('bytes'))
    .where('itemId', '=', itemId)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}
