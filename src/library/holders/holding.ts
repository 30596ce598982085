// What a team holds: who may add to it, and who holds an item when an account goes.
import { withCommas } from '../../contract/explain.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Caller } from '../../request/handler.ts'
import type { TeamRole } from '../items/rules.ts'
import { MAX_ITEMS } from './rules.ts'
import { countItems, findMember, findTeam, lockMember, lockTeam, type StoredTeam } from './team-queries.ts'

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
