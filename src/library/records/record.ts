// Items that a caller may know of, and an item as the API responds with it, made from its row.
import { stateOf } from '../../content/hiding/rules.ts'
import { permissionsOf } from '../../content/subject.ts'
import { viaOf } from '../../content/via.ts'
import { withMyVotes } from '../../content/votes/queries.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { precedenceOf } from '../../formats/version.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { parseJson, required } from '../../runtime/untyped.ts'
import type { readFileOf } from '../files/file.ts'
import { lockMember } from '../holders/team-queries.ts'
import { listDownloads, listDownloadsOfVersions, listRelied } from '../items/download-total-queries.ts'
import { type Item, type ItemVersion, type Kind, KindName } from '../items/item-contract.ts'
import {
  findItem,
  findMembership,
  findVersion,
  type GalleryFacts,
  type ItemRow,
  listGalleryFacts,
  listRoles,
  lockAnyItem,
  lockItem,
  noSuchItem,
  type StoredItem,
  type StoredVersion,
} from '../items/queries.ts'
import {
  assertVersion,
  canSee,
  type ItemRole,
  isHolder,
  isListed,
  itemRoleOf,
  permittedTo,
  pluralOf,
  weekBefore,
  whyKept,
} from '../items/rules.ts'
import { item } from '../items/subject.ts'
import { domainProofs } from '../name-domains/domains.ts'
import { listFigures, listFiguresOfItems, type StoredFigures } from '../outcome-figures/queries.ts'
import { outcomesOf } from '../outcome-figures/showing.ts'

/** An item with the role of the caller, where that was looked up. */
export type SeenItem = ItemRow & { role?: ItemRole | undefined }

/** Below the site's origin; the feed links here. */
export const pathOf = ({ kind, slug }: Pick<ItemRow, 'kind' | 'slug'>): string => `/library/${pluralOf(kind)}/${slug}`

export const artifactUrl = (baseUrl: string, id: string): string => `${baseUrl}/api/library/items/${id}/artifact`

/** Items with the caller's own votes. */
export async function itemsOf(
  { db, caller, config, now }: Pick<Context, 'db' | 'config' | 'now'> & { caller: Caller | undefined },
  rows: readonly SeenItem[],
): Promise<Item[]> {
  const voted = await withMyVotes(db, caller, await withRoles<SeenItem>(db, caller, rows))
  const via = await viaOf({ db, config }, rows)
  const permissions = permissionsOf(item, caller)
  // Admins delete anything, and the gallery its orgs.
  const owns = (row: SeenItem) =>
    caller?.role !== 'admin' && !row.gallery && permissions(permittedTo(caller, row)).delete
  const ids = rows.map(({ id }) => id)
  const [isProven, downloads, relied, figures, shown] = await Promise.all([
    domainProofs(db, now, rows),
    listDownloads(db, ids, weekBefore(now)),
    listRelied(
      db,
      voted.filter(owns).map(({ id }) => id),
    ),
    listFiguresOfItems(db, ids),
    listGalleryFacts(
      db,
      rows.filter(({ gallery }) => gallery === 1).map(({ id }) => id),
    ),
  ])
  return voted.map((row) => {
    const { edit, ...can } = permissions(permittedTo(caller, row))
    // The gallery edits its orgs itself.
    const own = row.gallery ? { edit: false, manage: false } : { edit: edit || row.role === 'maintainer' }
    const counted = {
      ...{ via: via(row), downloads: downloads.get(row.id) ?? { total: 0, week: 0 } },
      ...outcomesOf(figures.get(row.id)),
    }
    const { wasSeen = false, isUsed = false } = relied.get(row.id) ?? {}
    const isOwn = relied.has(row.id)
    const isKept =
      isOwn &&
      (isListed(row) || wasSeen) &&
      whyKept({ createdAt: row.createdAt, downloads: counted.downloads.total, isUsed }, now)
    return {
      ...itemOf(isProven(row) ? withVerified(row) : row, config.baseUrl),
      ...counted,
      ...galleryOf(shown.get(row.id)),
      can: { ...can, delete: can.delete && !isKept, ...own },
    }
  })
}

/** What the gallery counts and shows of one of its orgs. */
const galleryOf = (facts: GalleryFacts | undefined) =>
  facts && {
    ...{ comment_count: facts.commentCount, run_count: facts.runCount },
    ...(facts.bannerUrl !== null && { banner_url: facts.bannerUrl }),
  }

/** The row of an item whose name a domain proves: that is no word of a file, and can end. */
const withVerified = <Row extends { meta: string }>(row: Row): Row => ({
  ...row,
  meta: JSON.stringify({ ...parseJson<object>(row.meta), verified: true }),
})

export async function oneItem(
  context: Pick<Context, 'db' | 'config' | 'now'> & { caller: Caller | undefined },
  row: SeenItem,
): Promise<Item> {
  const [item] = await itemsOf(context, [row])
  return required(item)
}

function itemOf(row: ItemRow & { myVote: Item['my_vote'] }, baseUrl: string): Omit<Item, 'can' | 'via'> {
  const state = stateOf(row)
  return {
    id: row.id,
    kind: row.kind,
    slug: row.slug,
    name: row.name,
    description: row.description,
    version: row.version,
    visibility: row.visibility,
    tags: parseJson<string[]>(row.tags),
    owner: { id: row.ownerId, username: row.ownerUsername, name: row.ownerName },
    ...teamOf(row),
    sha256: row.sha256,
    size: row.size,
    meta: parseJson<Record<string, unknown>>(row.meta),
    score: row.score,
    my_vote: row.myVote,
    comment_count: row.commentCount,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    url: baseUrl + pathOf(row),
    artifact_url: artifactUrl(baseUrl, row.id),
    ...(row.license !== null && { license: row.license }),
    ...(row.yanked === 1 && { yanked: true as const }),
    ...(row.deprecation !== null && { deprecated: { message: row.deprecation, successor: row.successor } }),
    ...(state && { state }),
  }
}

/** The team that holds an item, where that shows. */
export const teamOf = ({ teamSlug: slug, teamName: name }: Pick<ItemRow, 'teamSlug' | 'teamName'>) =>
  slug !== null && name !== null ? { team: { slug, name } } : {}

/** What is counted of versions, by their versions. */
export interface VersionCounts {
  downloads: ReadonlyMap<string, number>
  figures: ReadonlyMap<string, StoredFigures>
}

/** Downloads and figures of versions of an item. */
export async function countsOf(db: Db, itemId: string, versions: readonly string[]): Promise<VersionCounts> {
  const [downloads, figures] = await Promise.all([
    listDownloadsOfVersions(db, itemId, versions),
    listFigures(db, itemId, versions),
  ])
  return { downloads, figures }
}

/** A version as the API responds with it; `url` is the download address of its item. */
export function versionOf(
  { version, sha256, size, createdAt, yankedAt, yankReason, changelog, license }: StoredVersion,
  url: string,
  { downloads, figures }: VersionCounts,
): ItemVersion {
  return {
    version,
    sha256,
    size,
    created_at: createdAt,
    artifact_url: `${url}?version=${encodeURIComponent(version)}`,
    ...(yankedAt !== null && { yanked_at: yankedAt, ...(yankReason !== null && { yank_reason: yankReason }) }),
    ...(changelog !== null && { changelog }),
    ...(license !== null && { license }),
    downloads: downloads.get(version) ?? 0,
    ...outcomesOf(figures.get(version)),
  }
}

export type Ref = { id: string } | { kind: Kind; slug: string }

/** An id, or a kind, a slash and a slug. */
export function refOf(name: string): Ref {
  const [kindName, slug, ...rest] = name.split('/')
  const kind = KindName.safeParse(kindName)
  return kind.success && slug !== undefined && rest.length === 0 ? { kind: kind.data, slug } : { id: name }
}

/** The item, if the caller may know of it; throws `not_found`. */
export async function getVisible(context: Pick<Context, 'db' | 'caller' | 'config'>, ref: Ref): Promise<SeenItem> {
  const { db, caller, config } = context
  const found = await findItem(db, ref)
  const [item] = found ? await withRoles<SeenItem>(db, caller, [found]) : []
  if (!item || !canSee(caller, item) || partsOff(config).kinds.has(item.kind)) throw noSuchItem()
  return item
}

/** Throws `gallery_org`: what belongs to the gallery is changed there. */
export function assertNotOfGallery({ gallery }: { gallery: number }): void {
  if (gallery) throw new Problem('gallery_org', 'This org belongs to the gallery; change it there')
}

/** A version of an item; throws `invalid_request` for what is no version, and `not_found`. */
export async function getVersion(
  { db }: Pick<Context, 'db'>,
  { id }: { id: string },
  asked: string,
): Promise<StoredVersion> {
  assertVersion(asked)
  const found = await findVersion(db, id, precedenceOf(asked))
  if (!found) throw new Problem('not_found', `There is no version ${asked} of this item`)
  return found
}

interface ItemHolder {
  id: string
  ownerId: string
  teamId: string | null
}

/** The role of an account on a locked item, which it keeps until the transaction ends; undefined for none. */
export async function roleOn(
  db: Transaction,
  accountId: string,
  { id, ownerId, teamId }: ItemHolder,
): Promise<ItemRole | undefined> {
  if (teamId !== null) {
    const member = await lockMember(db, { teamId, accountId })
    return member && itemRoleOf(member.role)
  }
  if (ownerId === accountId) return 'owner'
  return (await findMembership(db, { itemId: id, accountId }))?.role
}

/** Items with the role of the caller on each. */
export async function withRoles<Row extends ItemHolder & { gallery: number; role?: ItemRole | undefined }>(
  db: Db,
  caller: { id: string } | undefined,
  rows: readonly Row[],
): Promise<readonly (Row & { role?: ItemRole | undefined })[]> {
  const others = caller ? rows.filter((row) => !isHolder(caller, row) && !row.gallery && !('role' in row)) : []
  if (!caller || others.length === 0) return rows
  const roles = await listRoles(
    db,
    caller.id,
    others.map(({ id }) => id),
  )
  return rows.map((row) => (roles.has(row.id) ? { ...row, role: roles.get(row.id) } : row))
}

/** A locked item with the role of the caller, which is as it is until the transaction ends. */
export type LockedItem = StoredItem & { role: ItemRole | undefined }

/** Locks an item that shows until the transaction ends, with the role that the caller has then; a missing one is `not_found`. */
export async function lockItemFor(db: Transaction, caller: { id: string }, id: string): Promise<LockedItem> {
  const item = await lockItem(db, id)
  return { ...item, role: item.gallery ? undefined : await roleOn(db, caller.id, item) }
}

/** The same for an item that may be hidden. */
export async function lockAnyItemFor(db: Transaction, caller: { id: string }, id: string): Promise<LockedItem> {
  const item = await lockAnyItem(db, id)
  return { ...item, role: item.gallery ? undefined : await roleOn(db, caller.id, item) }
}

/** An item and one of its versions; the current one where none is named. */
export type VersionRequest = Ref & { version?: string | undefined }
/** What reading a file needs: the formats of files are known to `readFile` alone. */
export type ReadContext = Context & { readFile: typeof readFileOf }

/** An item that the caller may know of, and the version asked for or the current one; throws `not_found` or `invalid_request`. */
export async function versionAsked(context: Context, { version: asked, ...ref }: VersionRequest) {
  const item = await getVisible(context, ref)
  return { item, version: asked === undefined ? item : await getVersion(context, item, asked) }
}
