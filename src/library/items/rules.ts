// What is decided about items, without touching the world.
import type { Selectable } from 'kysely'
import { maySee } from '../../content/hiding/rules.ts'
import { itemFilename, listNameOf } from '../../contract/item-kinds.ts'
import { Problem } from '../../contract/problem.ts'
import type { LibraryItemTable, MembershipTable, TeamMemberTable } from '../../database/schema.ts'
import { compareVersions, isVersion, nextPatch } from '../../formats/version.ts'
import type { Caller } from '../../request/handler.ts'

export const FIRST_VERSION = '1.0.0'

/** How often an account may publish (interface.md, section 8). */
export const UPLOADS = 30
export const UPLOADS_WINDOW_SECONDS = 3600

/** What an account is to an item beside its role in the community. */
export type ItemRole = MembershipTable['role']

export type TeamRole = TeamMemberTable['role']

/** What a role in a team makes an account on the items of the team. */
export const itemRoleOf = (role: TeamRole): ItemRole => (role === 'owner' ? 'owner' : 'maintainer')

/** `role` is that of the caller, where it was looked up (record.ts); without it only the owner of the row has one. */
type OwnedItem = Pick<Selectable<LibraryItemTable>, 'ownerId' | 'teamId' | 'visibility'> & {
  role?: ItemRole | undefined
}

/** Whether an account holds an item by itself; of an item of a team, who published it has no right by that. */
export const isHolder = (
  account: { id: string },
  { ownerId, teamId }: Pick<OwnedItem, 'ownerId' | 'teamId'>,
): boolean => teamId === null && account.id === ownerId

/** An item as the rules of subjects look at it. */
export const owned = ({
  id,
  ownerId,
  commentCount,
}: Pick<LibraryItemTable, 'ownerId' | 'commentCount'> & { id: string }) => ({
  id,
  authorId: ownerId,
  commentCount,
})

/** The same for an act of a caller: what owners do is done to their own. */
export const ownedBy = (
  caller: { id: string } | undefined,
  item: Parameters<typeof owned>[0] & Pick<OwnedItem, 'teamId' | 'role'>,
) => (caller && isOwner(caller, item) ? { ...owned(item), authorId: caller.id } : owned(item))

/** The same for what a caller may: what one owner may, all may, and who published an item of a team only by a role in the team. */
export function permittedTo(caller: { id: string } | undefined, item: Parameters<typeof ownedBy>[1]) {
  const of = ownedBy(caller, item)
  return caller && of.authorId === caller.id && !isOwner(caller, item) ? { ...of, authorId: '' } : of
}

/** Whether lists have an item: it is not private, and not hidden. */
export const isListed = ({ visibility, hidden }: Pick<OwnedItem, 'visibility'> & { hidden: number }): boolean =>
  visibility !== 'private' && hidden === 0

/** Public, official, or one's own (behaviour.md, section 4); and what is hidden of these, for moderators. */
export function canSee(
  caller: Caller | undefined,
  { ownerId, teamId, visibility, role, ...item }: OwnedItem & { hidden: number; authorBlockedAt?: string | null },
): boolean {
  if (caller && (isHolder(caller, { ownerId, teamId }) || role !== undefined)) return true
  return visibility !== 'private' && maySee(caller, { authorId: ownerId, ...item })
}

/** Whether a caller is the owner of an item or one of them. */
export const isOwner = (
  caller: { id: string },
  { role, ...item }: Pick<OwnedItem, 'ownerId' | 'teamId' | 'role'>,
): boolean => isHolder(caller, item) || role === 'owner'

/** Owners and maintainers; official items may be edited by admins too. */
export function canEdit(caller: Caller, item: OwnedItem): boolean {
  return (
    isOwner(caller, item) || item.role === 'maintainer' || (caller.role === 'admin' && item.visibility === 'official')
  )
}

/** Those who may edit, where only owners decide who sees it; and an admin may make any public item official. */
export function canUpdate(caller: Caller, item: OwnedItem, to: OwnedItem['visibility'] | undefined): boolean {
  const isMove = to !== undefined && to !== item.visibility
  if (isMove && item.role === 'maintainer' && caller.role !== 'admin') return false
  return canEdit(caller, item) || (caller.role === 'admin' && to === 'official')
}

/** Only admins move items into or out of official (interface.md, section 4). */
export function canMove(caller: Caller, from: OwnedItem['visibility'], to: unknown): boolean {
  const isMove = from === 'official' ? to === 'private' || to === 'public' : to === 'official'
  return caller.role === 'admin' || !isMove
}

/** Who may move an item into or out of official is asked before anything else of the body (behaviour.md, section 4). */
export const keepOfficial =
  (caller: Caller, from: OwnedItem['visibility']) =>
  ({ visibility }: { visibility?: unknown }): void => {
    if (!canMove(caller, from, visibility))
      throw new Problem('forbidden', 'Only admins move items into or out of official')
  }

/** Throws `invalid_request` for what is no version. */
export function assertVersion(asked: string | undefined): void {
  if (asked !== undefined && !isVersion(asked)) {
    throw new Problem('invalid_request', 'version: must be a semantic version, such as 1.4.2')
  }
}

/** The version of form and manifest; throws `invalid_request` when they differ. */
export function agreed(asked: string | undefined, inFile: string | undefined): string | undefined {
  if (asked !== undefined && inFile !== undefined && asked !== inFile) {
    throw new Problem('invalid_request', `version: is ${asked}, but the manifest says ${inFile}`)
  }
  return asked ?? inFile
}

/** The version to publish after `current`: the one asked for, or the next patch. */
export function newerOf(current: string, asked: string | undefined): string {
  const version = asked ?? nextPatch(current)
  if (isVersion(version) && compareVersions(version, current) > 0) return version
  throw new Problem('version_conflict', `version: ${version} is not newer than ${current}`)
}

/** The newest version that ever was: the next one has to be newer, also where that one is yanked or gone. */
export const newestOf = ({ version, newestVersion }: { version: string; newestVersion: string | null }): string =>
  newestVersion !== null && compareVersions(newestVersion, version) > 0 ? newestVersion : version

export const pluralOf = listNameOf

export const filenameOf = itemFilename

const DAY = 86_400_000
/** How long, and below how many downloads, its owner may delete what everybody sees. */
export const DELETABLE_HOURS = 72
export const DELETABLE_DOWNLOADS = 10

/** The last day (UTC) that is not of the last seven. */
export const weekBefore = (now: string): string => new Date(Date.parse(now) - 7 * DAY).toISOString().slice(0, 10)

interface Reliance {
  createdAt: string
  downloads: number
  isUsed: boolean
}

/** Why its owner may not delete what everybody sees or saw; undefined where nothing is against it. */
export function whyKept({ createdAt, downloads, isUsed }: Reliance, now: string): string | undefined {
  const isOld = Date.parse(now) - Date.parse(createdAt) >= DELETABLE_HOURS * 3_600_000
  if (isOld) return `was published more than ${DELETABLE_HOURS} hours ago`
  if (downloads >= DELETABLE_DOWNLOADS) return `was downloaded ${DELETABLE_DOWNLOADS} times or more`
  return isUsed ? 'is used by other items' : undefined
}

/** Throws `conflict` where others may rely on what its owner would delete. */
export function assertDeletable(what: string, relied: Reliance, now: string): void {
  const why = whyKept(relied, now)
  if (why)
    throw new Problem('conflict', `${what} ${why} and cannot be deleted; yank its versions or deprecate it instead`)
}
