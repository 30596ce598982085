// Who owns and maintains items. What is decided is decided under the lock of the item; every change is in the audit log.

import { insertSlugOf } from '../../content/slug-queries.ts'
import { deleteWebhooksOn } from '../../content/webhooks/queries.ts'
import { factsOf } from '../../contract/item-kinds.ts'
import { Problem } from '../../contract/problem.ts'
import type { InvitationTable, Transaction } from '../../database/schema.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { changeItem } from '../changing/changes.ts'
import { findVisibleTeam, noSuchTeam, passToNext } from '../holders/holding.ts'
import * as queries from '../holders/owner-queries.ts'
import { MAX_LISTED, MAX_NAMES } from '../holders/owner-rules.ts'
import { findMember, listMembers, listOwnerIds, lockTeam } from '../holders/team-queries.ts'
import { findLockedItem, findMembership, noSuchItem } from '../items/queries.ts'
import { canSee, isOwner, itemRoleOf } from '../items/rules.ts'
import { itemActions } from '../items/subject.ts'
import { showing } from '../listing/showing.ts'
import { deletePublishers } from '../publishers/queries.ts'
import {
  assertNotOfGallery,
  getVisible,
  type LockedItem,
  lockItemFor,
  oneItem,
  roleOn,
  type SeenItem,
  teamOf,
} from '../records/record.ts'
import { lookAgain } from '../scanning/scanning.ts'
import { assertNameFree } from '../statements/gone.ts'
import { accept, isFor } from './accepting.ts'
import type { owners } from './contract.ts'
import {
  endInvitations,
  endInvitationsBy,
  type Guest,
  getInvited,
  invite,
  itemPlace,
  logAct,
  noSuchInvitation,
  shownInvitation,
  tell,
} from './inviting.ts'

const conflict = (message: string) => new Problem('conflict', message)
const noSuchMaintainer = () => new Problem('not_found', 'This account is no owner or maintainer of this item')

export const ownersHandlers: Handlers<typeof owners> = {
  async maintainers(context, { id }) {
    const { db, caller, now } = context
    const item = await getVisible(context, { id })
    const shown = { items: await maintainersOf(context, item), ...teamOf(item) }
    if (!caller || item.gallery || !isOwner(caller, item)) return shown
    return { ...shown, invitations: (await queries.listSent(db, { type: 'item', id }, now)).map(shownInvitation) }
  },

  addMaintainer: (context, { id, username, role }) =>
    inviteTo(context, { id, role }, async (transaction, item) => {
      assertNotOfTeam(item)
      const { id: accountId } = await getInvited(transaction, username)
      if (item.ownerId === accountId) throw conflict('The item belongs to this account')
      const member = await findMembership(transaction, { itemId: id, accountId })
      if (member) throw conflict(`This account is a ${member.role} already`)
      return { accountId }
    }),

  transfer: (context, { id, username, team }) => {
    if ((username === undefined) === (team === undefined)) {
      throw new Problem('invalid_request', 'username, team: exactly one of the two says who gets the item')
    }
    return inviteTo(context, { id, role: 'transfer' }, (transaction, item) =>
      receiverOf(transaction, context, { item, username, team }),
    )
  },

  async setMaintainerRole(context, { id, accountId, role }) {
    await assertOpen(context, id)
    await context.db.transaction().execute(async (transaction) => {
      const item = await lockOwned(transaction, context, { id })
      assertNotOfTeam(item)
      if (item.ownerId === accountId) throw conflict('The item belongs to this account: it is an owner')
      const member = await findMembership(transaction, { itemId: id, accountId })
      if (!member) throw noSuchMaintainer()
      if (member.role === role) return
      await queries.updateRole(transaction, member, role)
      if (role === 'maintainer') await endRights(transaction, context, { item, accountId })
      await logAct(transaction, context, { action: itemActions.change_role, item, detail: { accountId, role } })
    })
    const all = await maintainersOf(context, await getVisible(context, { id }))
    return required(all.find(({ account }) => account.id === accountId))
  },

  async removeMaintainer(context, { id, accountId }) {
    const { db, caller, now } = context
    await assertOpen(context, id)
    await db.transaction().execute(async (transaction) => {
      const isOwn = accountId === caller.id
      const item = await lockOwned(transaction, context, { id, isOwn })
      assertNotOfTeam(item)
      const detail = { accountId }
      if (item.ownerId === accountId) {
        if (!isOwn) throw conflict('The item belongs to this account: only a transfer changes that')
        await endRights(transaction, context, { item, accountId })
        const to = await passToNext(transaction, item)
        if (to === undefined) {
          throw conflict('You are its only owner: offer it to another account first, or delete it')
        }
        await logAct(transaction, context, { action: itemActions.remove, item, detail: { ...detail, to } })
        return
      }
      const member = await findMembership(transaction, { itemId: id, accountId })
      if (!member) throw noSuchMaintainer()
      await queries.deleteMembership(transaction, member)
      await endRights(transaction, context, { item, accountId })
      const invited = { id, role: 'maintainer', state: 'removed' } as const
      if (!isOwn) await tell(transaction, { by: caller.id, to: accountId, now, invited }, itemPlace(item))
      await logAct(transaction, context, { action: itemActions.remove, item, detail })
    })
    return { id }
  },

  async rename(context, { id, slug }) {
    await assertOpen(context, id)
    const rewrite = await lookAgain(context, await getVisible(context, { id }), { slug })
    await context.db.transaction().execute(async (transaction) => {
      const item = await lockOwned(transaction, context, { id })
      const { kind, slug: from } = item
      if (from === slug) return
      if (factsOf(kind).ownName) throw conflict(`${kind}/${from} has its name from its file`)
      const taken = await insertSlugOf(transaction, {
        kind,
        slug,
        targetId: id,
        ownerId: item.ownerId,
        most: MAX_NAMES,
      })
      if (taken === 'full') throw conflict(`An item has at most ${MAX_NAMES} names; choose one that it had before`)
      if (taken === 'taken') throw conflict(`${kind}/${slug} is the name of another item`)
      await assertNameFree(transaction, { id, kind, slug })
      await changeItem(transaction, item, { slug })
      await logAct(transaction, context, { action: itemActions.rename, item, detail: { to: slug } })
      if ((await rewrite(transaction, item)) && item.listed === 1) {
        await showing.holdFound(context, transaction, { ...item, slug })
      }
    })
    return oneItem(context, await getVisible(context, { id }))
  },

  async invitations({ db, caller, now }) {
    const rows = await queries.listReceived(db, caller.id, { now, limit: MAX_LISTED })
    return { items: rows.map(shownInvitation) }
  },

  async acceptInvitation(context, { id }) {
    return oneItem(context, await getVisible(context, { id: await accept(context, id) }))
  },

  async endInvitation(context, { id }) {
    const { db, caller, now, budget } = context
    const found = await queries.findInvitation(db, id)
    if (!found) throw noSuchInvitation()
    await db.transaction().execute(async (transaction) => {
      const ownRole = await lockPlace(transaction, found, caller.id)
      const invitation = await queries.lockInvitation(transaction, id)
      const mayEnd = invitation && (ownRole === 'owner' || (await isFor(transaction, invitation, caller.id)))
      if (!mayEnd) throw noSuchInvitation()
      await budget.spend(transaction)
      await endInvitations(transaction, [invitation], now)
    })
    return { id }
  },
}

/** Locks the item or the team that an invitation is to, and gives what an account is there. */
async function lockPlace(
  db: Transaction,
  { itemId, teamId }: Pick<InvitationTable, 'itemId' | 'teamId'>,
  accountId: string,
): Promise<string | undefined> {
  if (itemId !== null) {
    const item = await findLockedItem(db, itemId)
    return item && (await roleOn(db, accountId, item))
  }
  const team = teamId === null ? undefined : await lockTeam(db, teamId)
  return team && (await findMember(db, { teamId: team.id, accountId }))?.role
}

/** The holder first, then those of longest standing; of an item of a team the people of the team. */
async function maintainersOf({ db }: Pick<Context, 'db'>, item: SeenItem) {
  const { ownerId: id, ownerUsername: username, ownerName: name, teamId } = item
  const heldSince = item.heldSince ?? item.createdAt
  if (teamId !== null) {
    const people = await listMembers(db, teamId)
    return people.map(({ role, since, ...account }) => ({
      ...{ account, role: itemRoleOf(role), since: since > heldSince ? since : heldSince },
      holder: account.id === id,
    }))
  }
  const holder = { account: { id, username, name }, role: 'owner' as const, since: heldSince }
  const members = item.gallery ? [] : await queries.listMembers(db, item.id)
  return [
    { ...holder, holder: true },
    ...members.map(({ role, since, ...account }) => ({ account, role, since, holder: false })),
  ]
}

/** Invites, under the lock of the item, the one that `guestOf` finds; it throws where that one cannot be invited. */
async function inviteTo(
  context: Context<Caller>,
  { id, role }: { id: string; role: 'owner' | 'maintainer' | 'transfer' },
  guestOf: (db: Transaction, item: LockedItem) => Promise<Guest>,
) {
  const { db, now } = context
  await assertOpen(context, id)
  const invitationId = await db.transaction().execute(async (transaction) => {
    const item = await lockOwned(transaction, context, { id })
    const guest = await guestOf(transaction, item)
    const invitationId = await invite(transaction, context, { place: itemPlace(item), guest, role })
    const to = 'accountId' in guest ? { accountId: guest.accountId } : { team: guest.teamId }
    await logAct(transaction, context, { action: itemActions.invite, item, detail: { ...to, role } })
    return invitationId
  })
  return shownInvitation(required(await queries.findShown(db, invitationId, now)))
}

/** The account or the team that an item is offered to. */
async function receiverOf(
  db: Transaction,
  { caller }: Pick<Context<Caller>, 'caller'>,
  { item, username, team }: { item: LockedItem; username: string | undefined; team: string | undefined },
): Promise<Guest> {
  if (username !== undefined) {
    const { id: accountId } = await getInvited(db, username)
    if (item.teamId === null && item.ownerId === accountId) throw conflict('The item belongs to this account')
    return { accountId }
  }
  const found = team === undefined ? undefined : await findVisibleTeam(db, caller, team)
  if (!found) throw noSuchTeam()
  if (item.teamId === found.id) throw conflict('The item belongs to this team')
  return { teamId: found.id, ownerIds: await listOwnerIds(db, found.id) }
}

function assertNotOfTeam({ teamId }: LockedItem): void {
  if (teamId !== null) throw conflict('The item belongs to a team: its people are those of the team')
}

/** What only an owner has: invitations that wait, webhooks, and runs of a CI that publish. */
async function endRights(
  db: Transaction,
  { now }: Pick<Context, 'now'>,
  { item, accountId }: { item: LockedItem; accountId: string },
): Promise<void> {
  await endInvitationsBy(db, itemPlace(item), { accountId, now })
  await deleteWebhooksOn(db, item.id, accountId)
  await deletePublishers(db, { accountId, itemId: item.id })
}

const forbidden = () => new Problem('forbidden', 'Only its owners can do this')

/** What is refused without a lock: an item that the caller does not see, one of the gallery. */
async function assertOpen(context: Context<Caller>, id: string): Promise<void> {
  assertNotOfGallery(await getVisible(context, { id }))
}

/** Locks an item for a change, and counts the call. `isOwn` lets the caller change what is their own. */
async function lockOwned(
  db: Transaction,
  { caller, budget }: Pick<Context<Caller>, 'caller' | 'budget'>,
  { id, isOwn = false }: { id: string; isOwn?: boolean },
): Promise<LockedItem> {
  const item = await lockItemFor(db, caller, id)
  if (!canSee(caller, item)) throw noSuchItem()
  if (!isOwner(caller, item) && !isOwn) throw forbidden()
  await budget.spend(db)
  return item
}
