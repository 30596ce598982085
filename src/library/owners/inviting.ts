// Invitations: what waits for an account, and what becomes of it.
import { recordGone, recordInvited } from '../../content/notifications/events.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, InvitationTable, Transaction } from '../../database/schema.ts'
import { findUserByUsername } from '../../identity/account-queries.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import { findMembership } from '../queries.ts'
import { pathOf } from '../record.ts'
import type { HeldItem } from './opening.ts'
import * as queries from './queries.ts'
import { INVITATION_SECONDS, MAX_PEOPLE } from './rules.ts'

const conflict = (message: string) => new Problem('conflict', message)

/** The account of a username; throws `not_found`, also for one that is blocked. */
export async function getInvited(db: Db, username: string): Promise<{ id: string }> {
  const account = await findUserByUsername(db, username)
  if (!account || account.blockedAt !== null) throw new Problem('not_found', `There is no member called ${username}`)
  return account
}

/** Invites an account to a locked item; throws `conflict` where it is one of its people already or was asked before. */
export async function invite(
  db: Transaction,
  { caller, now }: Pick<Context<Caller>, 'caller' | 'now'>,
  { item, accountId, role }: { item: HeldItem } & Pick<InvitationTable, 'accountId' | 'role'>,
): Promise<InvitationTable> {
  const itemId = item.id
  if (item.ownerId === accountId) throw conflict('The item belongs to this account')
  const member = await findMembership(db, { itemId, accountId })
  if (member && role !== 'transfer') throw conflict(`This account is a ${member.role} already`)
  const open = await takeOpen(db, itemId, now)
  if (open.some((one) => one.accountId === accountId)) throw conflict('This account is invited already')
  if (role === 'transfer' && open.some((one) => one.role === 'transfer')) {
    throw conflict('The item is offered to another account; withdraw that first')
  }
  if (role !== 'transfer' && (await queries.countPeople(db, itemId)) >= MAX_PEOPLE) {
    throw conflict(`An item has at most ${MAX_PEOPLE} people`)
  }
  const invitation = { id: newId(), itemId, accountId, role, invitedBy: caller.id, createdAt: now }
  const row = { ...invitation, expiresAt: after(now, INVITATION_SECONDS) }
  await queries.insertInvitation(db, row)
  const invited = { id: row.id, role, state: 'open' } as const
  const told = { title: item.name, url: '/library/invitations' }
  await recordInvited(db, { by: caller.id, to: accountId, now, invited }, told)
  return row
}

/** What is open of an item; what has expired goes. */
async function takeOpen(db: Transaction, itemId: string, now: string): Promise<InvitationTable[]> {
  const all = await queries.listInvitationsOf(db, { itemId })
  await endInvitations(
    db,
    all.filter(({ expiresAt }) => expiresAt <= now),
    now,
  )
  return all.filter(({ expiresAt }) => expiresAt > now)
}

/** Takes invitations back, with the notifications of them. */
export async function endInvitations(db: Transaction, all: readonly InvitationTable[], now: string): Promise<void> {
  await queries.deleteInvitations(
    db,
    all.map(({ id }) => id),
  )
  for (const { id } of all) await recordGone(db, { type: 'invitation', id, isSeen: false }, now)
}

/** Tells an account how an invitation ended, or that it is an owner or a maintainer no more. */
export const tell = (
  db: Transaction,
  given: Parameters<typeof recordInvited>[1],
  item: Pick<HeldItem, 'name' | 'kind' | 'slug'>,
): Promise<void> => recordInvited(db, given, { title: item.name, url: pathOf(item) })
