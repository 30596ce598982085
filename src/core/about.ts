// What a call is about, as its input says: things of parts that are off are not there, and boards have a say over what is in them.
import { isWrite, type Operation } from '../contract/operation.ts'
import { type PartsOff, partsOff } from '../contract/parts.ts'
import { Problem } from '../contract/problem.ts'
import type { Db } from '../database/schema.ts'
import type { Caller } from '../request/handler.ts'
import { requireWithinReach } from './board-moderators.ts'
import type { Core } from './call-request.ts'

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
