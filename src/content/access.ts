// Who may touch what somebody else made. The only place where ownership is decided.
import { Problem } from '../contract/problem.ts'
import type { Caller } from '../request/handler.ts'

const forbidden = () => new Problem('forbidden', 'Forbidden')

export const isModerator = (caller: Caller): boolean => caller.role !== 'member'

/** Lets the owner through, and moderators and admins; everybody else gets `forbidden`. */
export function requireOwnerOrModerator(caller: Caller, ownerId: string): void {
  if (caller.id !== ownerId && !isModerator(caller)) throw forbidden()
}

/**
 * The thing, for moderators and admins, and for its author while nobody has commented on it. A moderator is told when it
 * does not exist; everybody else is told the same of a thing that is there and of one that is not, as where a role is
 * asked for (interface.md, section 7).
 */
export function requireModeratorOrUnanswered<Thing extends { authorId: string; commentCount: number }>(
  caller: Caller,
  thing: Thing | undefined,
  noSuchThing: () => Problem,
): Thing {
  const own = thing?.authorId === caller.id && thing.commentCount === 0
  if (!own && !isModerator(caller)) throw forbidden()
  if (!thing) throw noSuchThing()
  return thing
}
