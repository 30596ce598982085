// Which paths there are and what can be done at each, read off the contracts.
import { type Area, type Operation, pathsOf } from '../../contract/operation.ts'
import type { BoundOperation } from '../../core/bind.ts'
import { required } from '../../runtime/untyped.ts'
import { allowOf } from './response.ts'

export interface Route {
  /** As the contract writes it: `/community/bugs/{id}`. */
  path: string
  /** As the router wants it: `/community/bugs/:id`. */
  pattern: string
  byMethod: ReadonlyMap<string, BoundOperation>
  /** The value of `Allow` (RFC 9110, 10.2.1). */
  allow: string
  area: Area
}

/** A route without handlers: it follows from the contracts. */
type Shape = Omit<Route, 'byMethod'>

/** One route a path, with the handlers of these operations. */
export function routesOf(operations: readonly BoundOperation[]): Route[] {
  const byPath = new Map<string, Map<string, BoundOperation>>()
  for (const bound of operations) {
    for (const path of pathsOf(bound.operation)) {
      const there = byPath.get(path)
      if (there) there.set(bound.operation.method, bound)
      else byPath.set(path, new Map([[bound.operation.method, bound]]))
    }
  }
  return shapesOf(operations.map(({ operation }) => operation)).map((shape) => ({
    ...shape,
    byMethod: required(byPath.get(shape.path)),
  }))
}

let known: { operations: readonly Operation[]; shapes: readonly Shape[] } | undefined

/** Made once for all applications of a process. */
function shapesOf(operations: readonly Operation[]): readonly Shape[] {
  const isKnown =
    known?.operations.length === operations.length && known.operations.every((one, at) => one === operations[at])
  known = isKnown ? known : { operations, shapes: makeShapes(operations) }
  return required(known).shapes
}

/**
 * One a path; fixed segments come before those with something to fill in, so that they win, and both after segments
 * that an operation describes (`segments`). Such a path is there a second time, as any other, for what does not fit.
 */
function makeShapes(operations: readonly Operation[]): Shape[] {
  const byPath = Map.groupBy(
    operations.flatMap((operation) => pathsOf(operation).map((path) => ({ path, operation }))),
    ({ path }) => path,
  )
  return [...byPath]
    .flatMap(([path, there]) => {
      const allow = allowOf(there.map(({ operation }) => operation.method))
      const segments: Record<string, string> = Object.assign({}, ...there.map(({ operation }) => operation.segments))
      const shape = { path, allow, area: required(there[0]).operation.access.area }
      return (Object.keys(segments).length > 0 ? [segments, {}] : [{}]).map((described) => ({
        shape: { ...shape, pattern: patternOf(path, described) },
        rank: rankOf(path, described),
      }))
    })
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ shape }) => shape)
}

function patternOf(path: string, segments: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => `:${name}${segments[name] ? `{${segments[name]}}` : ''}`)
}

/** Sorts by code unit: a space comes before every character of a fixed segment, a tilde after it. */
function rankOf(path: string, segments: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => (segments[name] ? ' ' : '~'))
}
