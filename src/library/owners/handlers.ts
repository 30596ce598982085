// Who owns and maintains items. What is decided is decided under the lock of the item; every change is in the audit log.
import { record } from '../../audit/audit.ts'
import { insertSlugOf } from '../../content/slugs.ts'
import { deleteWebhooksOn } from '../../content/webhooks/queries.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { changeItem } from '../publishing/changes.ts'
import { findLockedItem, findMembership } from '../queries.ts'
import { getVisible, oneItem, roleOn, type SeenItem } from '../record.ts'
import { isOwner } from '../rules.ts'
import { itemActions } from '../subject.ts'
import { accept, noSuchInvitation } from './accepting.ts'
import type { owners } from './contract.ts'
import { endInvitations, getInvited, invite, tell } from './inviting.ts'
import { assertOpen, type HeldItem, lockOwned } from './opening.ts'
import { passOn } from './passing.ts'
import * as queries from './queries.ts'
import { MAX_LISTED, MAX_NAMES } from './rules.ts'

const conflict = (message: string) => new Problem('conflict', message)
const noSuchMaintainer = () => new Problem('not_found', 'This account is no owner or maintainer of this item')

export const ownersHandlers: Handlers<typeof owners> = {
  async maintainers(context, { id }) {
    const { db, caller, now } = context
    const item = await getVisible(context, { id })
    const items = await maintainersOf(context, item)
    if (!caller || item.gallery || !isOwner(caller, item)) return { items }
    return { items, invitations: (await queries.listSent(db, id, now)).map(shownInvitation) }
  },

  addMaintainer: (context, { id, username, role }) => inviteTo(context, { id, username, role }),
  transfer: (context, { id, username }) => inviteTo(context, { id, username, role: 'transfer' }),

  async setMaintainerRole(context, { id, accountId, role }) {
    await assertOpen(context, id)
    await context.db.transaction().execute(async (transaction) => {
      const item = await lockOwned(transaction, context, { id })
      if (item.ownerId === accountId) throw conflict('The item belongs to this account: it is an owner')
      const member = await findMembership(transaction, { itemId: id, accountId })
      if (!member) throw noSuchMaintainer()
      if (member.role === role) return
      await queries.updateRole(transaction, member, role)
      if (role === 'maintainer') await endRights(transaction, context, { item, accountId })
      await log(transaction, context, { action: itemActions.change_role, item, detail: { accountId, role } })
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
      const detail = { accountId }
      if (item.ownerId === accountId) {
        if (!isOwn) throw conflict('The item belongs to this account: only a transfer changes that')
        const next = await queries.findNextOwner(transaction, id, accountId)
        if (!next) throw conflict('You are its only owner: offer it to another account first, or delete it')
        await endRights(transaction, context, { item, accountId })
        await passOn(transaction, item, next)
        await log(transaction, context, { action: itemActions.remove, item, detail: { ...detail, to: next.accountId } })
        return
      }
      const member = await findMembership(transaction, { itemId: id, accountId })
      if (!member) throw noSuchMaintainer()
      await queries.deleteMembership(transaction, member)
      await endRights(transaction, context, { item, accountId })
      const invited = { id, role: 'maintainer', state: 'removed' } as const
      if (!isOwn) await tell(transaction, { by: caller.id, to: accountId, now, invited }, item)
      await log(transaction, context, { action: itemActions.remove, item, detail })
    })
    return { id }
  },

  async rename(context, { id, slug }) {
    await assertOpen(context, id)
    await context.db.transaction().execute(async (transaction) => {
      const item = await lockOwned(transaction, context, { id })
      const { kind, slug: from } = item
      if (from === slug) return
      const taken = await insertSlugOf(transaction, {
        kind,
        slug,
        targetId: id,
        ownerId: item.ownerId,
        most: MAX_NAMES,
      })
      if (taken === 'full') throw conflict(`An item has at most ${MAX_NAMES} names; choose one that it had before`)
      if (taken === 'taken') throw conflict(`${kind}/${slug} is the name of another item`)
      await changeItem(transaction, item, { slug })
      await log(transaction, context, { action: itemActions.rename, item, detail: { to: slug } })
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
      const item = await findLockedItem(transaction, found.itemId)
      const invitation = await queries.lockInvitation(transaction, id)
      const mayEnd = item && (await roleOn(transaction, caller.id, item)) === 'owner'
      if (!invitation || !(mayEnd || invitation.accountId === caller.id)) throw noSuchInvitation()
      await budget.spend(transaction)
      await endInvitations(transaction, [invitation], now)
    })
    return { id }
  },
}

/** The holder first, then those of longest standing. */
async function maintainersOf({ db }: Pick<Context, 'db'>, item: SeenItem) {
  const { ownerId: id, ownerUsername: username, ownerName: name } = item
  const holder = { account: { id, username, name }, role: 'owner' as const, since: item.heldSince ?? item.createdAt }
  const members = item.gallery ? [] : await queries.listMembers(db, item.id)
  return [
    { ...holder, holder: true },
    ...members.map(({ role, since, ...account }) => ({ account, role, since, holder: false })),
  ]
}

async function inviteTo(
  context: Context<Caller>,
  { id, username, role }: { id: string; username: string; role: 'owner' | 'maintainer' | 'transfer' },
) {
  const { db, now } = context
  await assertOpen(context, id)
  const invitationId = await db.transaction().execute(async (transaction) => {
    const item = await lockOwned(transaction, context, { id })
    const { id: accountId } = await getInvited(transaction, username)
    const invitation = await invite(transaction, context, { item, accountId, role })
    await log(transaction, context, { action: itemActions.invite, item, detail: { accountId, role } })
    return invitation.id
  })
  const sent = await queries.listSent(db, id, now)
  return shownInvitation(required(sent.find((one) => one.id === invitationId)))
}

/** What only an owner has: invitations that wait, and webhooks. */
async function endRights(
  db: Transaction,
  { now }: Pick<Context, 'now'>,
  { item, accountId }: { item: HeldItem; accountId: string },
): Promise<void> {
  await endInvitations(db, await queries.listInvitationsOf(db, { itemId: item.id, invitedBy: accountId }), now)
  await deleteWebhooksOn(db, item.id, accountId)
}

const log = (
  db: Transaction,
  { caller, now, address }: Pick<Context<Caller>, 'caller' | 'now' | 'address'>,
  { action, item, detail }: { action: AuditAction; item: HeldItem; detail: Record<string, unknown> },
): Promise<void> => {
  const on = { kind: item.kind, slug: item.slug }
  return record(db, now, { action, actorId: caller.id, targetId: item.id, detail: { ...on, ...detail }, address })
}

function shownInvitation(row: queries.ShownInvitation) {
  return {
    id: row.id,
    role: row.role,
    item: { id: row.itemId, kind: row.kind, slug: row.slug, name: row.name },
    account: { id: row.accountId, username: row.username, name: row.accountName },
    invited_by: { id: row.inviterId, username: row.inviterUsername, name: row.inviterName },
    created_at: row.createdAt,
    expires_at: row.expiresAt,
  }
}
