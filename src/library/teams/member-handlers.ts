// The people of a team: who belongs to it, invitations, roles and leaving.

import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { required } from '../../runtime/untyped.ts'
import { deleteInvitations, findShown, listInvitationsOf, listSent } from '../holders/owner-queries.ts'
import {
  findMember,
  findSuccessor,
  findTeam,
  insertMember,
  listMembers,
  lockMember,
  lockTeam,
  updateMember,
  updateShown,
} from '../holders/team-queries.ts'
import {
  endInvitationsBy,
  getInvited,
  invite,
  noSuchInvitation,
  shownInvitation,
  teamPlace,
  tell,
} from '../owners/inviting.ts'
import { teamActions, type teams } from './contract.ts'
import { endMembership } from './leaving.ts'
import { getVisible, lockForTeams, lockVisible, log, type SeenTeam, shownTeam } from './record.ts'

const conflict = (message: string) => new Problem('conflict', message)
const noSuchMember = () => new Problem('not_found', 'This account does not belong to the team')
const lastOwner = () => conflict('A team needs an owner: make another member an owner first, or delete the team')

type MemberOperations = Pick<typeof teams, 'members' | 'invite' | 'join' | 'setRole' | 'setShown' | 'remove'>

export const memberHandlers: Handlers<MemberOperations> = {
  async members(context, { slug }) {
    const { db, now } = context
    const team = await getVisible(context, slug)
    const items = await membersOf(context, team)
    if (team.role !== 'owner') return { items }
    return { items, invitations: (await listSent(db, { type: 'team', id: team.id }, now)).map(shownInvitation) }
  },

  async invite(context, { slug, username, role }) {
    const { db, now } = context
    assertManages(await getVisible(context, slug))
    const id = await db.transaction().execute(async (transaction) => {
      const team = await lockManaged(transaction, context, { slug })
      const { id: accountId } = await getInvited(transaction, username)
      const member = await findMember(transaction, { teamId: team.id, accountId })
      if (member) throw conflict(`This account is ${member.role === 'owner' ? 'an owner' : 'a member'} already`)
      const invitation = { place: teamPlace(team), guest: { accountId }, role }
      const invitationId = await invite(transaction, context, invitation)
      await log(transaction, context, { action: teamActions.invite, team, detail: { accountId, role } })
      return invitationId
    })
    return shownInvitation(required(await findShown(db, id, now)))
  },

  async join(context, { slug }) {
    await context.db.transaction().execute((transaction) => join(transaction, context, slug))
    return shownTeam(context, slug)
  },

  async setRole(context, { slug, accountId, role }) {
    const { db, now } = context
    assertManages(await getVisible(context, slug))
    await db.transaction().execute(async (transaction) => {
      const team = await lockManaged(transaction, context, { slug })
      const member = await getMember(transaction, { teamId: team.id, accountId })
      if (member.role === role) return
      if (role === 'member') {
        await assertAnotherOwner(transaction, member)
        await endInvitationsBy(transaction, teamPlace(team), { accountId, now })
      }
      await updateMember(transaction, member, role)
      await log(transaction, context, { action: teamActions.change_role, team, detail: { accountId, role } })
    })
    const all = await membersOf(context, await getVisible(context, slug))
    return required(all.find(({ account }) => account.id === accountId))
  },

  async setShown({ db, caller, budget }, { slug, shown }) {
    await db.transaction().execute(async (transaction) => {
      const team = await lockVisible(transaction, caller, slug)
      const member = await getMember(transaction, { teamId: team.id, accountId: caller.id })
      await budget.spend(transaction)
      await updateShown(transaction, member, shown ? 1 : 0)
    })
    return { shown }
  },

  async remove(context, { slug, accountId }) {
    const { db, caller, now } = context
    const isOwn = accountId === caller.id
    const seen = await getVisible(context, slug)
    if (!isOwn) assertManages(seen)
    await db.transaction().execute(async (transaction) => {
      const team = await lockManaged(transaction, context, { slug, isOwn })
      const member = await getMember(transaction, { teamId: team.id, accountId })
      if (member.role === 'owner') await assertAnotherOwner(transaction, member)
      if (!(await endMembership(transaction, member, now))) throw lastOwner()
      const invited = { id: team.id, role: 'member', state: 'removed' } as const
      if (!isOwn) await tell(transaction, { by: caller.id, to: accountId, now, invited }, teamPlace(team))
      await log(transaction, context, { action: teamActions.remove, team, detail: { accountId } })
    })
    return { id: seen.id }
  },
}

/** Makes the caller what its invitation says. The account is locked first, then the team, then the invitation. */
async function join(db: Transaction, context: Context<Caller>, slug: string): Promise<void> {
  const { caller, now, budget } = context
  const team = await findTeam(db, slug)
  if (!team) throw noSuchInvitation()
  await lockForTeams(db, context)
  await lockTeam(db, team.id)
  const all = await listInvitationsOf(db, { type: 'team', id: team.id })
  const invitation = all.find((one) => one.accountId === caller.id && one.expiresAt > now)
  if (!invitation || (invitation.role !== 'owner' && invitation.role !== 'member')) throw noSuchInvitation()
  const { role, invitedBy } = invitation
  if ((await findMember(db, { teamId: team.id, accountId: invitedBy }))?.role !== 'owner') {
    throw conflict('Who invited you is no owner of it any more')
  }
  await budget.spend(db)
  await deleteInvitations(db, [invitation.id])
  const { id: teamId } = team
  await insertMember(db, { id: newId(), teamId, accountId: caller.id, role, since: now, shown: 1 })
  const invited = { id: invitation.id, role, state: 'accepted' } as const
  await tell(db, { by: caller.id, to: invitedBy, now, invited }, teamPlace(team))
  await log(db, context, { action: teamActions.join, team, detail: { role } })
}

const membersOf = async ({ db }: Pick<Context, 'db'>, { id }: SeenTeam) =>
  (await listMembers(db, id)).map(({ role, since, ...account }) => ({ account, role, since }))

async function getMember(db: Transaction, key: Parameters<typeof lockMember>[1]) {
  const member = await lockMember(db, key)
  if (!member) throw noSuchMember()
  return member
}

/** Throws `conflict` where an account is the only owner. */
async function assertAnotherOwner(db: Transaction, member: Parameters<typeof findSuccessor>[1]): Promise<void> {
  if ((await findSuccessor(db, member))?.role !== 'owner') throw lastOwner()
}

function assertManages({ role }: SeenTeam): void {
  if (role !== 'owner') throw new Problem('forbidden', 'Only its owners can do this')
}

/** Locks a team for its owners, and counts the call. `isOwn` lets the caller change what is their own. */
async function lockManaged(
  db: Transaction,
  { caller, budget }: Pick<Context<Caller>, 'caller' | 'budget'>,
  { slug, isOwn = false }: { slug: string; isOwn?: boolean },
): Promise<SeenTeam> {
  const team = await lockVisible(db, caller, slug)
  if (!isOwn) assertManages(team)
  await budget.spend(db)
  return team
}
