// Teams themselves. What is decided is decided under the lock of the team; every change is in the audit log.

import { recordModeration } from '../../content/reports/moderation.ts'
import { isReserved } from '../../content/reserved-names.ts'
import { insertSlugOf } from '../../content/slug-queries.ts'
import { Problem } from '../../contract/problem.ts'
import { type PageRequest, pageOfAll, pageOfRows } from '../../database/cursor.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { findUserByUsername } from '../../identity/account-queries.ts'
import type { Caller, Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { MAX_SLUGS } from '../holders/rules.ts'
import {
  countItems,
  insertMember,
  insertTeam,
  listOwnerIds,
  listProfileTeams,
  listShownTeams,
  listTeamsOf,
  updateTeam,
} from '../holders/team-queries.ts'
import { teamActions, type teams } from './contract.ts'
import { removeTeam } from './leaving.ts'
import { memberHandlers } from './member-handlers.ts'
import {
  getVisible,
  indexTeam,
  lockForTeams,
  lockVisible,
  log,
  type SeenTeam,
  shown,
  shownTeam,
  withRoles,
} from './record.ts'

const conflict = (message: string) => new Problem('conflict', message)
const forbidden = (message: string) => new Problem('forbidden', message)

/** Of all teams the newest first, of those on a profile by name. */
async function pageOfTeams(db: Db, username: string | undefined, request: PageRequest) {
  if (username === undefined) {
    const list = { list: ['teams'], by: { id: '' } }
    return pageOfRows(request, list, ({ after, ...range }) =>
      listShownTeams(db, { ...range, before: after && String(after[0]) }),
    )
  }
  const user = await findUserByUsername(db, username)
  if (!user || user.blockedAt) throw new Problem('not_found', 'No such user')
  return pageOfAll(request, { list: ['teams', user.id], idOf: ({ id }) => id }, await listProfileTeams(db, user.id))
}

export const teamHandlers: Handlers<typeof teams> = {
  ...memberHandlers,

  async mine(context) {
    return { items: await shown(context, await listTeamsOf(context.db, context.caller.id)) }
  },

  async list(context, { username, ...request }) {
    const { items, ...page } = await pageOfTeams(context.db, username, request)
    return { items: await shown(context, await withRoles(context, items)), ...page }
  },

  async create(context, { slug, name, description }) {
    const { db, caller, now, budget } = context
    if (!caller.verified) throw forbidden('Verify your email first: only then you can make a team')
    if (isReserved(slug)) throw conflict(`${slug} is taken; choose another`)
    await db.transaction().execute(async (transaction) => {
      await lockForTeams(transaction, context)
      await budget.spend(transaction)
      const id = newId()
      await takeSlug(transaction, { id, slug, caller })
      await insertTeam(transaction, { id, slug, name, description, createdAt: now, updatedAt: now })
      const member = { id: newId(), teamId: id, accountId: caller.id, role: 'owner', since: now, shown: 1 } as const
      await insertMember(transaction, member)
      await log(transaction, context, { action: teamActions.create, team: { id, slug }, detail: {} })
      await indexTeam(transaction, id)
    })
    return shownTeam(context, slug)
  },

  get: (context, { slug }) => shownTeam(context, slug),

  async update(context, { slug }, body) {
    const { db, caller, now, budget } = context
    assertMayEdit(caller, await getVisible(context, slug))
    const { new_slug: to, reason, name, description } = await body()
    if (to !== undefined && isReserved(to)) throw conflict(`${to} is taken; choose another`)
    const named = await db.transaction().execute(async (transaction) => {
      const team = await lockVisible(transaction, caller, slug)
      assertMayEdit(caller, team)
      await budget.spend(transaction)
      const changes = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
      const isRenamed = to !== undefined && to !== team.slug
      if (isRenamed) await takeSlug(transaction, { id: team.id, slug: to, caller })
      const slugs = isRenamed ? { slug: to } : {}
      await updateTeam(transaction, team.id, { ...changes, ...slugs, updatedAt: now })
      const detail = { ...changes, ...(isRenamed && { to }) }
      await log(transaction, context, { action: teamActions.update, team, detail, reason })
      await indexTeam(transaction, team.id)
      return to ?? team.slug
    })
    return shownTeam(context, named)
  },

  async delete(context, { slug, reason }) {
    const { db, caller, now } = context
    assertMayEdit(caller, await getVisible(context, slug))
    return db.transaction().execute(async (transaction) => {
      const team = await lockVisible(transaction, caller, slug)
      assertMayEdit(caller, team)
      const { id, name } = team
      const moderates = caller.role !== 'member'
      if (!moderates && (await countItems(transaction, id)) > 0) {
        throw conflict('The team has items: transfer or delete them first')
      }
      const [ownerId = caller.id] = team.role === 'owner' ? [] : await listOwnerIds(transaction, id)
      await removeTeam(transaction, id, now)
      const detail = { slug: team.slug, name }
      if (ownerId === caller.id) await log(transaction, context, { action: teamActions.delete, team, detail: { name } })
      const act = { action: teamActions.delete, on: { id, authorId: ownerId }, reason, detail }
      await recordModeration(transaction, context, act)
      return { id, deleted: true }
    })
  },
}

function assertMayEdit(caller: Caller, { role }: SeenTeam): void {
  if (role !== 'owner' && caller.role === 'member') throw forbidden('Only its owners can do this')
}

/** Takes a slug for a team; throws `conflict` where it is that of another team, or was. */
async function takeSlug(
  db: Transaction,
  { id, slug, caller }: { id: string; slug: string; caller: Caller },
): Promise<void> {
  const row = { kind: 'team', slug, targetId: id, ownerId: caller.id, most: MAX_SLUGS } as const
  const taken = await insertSlugOf(db, row)
  if (taken === 'full') throw conflict(`A team has at most ${MAX_SLUGS} slugs; choose one that it had before`)
  if (taken === 'taken') throw conflict(`${slug} is taken; choose another`)
}
