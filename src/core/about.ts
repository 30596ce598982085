// What a call is about, as its input says: things of parts that are off are not there, and boards and their moderators have a say over what is in
// them.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Access, isWrite, type Operation } from '../contract/operation.ts'
import { type PartsOff, partsOff } from '../contract/parts.ts'
import { Problem } from '../contract/problem.ts'
import { isWithinReach, NO_STANDING, provideStandings, type Running, type Standings } from '../contract/standing.ts'
import type { Db } from '../database/schema.ts'
import type { Caller } from '../request/handler.ts'
import { refusalOfRole } from './authorize.ts'
import type { BoardsOf, Core, Credentials } from './call-request.ts'

// Moderators of boards: members who may do more with what is in their boards. What they may is said by the contract (`boardModerators`), and
// decided here once for all operations: before the input is read by their standings, and then by the board of the thing that it names.
// Each row that such a call locks is asked once more (content/rows/row-queries.ts): also another thing of the call, and one that moved.

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

/** Throws `forbidden` unless the thing of an input is in a board that the running call moderates; as well where there is none. */
async function requireWithinReach(db: Db, boardsOf: BoardsOf, { id }: { id?: unknown }): Promise<void> {
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

export const nothingHere = (): Problem => new Problem('not_found', 'There is nothing here')

/** Whether an input names a kind of things that is off. A list that takes a type of things says itself what that is. */
function isOfPartOff({ key, kinds }: PartsOff, operation: Operation, input: unknown): boolean {
  if (key === '') return false
  const { kind, type, targetType } = input as Partial<Record<'kind' | 'type' | 'targetType', unknown>>
  return [kind, ...(isWrite(operation) ? [type, targetType] : [])].some(
    (one) => typeof one === 'string' && kinds.has(one),
  )
}

interface OpenedCall {
  operation: Operation
  caller: Caller | undefined
  /** Whether its caller moderates boards, and has no role for it. */
  isOfBoards: boolean
  /** Whether a person has agreed to it: it was asked when it was sent. */
  isAgreedTo: boolean
}

/** Throws where a call is refused for what its input names. */
export async function requireOpen(
  { dependencies, boardsOf, requirePowerIn }: Pick<Core, 'dependencies' | 'boardsOf' | 'requirePowerIn'>,
  { operation, caller, isOfBoards, isAgreedTo }: OpenedCall,
  { db, input }: { db: Db; input: Readonly<Record<string, unknown>> },
): Promise<void> {
  if (isOfPartOff(partsOff(dependencies.config), operation, input)) throw nothingHere()
  // A list has what is in their boards.
  if (isOfBoards && 'id' in operation.input.shape) await requireWithinReach(db, boardsOf, input)
  if (!caller || !operation.kind || operation.isSuggestion || isAgreedTo) return
  await requirePowerIn(db, {
    caller,
    kind: operation.kind,
    wanted: 'write',
    input,
    isPlaced: 'board' in operation.input.shape,
  })
}
