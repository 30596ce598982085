// Who may touch what somebody else made. The only place where ownership is decided.
import { Problem } from '../contract/problem.ts'
import type { Caller } from '../handler.ts'

export const isModerator = (caller: Caller): boolean => caller.role !== 'member'

/** Lets the owner through, and moderators and admins; everybody else gets `forbidden`. */
export function requireOwnerOrModerator(caller: Caller, ownerId: string): void {
  if (caller.id !== ownerId && !isModerator(caller)) throw new Problem('forbidden', 'Forbidden')
}
