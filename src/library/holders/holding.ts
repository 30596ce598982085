// Who holds an item: what a team holds, who may add to it, and an item that goes to another account or team.
import { moveStoredBytes } from '../../budgets/queries.ts'
import { reassignEntry } from '../../content/entries/entries.ts'
import { withCommas } from '../../contract/explain.ts'
import { DELETED_USER } from '../../contract/no-account.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, MembershipTable, Transaction } from '../../database/schema.ts'
import type { Caller } from '../../request/handler.ts'
import { changeAuthor } from '../../search/indexing.ts'
import { recountItem, setOwnerName } from '../items/indexing-queries.ts'
import * as queries from '../items/queries.ts'
import type { TeamRole } from '../items/rules.ts'
import { deleteMembership, findNextOwner } from './owner-queries.ts'
import { MAX_ITEMS } from './rules.ts'
import {
  countItems,
  findMember,
  findSuccessor,
  findTeam,
  lockMember,
  lockTeam,
  type StoredTeam,
} from './team-queries.ts'

export const noSuchTeam = () => new Problem('not_found', 'There is no such team')

/** Locks a team for another item that a member adds to it; throws `not_found` for others, `conflict` where there is no room. */
export async function lockForItems(
  db: Transaction,
  { teamId, accountId }: { teamId: string; accountId: string },
): Promise<void> {
  const team = await lockTeam(db, teamId)
  if (!team || !(await lockMember(db, { teamId, accountId }))) throw noSuchTeam()
  if ((await countItems(db, teamId)) < MAX_ITEMS) return
  throw new Problem('conflict', `A team has at most ${withCommas(MAX_ITEMS)} items`)
}

/** A team by its slug, if the caller may know of it: not a hidden one, unless it is theirs or they moderate. */
export async function findVisibleTeam(
  db: Db,
  caller: Pick<Caller, 'id' | 'role'> | undefined,
  slug: string,
): Promise<(StoredTeam & { role: TeamRole | undefined; shown: 0 | 1 | undefined }) | undefined> {
  const team = await findTeam(db, slug)
  if (!team) return undefined
  const member = caller && (await findMember(db, { teamId: team.id, accountId: caller.id }))
  const { role, shown } = member ?? { role: undefined, shown: undefined }
  const isSeen = team.hidden === 0 || role !== undefined || (caller !== undefined && caller.role !== 'member')
  return isSeen ? { ...team, role, shown } : undefined
}

/** The id of a team of the caller; throws `not_found`, and `forbidden` for one of others. */
async function getOwnTeam({ db, caller }: { db: Db; caller: Caller }, slug: string): Promise<string> {
  const team = await findVisibleTeam(db, caller, slug)
  if (!team) throw noSuchTeam()
  if (team.role === undefined) throw new Problem('forbidden', 'Only its members publish for a team')
  return team.id
}

/** What publishing is given of teams. */
export const holding = { getOwnTeam, lockForItems }
export type Teams = typeof holding

// An item that goes to another account or to a team, with the bytes that it counts for, its entries and totals.

interface Holder {
  ownerId: string
  heldSince?: string | null
  teamId?: string | null
}

/** Gives a locked item to another account, with the bytes that it counts for, and to a team where one is given. */
export async function reassignItem(
  db: Transaction,
  item: queries.StoredItem,
  { ownerId, heldSince = null, teamId = null }: Holder,
): Promise<void> {
  // What an erased account let an agent write is no agent's.
  const via = ownerId === DELETED_USER ? { viaClientId: null } : {}
  await queries.updateItem(db, item.id, { ownerId, heldSince, teamId, ...via })
  if (ownerId === item.ownerId) return
  await moveStoredBytes(db, { from: item.ownerId, to: ownerId, bytes: await queries.sumSizes(db, item.id) })
  const written = { authorId: ownerId, ...via }
  if (!item.gallery) await setOwnerName(db, item.rowId, ownerId)
  if (!item.gallery) await reassignEntry(db, item.id, written)
  const indexed = { ...item, tags: [] }
  await recountItem(db, indexed, { ...indexed, ownerId })
  if (!item.gallery) await changeAuthor(db, [item.id], written)
}

/** Gives a locked item to another one of its owners, who has been that for some time. */
async function passOn(db: Transaction, item: queries.StoredItem, to: Omit<MembershipTable, 'role'>): Promise<void> {
  await deleteMembership(db, to)
  await reassignItem(db, item, { ownerId: to.accountId, heldSince: to.since })
}

/** Gives a locked item on to the one who follows the account that it counts for; gives that one, or undefined where there is none. */
export async function passToNext(db: Transaction, item: queries.StoredItem): Promise<string | undefined> {
  const { id, ownerId, teamId, heldSince } = item
  if (teamId === null) {
    const next = await findNextOwner(db, id, ownerId)
    if (next) await passOn(db, item, next)
    return next?.accountId
  }
  const next = await findSuccessor(db, { teamId, accountId: ownerId })
  if (next) await reassignItem(db, item, { ownerId: next.accountId, heldSince: heldSince ?? item.createdAt, teamId })
  return next?.accountId
}
