// Teams that a caller may know of, and a team as the API and the search have it.

import { record } from '../../audit/audit.ts'
import { stateOf } from '../../content/hiding/rules.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { lockUser } from '../../identity/account-queries.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { changeSearch } from '../../search/indexing.ts'
import { teamDocument } from '../../search/things.ts'
import { findVisibleTeam, noSuchTeam } from '../holders/holding.ts'
import { MAX_TEAMS } from '../holders/rules.ts'
import {
  countOfTeams,
  countTeamsOf,
  findMember,
  findTeamById,
  listMembershipsOf,
  lockTeam,
  type StoredTeam,
} from '../holders/team-queries.ts'
import type { TeamRole } from '../items/rules.ts'
import { teamPath } from '../owners/inviting.ts'

/** `shown` is whether the caller's profile names it. */
export type SeenTeam = StoredTeam & { role: TeamRole | undefined; shown?: 0 | 1 | undefined }

/** The team, if the caller may know of it; throws `not_found`. */
export async function getVisible(
  { db, caller }: { db: Db; caller: Caller | undefined },
  slug: string,
): Promise<SeenTeam> {
  const team = await findVisibleTeam(db, caller, slug)
  if (!team) throw noSuchTeam()
  return team
}

/** A visible team, locked, with the role that the caller has then; throws `not_found`. */
export async function lockVisible(db: Transaction, caller: Caller, slug: string): Promise<SeenTeam> {
  const seen = await getVisible({ db, caller }, slug)
  const team = await lockTeam(db, seen.id)
  if (!team) throw noSuchTeam()
  return { ...team, role: (await findMember(db, { teamId: team.id, accountId: caller.id }))?.role }
}

/** Teams as the API responds with them. */
export async function shown(
  { db, caller, config }: Pick<Context, 'db' | 'caller' | 'config'>,
  all: readonly SeenTeam[],
) {
  const counts = await countOfTeams(
    db,
    all.map(({ id }) => id),
  )
  return all.map(({ id, slug, name, description, createdAt, role, hidden, shown }) => {
    const { members = 0, listed = 0, items = 0 } = counts.get(id) ?? {}
    const [isOwner, moderates] = [role === 'owner', caller !== undefined && caller.role !== 'member']
    const state = stateOf({ hidden })
    return {
      ...{ id, slug, name, description, created_at: createdAt },
      ...{ member_count: members, item_count: role === undefined ? listed : items },
      url: config.baseUrl + teamPath(slug),
      ...(role && { role, shown: shown === 1 }),
      can: {
        ...{ publish: role !== undefined, edit: isOwner || moderates },
        ...{ delete: isOwner || moderates, manage: isOwner },
      },
      ...(state && { state }),
    }
  })
}

/** Teams with what the caller is in them. */
export async function withRoles(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  all: readonly StoredTeam[],
): Promise<SeenTeam[]> {
  const own = caller ? await listMembershipsOf(db, caller.id, MAX_TEAMS) : []
  const members = new Map(own.map((member) => [member.teamId, member]))
  return all.map((team) => ({ ...team, role: members.get(team.id)?.role, shown: members.get(team.id)?.shown }))
}

export async function shownTeam(context: Pick<Context, 'db' | 'caller' | 'config'>, slug: string) {
  return required((await shown(context, [await getVisible(context, slug)]))[0])
}

/** Locks the caller's account, so that it belongs to no more teams than it may; throws `conflict` where it does already. */
export async function lockForTeams(db: Transaction, { caller }: Pick<Context<Caller>, 'caller'>): Promise<void> {
  await lockUser(db, { id: caller.id })
  if ((await countTeamsOf(db, caller.id)) < MAX_TEAMS) return
  throw new Problem('conflict', `An account belongs to at most ${MAX_TEAMS} teams`)
}

interface TeamAction {
  action: AuditAction
  team: { id: string; slug: string }
  detail: Record<string, unknown>
  reason?: string | null
}

export const log = (
  db: Transaction,
  { caller, now, address }: Pick<Context<Caller>, 'caller' | 'now' | 'address'>,
  { action, team: { id, slug }, detail, reason = null }: TeamAction,
): Promise<void> =>
  record(db, now, { action, actorId: caller.id, targetId: id, detail: { slug, ...detail }, reason, address })

/** Finds a team as it is stored now, or not any more; it comes last in its transaction. */
export async function indexTeam(db: Transaction, id: string): Promise<void> {
  const team = await findTeamById(db, id)
  await changeSearch(db, isShown(team) ? { put: [teamDocument(team)] } : { removed: [id] })
}

const isShown = (team: StoredTeam | undefined): team is StoredTeam => team?.hidden === 0
