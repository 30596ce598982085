// Accepting an invitation. The item is locked first, then the invitation: of two acceptances at once one finds nothing any more.
import { record } from '../../audit/audit.ts'
import { deleteWebhooksOn } from '../../content/webhooks/queries.ts'
import { Problem } from '../../contract/problem.ts'
import type { InvitationTable, Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { findLockedItem, type StoredItem, sumSizes } from '../queries.ts'
import { roleOn } from '../record.ts'
import { itemActions } from '../subject.ts'
import { endInvitations, tell } from './inviting.ts'
import { reassignItem } from './passing.ts'
import * as queries from './queries.ts'

export const noSuchInvitation = () => new Problem('not_found', 'No such invitation')

/** The invitation for the caller, if it is still open; throws `not_found`. */
async function getOpen(
  find: () => Promise<InvitationTable | undefined>,
  { caller, now }: Pick<Context<Caller>, 'caller' | 'now'>,
): Promise<InvitationTable> {
  const found = await find()
  if (!found || found.accountId !== caller.id || found.expiresAt <= now) throw noSuchInvitation()
  return found
}

/** Makes the caller what the invitation says. Gives the id of the item. */
export async function accept(context: Context<Caller>, id: string): Promise<string> {
  const { db, caller, now, address } = context
  const { itemId } = await getOpen(() => queries.findInvitation(db, id), context)
  await db.transaction().execute(async (transaction) => {
    const item = await findLockedItem(transaction, itemId)
    const invitation = await getOpen(() => queries.lockInvitation(transaction, id), context)
    if (!item) throw noSuchInvitation()
    if ((await roleOn(transaction, invitation.invitedBy, item)) !== 'owner') {
      throw new Problem('conflict', 'Who invited you is no owner of it any more')
    }
    if (invitation.role === 'transfer') await takeOver(transaction, context, { item, invitation })
    else await join(transaction, context, { item, invitation, role: invitation.role })
    const isTransfer = invitation.role === 'transfer'
    const detail = { kind: item.kind, slug: item.slug, role: invitation.role, from: item.ownerId }
    const action = isTransfer ? itemActions.transfer : itemActions.join
    await record(transaction, now, { action, actorId: caller.id, targetId: item.id, detail, address })
    const invited = { id, role: invitation.role, state: 'accepted' } as const
    await tell(transaction, { by: caller.id, to: invitation.invitedBy, now, invited }, item)
  })
  return itemId
}

interface Accepting {
  item: StoredItem
  invitation: InvitationTable
}

async function join(
  db: Transaction,
  { caller, now, budget }: Context<Caller>,
  { item, invitation, role }: Accepting & { role: 'owner' | 'maintainer' },
): Promise<void> {
  await budget.spend(db)
  await queries.deleteInvitations(db, [invitation.id])
  await queries.insertMembership(db, { itemId: item.id, accountId: caller.id, role, since: now })
}

/** The bytes of all versions count for the caller from now on. What the former holder offered others ends. */
async function takeOver(
  db: Transaction,
  { caller, now, budget }: Context<Caller>,
  { item, invitation }: Accepting,
): Promise<void> {
  const itemId = item.id
  await budget.spend(db, await sumSizes(db, itemId))
  const byFormer = await queries.listInvitationsOf(db, { itemId, invitedBy: item.ownerId })
  await endInvitations(
    db,
    byFormer.filter(({ id }) => id !== invitation.id),
    now,
  )
  await queries.deleteInvitations(db, [invitation.id])
  await queries.deleteMembership(db, { itemId, accountId: caller.id })
  await deleteWebhooksOn(db, itemId, item.ownerId)
  await reassignItem(db, item, { ownerId: caller.id, heldSince: now })
}
