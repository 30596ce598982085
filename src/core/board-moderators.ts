// Moderators of boards: members who may do more with what is in their boards. What they may is said by the contract (`boardModerators`), and
// decided here once for all operations: before the input is read by their standings, and then by the board of the thing that it names.
// Each row that such a call locks is asked once more (content/rows/row-queries.ts): also another thing of the call, and one that moved.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Access } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import { isWithinReach, NO_STANDING, provideStandings, type Running, type Standings } from '../contract/standing.ts'
import type { Db } from '../database/schema.ts'
import type { Caller } from '../request/handler.ts'
import { type Credentials, refusalOfRole } from './authorize.ts'

/** An access as far as it is decided without boards. */
export const besideBoards = ({ roles, ...access }: Access): Access =>
  roles && !access.boardModerators ? { ...access, roles } : access

/** Whether a caller may call as a moderator of boards alone. Throws `forbidden` where neither a role nor a board allows it. */
export function isOfBoards(
  { roles, boardModerators }: Access,
  caller: Caller | undefined,
  standings: Standings | undefined,
): boolean {
  if (!boardModerators || !roles || !caller || roles.includes(caller.role)) return false
  if ([...(standings?.values() ?? [])].some(({ moderate }) => moderate)) return true
  throw refusalOfRole(roles, caller)
}

/** The boards of the things and comments with these ids, and of those that cases and acts of moderators are on; null for the first one. */
export type BoardsOf = (db: Db, ids: readonly string[]) => Promise<readonly (string | null)[]>

/** Throws `forbidden` unless the thing of an input is in a board that the running call moderates; as well where there is none. */
export async function requireWithinReach(db: Db, boardsOf: BoardsOf, { id }: { id?: unknown }): Promise<void> {
  const boards = await boardsOf(db, [String(id)])
  if (boards.length === 0 || !boards.every(isWithinReach)) throw new Problem('forbidden', 'Forbidden')
}

/** The standings of the call that runs now: they go along with its work, as the client that waits for it does. */
const running = new AsyncLocalStorage<Running | undefined>()
provideStandings(() => running.getStore())

/** Runs the work of a call with what its caller may do in boards; undefined where there are none. */
export const withStandings = <Result>(standings: Running | undefined, work: () => Result): Result =>
  standings === undefined && running.getStore() === undefined ? work() : running.run(standings, work)

/** What a call may do in boards; with the key of a feed those of its account are only read. */
export async function standingsFor(
  core: { standingsOf(caller: Caller): Promise<Standings | undefined> },
  caller: Caller | undefined,
  { boardsOf }: Pick<Credentials, 'boardsOf'>,
): Promise<Standings | undefined> {
  if (caller || !boardsOf) return caller && core.standingsOf(caller)
  const standings = await core.standingsOf(boardsOf)
  return standings && new Map([...standings].map(([id, { read }]) => [id, { ...NO_STANDING, read }]))
}
