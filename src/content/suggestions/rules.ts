// What can be suggested: a call of an operation that says so, on a thing. Pure.
import { explain } from '../../contract/explain.ts'
import { type Contract, type Operation, placesOf, type Role } from '../../contract/operation.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { isOneOf, moderatesBoardOf } from '../subject.ts'

/** So many suggestions of a thing can wait. */
export const MAX_WAITING = 20

/** So many are accepted or refused at once. */
export const MAX_AT_ONCE = 10

/** An operation that can be suggested, with its name (`bugs.triage`) and the type of the thing that it is about. */
export interface Suggestible {
  name: string
  operation: Operation
  targetType: string
}

/** What a name can be suggested of: not of a part that is off. */
export const findSuggestible = (
  all: ReadonlyMap<string, Suggestible>,
  config: Parameters<typeof partsOff>[0],
  name: string,
): Suggestible | undefined => (partsOff(config).hasOperation(name) ? undefined : all.get(name))

interface SubjectPath {
  type: string
  path: string
}

/** The operations that can be suggested, by their names. */
export function suggestibleIn(
  api: Readonly<Record<string, Contract>>,
  subjects: readonly SubjectPath[],
): ReadonlyMap<string, Suggestible> {
  const found = Object.entries(api).flatMap(([slice, contract]) =>
    Object.entries(contract).flatMap(([verb, operation]): (readonly [string, Suggestible])[] => {
      if (!operation.suggests) return []
      const subject = subjects.find(({ path }) => `${operation.path}/`.startsWith(`${path}/{id}/`))
      const name = `${slice}.${verb}`
      if (!subject) throw new Error(`${name} can be suggested, and is about no thing`)
      return [[name, { name, operation, targetType: subject.type }]]
    }),
  )
  return new Map(found)
}

/**
 * What a suggestion keeps of the input of its operation: the fields that this takes. Throws `invalid_request` for what the operation
 * would not take. `reason` is the reason of the suggestion.
 */
export function keptInput(
  { operation }: Suggestible,
  given: Readonly<Record<string, unknown>>,
  reason: string,
): Record<string, unknown> {
  const { path, query, body } = placesOf(operation)
  const taken = [...path, ...query, ...body]
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => taken.includes(name)))
  if (taken.includes('reason')) Reflect.set(kept, 'reason', reason)
  const { error } = operation.input.safeParse(kept)
  if (error) throw new Problem('invalid_request', `input: ${explain(error, kept)}`)
  return kept
}

/** Whether a caller may accept or refuse it; the operation itself decides once more. */
export const mayDecide = (
  caller: { id: string; role: Role },
  { operation }: Suggestible,
  { authorId, boardId = null }: { authorId: string; boardId?: string | null },
): boolean => {
  const { roles, boardModerators } = operation.access
  if (roles) return roles.includes(caller.role) || (boardModerators === true && moderatesBoardOf({ boardId }))
  return isOneOf(['author', 'moderator'], caller, { authorId, commentCount: 0, boardId })
}
