// Blocking an account and letting it in again, by the rules for who may, with everything that a block hides.
import { startSweep } from '../../content/hiding/sweeping.ts'
import { recordBlocked } from '../../content/notifications/events.ts'
import type { Transaction } from '../../database/schema.ts'
import { lockUsersAndAdmins, type User } from '../../identity/account-queries.ts'
import { blockUser, unblockUser } from '../../identity/roles.ts'
import { requireAnotherAdmin } from '../../identity/rules.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { admin } from './contract.ts'
import { partiesOf, requireAnotherTarget, requireRankToBlock } from './rules.ts'

type Blocking = Pick<Context<Caller>, 'caller' | 'now' | 'address'>

/** Locks an account that the caller may block or remove; throws otherwise. */
export async function lockSubordinate(
  { caller }: Pick<Blocking, 'caller'>,
  db: Transaction,
  id: string,
): Promise<User> {
  const locked = await lockUsersAndAdmins(db, [caller.id, id])
  const parties = partiesOf(locked, { actorId: caller.id, targetId: id, roles: admin.block.access.roles })
  requireAnotherTarget(parties)
  requireRankToBlock(parties)
  requireAnotherAdmin(locked, parties.target)
  return parties.target
}

async function lockBlocked({ caller }: Blocking, db: Transaction, id: string): Promise<User> {
  const locked = await lockUsersAndAdmins(db, [caller.id, id])
  return partiesOf(locked, { actorId: caller.id, targetId: id, roles: admin.block.access.roles }).target
}

/** Gives since when the account is blocked, and whether that changed. */
export async function changeBlock(
  context: Blocking,
  db: Transaction,
  { id, blocked, reason }: { id: string; blocked: boolean; reason: string | null },
): Promise<{ target: User; blockedAt: string | null; isChanged: boolean }> {
  const { caller, now, address } = context
  const target = await (blocked ? lockSubordinate : lockBlocked)(context, db, id)
  if (blocked === (target.blockedAt !== null)) return { target, blockedAt: target.blockedAt, isChanged: false }
  const change = blocked ? blockUser : unblockUser
  if (blocked) await recordBlocked(db, id, now)
  await startSweep(db, { userId: id, by: 'block', isOn: blocked, now })
  const { blockedAt } = await change(db, target, { actorId: caller.id, now, reason, address })
  return { target, blockedAt, isChanged: true }
}
