// Blocks and unblocks accounts, with the permissions for it, and hides or shows their content.
import { record } from '../../audit/audit.ts'
import { startSweep } from '../../content/hiding/sweeping.ts'
import { recordBlocked } from '../../content/notifications/events.ts'
import { bringBackEvents } from '../../content/notifications/taking-queries.ts'
import { mailBlock } from '../../content/reports/appeals.ts'
import { recordAct } from '../../content/reports/moderation.ts'
import { bringBackDeliveries } from '../../content/webhooks/aside-queries.ts'
import { wake } from '../../content/webhooks/queries.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import { lockUsersAndAdmins, type User } from '../../identity/account-queries.ts'
import { userActions } from '../../identity/audit-actions.ts'
import { type Actor, blockUser, unblockUser } from '../../identity/roles.ts'
import { requireAnotherAdmin } from '../../identity/rules.ts'
import { findProvidersBlock, updateScimUser } from '../../identity/scim-queries.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { admin } from './contract.ts'
import { partiesOf, requireAnotherTarget, requireRankToBlock } from './rules.ts'

interface BlockContext extends Pick<Context, 'config'> {
  /** null for the operator at the command line, who stands below no one. */
  caller: Pick<Caller, 'id'> | null
  now: string
  address: string | null
}

/** Locks an account that the caller may block or remove; throws otherwise. */
export async function lockSubordinate(
  { caller }: Pick<BlockContext, 'caller'>,
  db: Transaction,
  id: string,
): Promise<User> {
  if (caller === null) return lockForOperator(db, { id, needsAnotherAdmin: true })
  const locked = await lockUsersAndAdmins(db, [caller.id, id])
  const parties = partiesOf(locked, { actorId: caller.id, targetId: id, roles: admin.block.access.roles })
  requireAnotherTarget(parties)
  requireRankToBlock(parties)
  requireAnotherAdmin(locked, parties.target)
  return parties.target
}

/** Locks an account for an act of the operator, for whom the rules hold that need no actor; throws otherwise. */
export async function lockForOperator(
  db: Transaction,
  { id, needsAnotherAdmin }: { id: string; needsAnotherAdmin: boolean },
): Promise<User> {
  const locked = await lockUsersAndAdmins(db, [id])
  const target = locked.find((user) => user.id === id)
  if (!target) throw new Problem('not_found', 'No such user')
  if (needsAnotherAdmin) requireAnotherAdmin(locked, target)
  return target
}

interface Parties {
  target: User
  /** Whether an admin decides, or the operator. */
  byAdmin: boolean
}

async function lockBlocked({ caller }: BlockContext, db: Transaction, id: string): Promise<Parties> {
  if (caller === null) return { target: await lockForOperator(db, { id, needsAnotherAdmin: false }), byAdmin: true }
  const locked = await lockUsersAndAdmins(db, [caller.id, id])
  const { actor, target } = partiesOf(locked, { actorId: caller.id, targetId: id, roles: admin.block.access.roles })
  return { target, byAdmin: actor.role === 'admin' }
}

/** Gives since when the account is blocked, and whether that changed. */
export async function changeBlock(
  context: BlockContext,
  db: Transaction,
  { id, ...change }: { id: string; blocked: boolean; reason: string | null },
): Promise<BlockResult> {
  const { caller, now, address, config } = context
  const parties = change.blocked
    ? { target: await lockSubordinate(context, db, id), byAdmin: false }
    : await lockBlocked(context, db, id)
  const by = { actorId: caller?.id ?? null, now, ...(address !== null && { address }), scim: config.scim }
  return setBlock(by, db, { ...parties, ...change })
}

export interface BlockResult {
  target: User
  blockedAt: string | null
  isChanged: boolean
}

interface BlockChange {
  target: User
  blocked: boolean
  reason: string | null
}

/** An actor where providers are heard, or no longer. */
type BlockActor = Actor & { scim: boolean }

/** Blocks or unblocks a locked account; the permission was checked before. */
export async function setBlock(
  { scim, ...by }: BlockActor,
  db: Transaction,
  { byAdmin, ...change }: BlockChange & Parties,
): Promise<BlockResult> {
  const { target, blocked } = change
  const providers = await findProvidersBlock(db, target.id)
  const isThere = providers?.isBlockedElse === 1
  if (providers && (scim || blocked || !byAdmin)) return setBeside(by, db, { ...change, isThere, scim })
  if (blocked === (target.blockedAt !== null)) return { target, blockedAt: target.blockedAt, isChanged: false }
  // No provider can lift its block any more, so an admin lifts all.
  if (providers) await updateScimUser(db, target.id, { blockedAt: null, isBlockedElse: 0 })
  return applyBlock(by, db, change)
}

const COMPANY_BLOCKS = 'Its company blocks this account; only that can let it in again'
const COMPANY_BLOCKED = 'Its company blocked this account; an admin can let it in again'

/** The same beside the block of a provider, which stays: what is set here holds when the provider lets the account in. */
async function setBeside(
  by: Actor,
  db: Transaction,
  { target, blocked, reason, isThere, scim }: BlockChange & { isThere: boolean; scim: boolean },
): Promise<BlockResult> {
  const { id, blockedAt } = target
  if (blocked === isThere) {
    if (!blocked) throw new Problem('conflict', scim ? COMPANY_BLOCKS : COMPANY_BLOCKED)
    return { target, blockedAt, isChanged: false }
  }
  await updateScimUser(db, id, { isBlockedElse: blocked ? 1 : 0 })
  const action = blocked ? userActions.block : userActions.unblock
  const { now, ...who } = by
  await record(db, now, { action, targetId: id, ...who, reason })
  return { target, blockedAt, isChanged: true }
}

/** The block of a provider on a locked account: another one stays when that is lifted. */
export async function setProvidersBlock(
  by: Actor,
  db: Transaction,
  { target, blocked, isBlockedElse }: { target: User; blocked: boolean; isBlockedElse: boolean },
): Promise<void> {
  const isBlocked = target.blockedAt !== null
  const reason = 'the provider of accounts'
  if (blocked) {
    await updateScimUser(db, target.id, { blockedAt: by.now, isBlockedElse: isBlocked ? 1 : 0 })
    if (!isBlocked) await applyBlock(by, db, { target, blocked, reason })
    return
  }
  await updateScimUser(db, target.id, { blockedAt: null, isBlockedElse: 0 })
  if (isBlocked && !isBlockedElse) await applyBlock(by, db, { target, blocked, reason })
}

async function applyBlock(
  { now, ...by }: Actor,
  db: Transaction,
  { target, blocked, reason }: BlockChange,
): Promise<BlockResult> {
  const { id } = target
  if (blocked) await recordBlocked(db, id, now)
  else await bringBack(db, id, now)
  await startSweep(db, { userId: id, by: 'block', isOn: blocked, now })
  const change = blocked ? blockUser : unblockUser
  const { blockedAt } = await change(db, target, { ...by, now, reason })
  return { target, blockedAt, isChanged: true }
}

/** Records the change in the public log, and mails a blocked account how to appeal. */
export async function tellOfBlock(
  context: Pick<Context, 'outbox' | 'config' | 'secretFor'> & Actor,
  db: Transaction,
  { target: { id, username }, blocked, reason }: BlockChange,
): Promise<void> {
  const on = { type: 'user', id, title: username ?? '', url: username ? `/community/u/${username}` : '' }
  const act = { rule: 'other', reason: reason ?? '', on, accountId: id, actorId: context.actorId } as const
  const actId = await recordAct(db, context.now, { ...act, action: blocked ? 'block' : 'unblock' })
  if (blocked) await mailBlock(context, db, { id: actId, accountId: id, reason: act.reason })
}

/** What its block kept from webhooks, and from those whom it is for, goes out. */
async function bringBack(db: Transaction, userId: string, now: string): Promise<void> {
  await bringBackEvents(db, userId)
  await wake(db, await bringBackDeliveries(db, userId), now)
}
