// What moderators of boards alone decide of cases: those on what is in their boards. They act on things, and on no account; an act of a moderator of
// the instance is not theirs to undo.
import type { Decision } from '../../contract/kinds.ts'
import { Problem } from '../../contract/problem.ts'
import { boardsWithinReach, isWithinReach } from '../../contract/standing.ts'
import type { Db } from '../../database/schema.ts'
import { listPlaces } from '../board-access/place-queries.ts'

const ofAccounts: ReadonlySet<Decision> = new Set(['block', 'remove_all'])

const forbidden = () => new Problem('forbidden', 'Forbidden')

/** Throws `forbidden` where the running call is of a moderator of boards, and the thing of a case is in none of those boards, or gone. */
export async function requireTargetWithinReach(db: Db, targetId: string): Promise<void> {
  if (boardsWithinReach() === undefined) return
  const places = await listPlaces(db, [targetId])
  if (places.length === 0 || !places.every(isWithinReach)) throw forbidden()
}

/** Throws `forbidden` for a decision on an account by a moderator of boards. */
export function requireOnThing(action: Decision): void {
  if (boardsWithinReach() !== undefined && ofAccounts.has(action)) throw forbidden()
}
