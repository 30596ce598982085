// Items that a caller may know of, and an item as the API responds with it, made from its row.
import { stateOf } from '../content/hiding/rules.ts'
import { permissionsOf } from '../content/subject.ts'
import { withMyVotes } from '../content/votes/votes.ts'
import { Problem } from '../contract/problem.ts'
import { isVersion, precedenceOf } from '../formats/version.ts'
import type { Caller, Context } from '../request/handler.ts'
import { parseJson, required } from '../runtime/untyped.ts'
import type { Item, ItemVersion, Kind } from './item-contract.ts'
import { findItem, findVersion, type ItemRow, noSuchItem, type StoredVersion } from './queries.ts'
import { canSee, owned, pluralOf } from './rules.ts'
import { item } from './subject.ts'

/** Below the site's origin; the feed links here. */
export const pathOf = ({ kind, slug }: Pick<ItemRow, 'kind' | 'slug'>): string => `/library/${pluralOf(kind)}/${slug}`

export const artifactUrl = (baseUrl: string, id: string): string => `${baseUrl}/api/library/items/${id}/artifact`

/** Items with the caller's own votes. */
export async function itemsOf(
  { db, caller, config }: Pick<Context, 'db' | 'config'> & { caller: Caller | undefined },
  rows: readonly ItemRow[],
): Promise<Item[]> {
  const voted = await withMyVotes(db, caller, rows)
  const permissions = permissionsOf(item, caller)
  return voted.map((row) => {
    const can = permissions(owned(row))
    // The gallery edits its orgs itself.
    return { ...itemOf(row, config.baseUrl), can: row.gallery ? { ...can, edit: false } : can }
  })
}

export async function oneItem(
  context: Pick<Context, 'db' | 'config'> & { caller: Caller | undefined },
  row: ItemRow,
): Promise<Item> {
  const [item] = await itemsOf(context, [row])
  return required(item)
}

function itemOf(row: ItemRow & { myVote: Item['my_vote'] }, baseUrl: string): Omit<Item, 'can'> {
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

/** A version as the API responds with it; `url` is the download address of its item. */
export function versionOf(
  { version, sha256, size, createdAt, yankedAt, yankReason, changelog, license }: StoredVersion,
  url: string,
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
  }
}

export type Ref = { id: string } | { kind: Kind; slug: string }

/** The item, if the caller may know of it; throws `not_found`. */
export async function getVisible({ db, caller }: Pick<Context, 'db' | 'caller'>, ref: Ref): Promise<ItemRow> {
  const item = await findItem(db, ref)
  if (!item || !canSee(caller, item)) throw noSuchItem()
  return item
}

/** A version of an item; throws `invalid_request` for what is no version, and `not_found`. */
export async function getVersion(
  { db }: Pick<Context, 'db'>,
  { id }: { id: string },
  asked: string,
): Promise<StoredVersion> {
  if (!isVersion(asked)) throw new Problem('invalid_request', 'version: must be a semantic version, such as 1.4.2')
  const found = await findVersion(db, id, precedenceOf(asked))
  if (!found) throw new Problem('not_found', `There is no version ${asked} of this item`)
  return found
}
