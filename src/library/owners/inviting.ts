// Invitations to items and to teams: what waits for an account or for the owners of a team, and what becomes of it.

import { record } from '../../audit/audit.ts'
import type { PendingOf } from '../../content/news/handlers.ts'
import { recordGone, recordInvited } from '../../content/notifications/events.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, InvitationTable, Transaction } from '../../database/schema.ts'
import { findUserByUsername } from '../../identity/account-queries.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import * as queries from '../holders/owner-queries.ts'
import { INVITATION_SECONDS, MAX_LISTED, MAX_PEOPLE } from '../holders/owner-rules.ts'
import type { StoredItem } from '../items/queries.ts'
import { pathOf } from '../records/record.ts'

/** What accounts are invited to: a locked item or team. Its row guards its people and invitations. */
export interface Place extends queries.PlaceKey {
  /** What people call it. */
  title: string
  /** Where the site shows it. */
  url: string
}

/** The columns of an invitation that name its place. An item that is offered to a team has the team in `teamId`. */
const keyOf = ({ type, id }: queries.PlaceKey): { itemId: string | null; teamId: string | null } =>
  type === 'item' ? { itemId: id, teamId: null } : { itemId: null, teamId: id }

export const itemPlace = (item: Pick<StoredItem, 'id' | 'name' | 'kind' | 'slug'>): Place => ({
  ...{ type: 'item', id: item.id, title: item.name, url: pathOf(item) },
})

export const teamPath = (slug: string): string => `/teams/${slug}`

export const teamPlace = ({ id, name, slug }: { id: string; name: string; slug: string }): Place => ({
  ...{ type: 'team', id, title: name, url: teamPath(slug) },
})

const conflict = (message: string) => new Problem('conflict', message)
export const noSuchInvitation = () => new Problem('not_found', 'No such invitation')

/** The account of a username; throws `not_found`, also for one that is blocked. */
export async function getInvited(db: Db, username: string): Promise<{ id: string }> {
  const account = await findUserByUsername(db, username)
  if (!account || account.blockedAt !== null) throw new Problem('not_found', `There is no member called ${username}`)
  return account
}

/** Who is invited: an account, or a team with those who may accept for it. */
export type Guest = { accountId: string } | { teamId: string; ownerIds: readonly string[] }

interface InviteOptions {
  place: Place
  guest: Guest
  role: InvitationTable['role']
}

/** Invites to a locked place; throws `conflict` where the same was asked before, or where there is no room. Gives the id. */
export async function invite(
  db: Transaction,
  { caller, now }: Pick<Context<Caller>, 'caller' | 'now'>,
  { place, guest, role }: InviteOptions,
): Promise<string> {
  const accountId = 'accountId' in guest ? guest.accountId : null
  const open = await takeOpen(db, place, now)
  if (accountId !== null && open.some((one) => one.accountId === accountId)) {
    throw conflict('This account is invited already')
  }
  if (role === 'transfer' && open.some((one) => one.role === 'transfer')) {
    throw conflict('The item is offered already; withdraw that first')
  }
  if (role !== 'transfer' && (await queries.countPeople(db, place)) >= MAX_PEOPLE) {
    throw conflict(`${place.type === 'item' ? 'An item' : 'A team'} has at most ${MAX_PEOPLE} people`)
  }
  const id = newId()
  const to = { accountId, ...('teamId' in guest && { teamId: guest.teamId }) }
  const expiresAt = after(now, INVITATION_SECONDS)
  const row = { id, ...keyOf(place), ...to, role, invitedBy: caller.id, createdAt: now, expiresAt }
  await queries.insertInvitation(db, row)
  const told = { title: place.title, url: '/library/invitations' }
  const invited = { id, role, state: 'open' } as const
  for (const one of 'ownerIds' in guest ? guest.ownerIds : [guest.accountId]) {
    if (one !== caller.id) await recordInvited(db, { by: caller.id, to: one, now, invited }, told)
  }
  return id
}

/** What is open of an item or a team; what has expired goes. */
async function takeOpen(db: Transaction, place: Place, now: string): Promise<queries.Invitation[]> {
  const all = await queries.listInvitationsOf(db, place)
  await endInvitations(
    db,
    all.filter(({ expiresAt }) => expiresAt <= now),
    now,
  )
  return all.filter(({ expiresAt }) => expiresAt > now)
}

/** Takes invitations back, with the notifications of them. */
export async function endInvitations(
  db: Transaction,
  all: readonly Pick<InvitationTable, 'id'>[],
  now: string,
): Promise<void> {
  await queries.deleteInvitations(
    db,
    all.map(({ id }) => id),
  )
  for (const { id } of all) await recordGone(db, { type: 'invitation', id, isSeen: false }, now)
}

/** Takes back what an account offered others in a place, where it may do that no more. */
export async function endInvitationsBy(
  db: Transaction,
  place: Pick<Place, 'type' | 'id'>,
  { accountId, now }: { accountId: string; now: string },
): Promise<void> {
  await endInvitations(db, await queries.listInvitationsOf(db, place, accountId), now)
}

/** Tells an account how an invitation ended, or what it is no more. */
export const tell = (
  db: Transaction,
  given: Parameters<typeof recordInvited>[1],
  { title, url }: Place,
): Promise<void> => recordInvited(db, given, { title, url })

/** An invitation as the API responds with it. */
export function shownInvitation(row: queries.ShownInvitation) {
  const { itemId, kind, slug, name, teamSlug, teamName, accountId } = row
  return {
    id: row.id,
    role: row.role,
    ...(itemId !== null &&
      kind !== null &&
      slug !== null &&
      name !== null && { item: { id: itemId, kind, slug, name } }),
    ...(teamSlug !== null && teamName !== null && { team: { slug: teamSlug, name: teamName } }),
    ...(accountId !== null && { account: { id: accountId, username: row.username, name: row.accountName } }),
    invited_by: { id: row.inviterId, username: row.inviterUsername, name: row.inviterName },
    created_at: row.createdAt,
    expires_at: row.expiresAt,
  }
}

/** Invitations that wait for an account, as its news shows them. */
export const pendingInvitations: PendingOf = async ({ db, caller, now }) => {
  const rows = await queries.listReceived(db, caller.id, { now, limit: MAX_LISTED })
  return rows.map(({ id, name, teamName, inviterUsername: by, createdAt }) => ({
    ...{ type: 'invitation', id, title: name ?? teamName ?? '', by, createdAt },
  }))
}

/** Records an act on an item in the audit log. */
export const logAct = (
  db: Transaction,
  { caller, now, address }: Pick<Context<Caller>, 'caller' | 'now' | 'address'>,
  { action, item, detail }: { action: AuditAction; item: StoredItem; detail: Record<string, unknown> },
): Promise<void> => {
  const on = { kind: item.kind, slug: item.slug }
  return record(db, now, { action, actorId: caller.id, targetId: item.id, detail: { ...on, ...detail }, address })
}
