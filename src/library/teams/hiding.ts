// How a team is hidden: it is found by its people and by moderators alone, and no item names it. Its items have their own state.

import { hiddenBy } from '../../content/hiding/rules.ts'
import type { HideableKind } from '../../content/things.ts'
import {
  findMemberById,
  findTeamById,
  listMembershipsOf,
  listOwnerIds,
  lockTeam,
  updateTeam,
} from '../holders/team-queries.ts'
import { teamPath } from '../owners/inviting.ts'
import { endMembership, removeTeam } from './leaving.ts'
import { indexTeam } from './record.ts'

export const teamHiding: HideableKind = {
  type: 'team',
  async find(db, id) {
    const team = await findTeamById(db, id)
    if (!team) return undefined
    const [authorId = ''] = await listOwnerIds(db, id)
    const { createdAt, hidden, name: title, description: text, slug } = team
    return { id, authorId, createdAt, hidden, title, text, url: teamPath(slug) }
  },
  lock: (db, id) => lockTeam(db, id),
  // A team is of no single account: what is done to everything of one ends its membership (below).
  listIdsOf: () => Promise.resolve([]),
  async setHidden(db, id, { hidden }) {
    await updateTeam(db, id, { hidden })
    await indexTeam(db, id)
  },
  async remove(db, id, now) {
    await removeTeam(db, id, now)
    return []
  },
}

const blocked = (hidden: number) => hidden & hiddenBy.block

/** What a block does to what an account is in teams: that ends, but for a team without anybody else, which is hidden as long as the block lasts. */
export const membershipHiding: HideableKind = {
  type: 'teamMember',
  find: () => Promise.resolve(undefined),
  async lock(db, id) {
    const member = await findMemberById(db, id)
    const team = member && (await lockTeam(db, member.teamId))
    return team && { hidden: blocked(team.hidden) }
  },
  async listIdsOf(db, { authorId, after, limit }) {
    return (await listMembershipsOf(db, authorId, limit)).map(({ id }) => id).filter((id) => id > after)
  },
  async setHidden(db, id, { hidden, now }) {
    const member = await findMemberById(db, id)
    const team = member && (await findTeamById(db, member.teamId))
    if (!team || blocked(hidden) === blocked(team.hidden)) return
    if (blocked(hidden) !== 0 && (await endMembership(db, member, now))) return
    await updateTeam(db, team.id, { hidden: (team.hidden & ~hiddenBy.block) | blocked(hidden) })
    await indexTeam(db, team.id)
  },
  remove: () => Promise.resolve([]),
}
