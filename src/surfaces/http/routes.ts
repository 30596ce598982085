// Which paths there are and what can be done at each, read off the contracts.
import { type Area, pathsOf } from '../../contract/operation.ts'
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

/**
 * One route a path; fixed segments come before those with something to fill in, so that they win, and both after segments
 * that an operation describes (`segments`). Such a path is there a second time, as any other, for what does not fit.
 */
export function routesOf(operations: readonly BoundOperation[]): Route[] {
  const byPath = Map.groupBy(
    operations.flatMap((bound) => pathsOf(bound.operation).map((path) => ({ path, bound }))),
    ({ path }) => path,
  )
  return [...byPath]
    .flatMap(([path, there]) => {
      const bound = there.map((one) => one.bound)
      const allow = allowOf(bound.map(({ operation }) => operation.method))
      const byMethod = new Map(bound.map((one) => [one.operation.method, one]))
      const segments: Record<string, string> = Object.assign({}, ...bound.map(({ operation }) => operation.segments))
      const route = { path, byMethod, allow, area: required(bound[0]).operation.access.area }
      return (Object.keys(segments).length > 0 ? [segments, {}] : [{}]).map((described) => ({
        route: { ...route, pattern: patternOf(path, described) },
        rank: rankOf(path, described),
      }))
    })
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ route }) => route)
}

function patternOf(path: string, segments: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => `:${name}${segments[name] ? `{${segments[name]}}` : ''}`)
}

/** Sorts by code unit: a space comes before every character of a fixed segment, a tilde after it. */
function rankOf(path: string, segments: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => (segments[name] ? ' ' : '~'))
}
