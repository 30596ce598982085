// Accepting an invitation to an item. The item is locked first, then the team that takes it, then the
// invitation: of two acceptances at once one finds nothing any more.

import { deleteWebhooksOn } from '../../content/webhooks/queries.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, InvitationTable, Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { lockForItems, reassignItem } from '../holders/holding.ts'
import * as queries from '../holders/owner-queries.ts'
import { findMember } from '../holders/team-queries.ts'
import { findLockedItem, type StoredItem, sumSizes } from '../items/queries.ts'
import { itemActions } from '../items/subject.ts'
import { roleOn } from '../records/record.ts'
import { endInvitations, endInvitationsBy, itemPlace, logAct, noSuchInvitation, tell } from './inviting.ts'

/** Whether an invitation is for an account: by itself, or as an owner of the team that it is for. */
export async function isFor(
  db: Db,
  { accountId, teamId }: Pick<InvitationTable, 'accountId' | 'teamId'>,
  callerId: string,
): Promise<boolean> {
  if (accountId !== null || teamId === null) return accountId === callerId
  return (await findMember(db, { teamId, accountId: callerId }))?.role === 'owner'
}

/** The invitation for the caller, if it is still open; throws `not_found`. */
async function getOpen(
  db: Db,
  find: () => Promise<queries.Invitation | undefined>,
  { caller, now }: Pick<Context<Caller>, 'caller' | 'now'>,
): Promise<queries.Invitation> {
  const found = await find()
  if (!found || found.expiresAt <= now || !(await isFor(db, found, caller.id))) throw noSuchInvitation()
  return found
}

/** Makes the caller, or a team that it owns, what the invitation says. Gives the id of the item. */
export async function accept(context: Context<Caller>, id: string): Promise<string> {
  const { db, caller, now } = context
  const { itemId, teamId } = await getOpen(db, () => queries.findInvitation(db, id), context)
  if (itemId === null) throw new Problem('conflict', 'This invitation is to a team: join the team to accept it')
  await db.transaction().execute(async (transaction) => {
    const item = await findLockedItem(transaction, itemId)
    if (teamId !== null) await lockForItems(transaction, { teamId, accountId: caller.id })
    const invitation = await getOpen(transaction, () => queries.lockInvitation(transaction, id), context)
    if (!item) throw noSuchInvitation()
    if ((await roleOn(transaction, invitation.invitedBy, item)) !== 'owner') {
      throw new Problem('conflict', 'Who invited you is no owner of it any more')
    }
    const { role } = invitation
    if (role === 'transfer') await takeOver(transaction, context, { item, invitation })
    else if (role !== 'member') await join(transaction, context, { item, invitation, role })
    const action = role === 'transfer' ? itemActions.transfer : itemActions.join
    const detail = { role, from: item.ownerId, ...(teamId !== null && { team: teamId }) }
    await logAct(transaction, context, { action, item, detail })
    const invited = { id, role, state: 'accepted' } as const
    const place = itemPlace(item)
    if (invitation.invitedBy !== caller.id) {
      await tell(transaction, { by: caller.id, to: invitation.invitedBy, now, invited }, place)
    }
  })
  return itemId
}

interface AcceptedInvitation {
  item: StoredItem
  invitation: queries.Invitation
}

async function join(
  db: Transaction,
  { caller, now, budget }: Context<Caller>,
  { item, invitation, role }: AcceptedInvitation & { role: 'owner' | 'maintainer' },
): Promise<void> {
  await budget.spend(db)
  await queries.deleteInvitations(db, [invitation.id])
  await queries.insertMembership(db, { itemId: item.id, accountId: caller.id, role, since: now })
}

/** Gives an item to the caller or to its team. What the former holder offered others ends; on an item of a team only its people have a role. */
async function takeOver(
  db: Transaction,
  context: Context<Caller>,
  { item, invitation: { id, teamId } }: AcceptedInvitation,
): Promise<void> {
  const { caller, now } = context
  const place = itemPlace(item)
  await queries.deleteInvitations(db, [id])
  if (teamId === null) {
    await endInvitationsBy(db, place, { accountId: item.ownerId, now })
    await queries.deleteMembership(db, { itemId: item.id, accountId: caller.id })
  } else {
    await endInvitations(db, await queries.listInvitationsOf(db, place), now)
    await queries.deleteMemberships(db, item.id)
  }
  await deleteWebhooksOn(db, item.id, item.ownerId)
  await hold(db, context, { item, teamId })
}

/** The bytes of all versions count for the caller from now on, unless who published the item belongs to the team. */
async function hold(
  db: Transaction,
  { caller, now, budget }: Context<Caller>,
  { item, teamId }: { item: StoredItem; teamId: string | null },
): Promise<void> {
  const stays = teamId !== null && (await findMember(db, { teamId, accountId: item.ownerId })) !== undefined
  const ownerId = stays ? item.ownerId : caller.id
  await budget.spend(db, ownerId === item.ownerId ? 0 : await sumSizes(db, item.id))
  await reassignItem(db, item, { ownerId, teamId, heldSince: now })
}
