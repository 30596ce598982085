// Who may be blocked and demoted by whom (behaviour.md, section 2), decided on accounts that are locked.

import type { Role } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { User } from '../../identity/account-queries.ts'
import { isActive } from '../../identity/rules.ts'

/** Finds the two accounts of a decision. Between the check of the request and the lock the actor may have lost the power. */
export function partiesOf(
  locked: readonly User[],
  { actorId, targetId, roles }: { actorId: string; targetId: string; roles: readonly Role[] },
): { actor: User; target: User } {
  const actor = locked.find(({ id }) => id === actorId)
  if (!actor || !isActive(actor) || !roles.includes(actor.role)) throw new Problem('forbidden', 'Forbidden')
  const target = locked.find(({ id }) => id === targetId)
  if (!target) throw new Problem('not_found', 'No such user')
  return { actor, target }
}

/** No one can block themselves (behaviour.md, section 2). */
export function requireAnotherTarget({ actor, target }: { actor: User; target: User }): void {
  if (actor.id === target.id) throw new Problem('conflict', 'You cannot block yourself')
}

/** A moderator cannot block an admin, but may let one in again (interface.md, section 3). */
export function requireRankToBlock({ actor, target }: { actor: User; target: User }): void {
  if (target.role === 'admin' && actor.role !== 'admin') throw new Problem('forbidden', 'Forbidden')
}
