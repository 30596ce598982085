// Which paths there are and what can be done at each, read off the contracts.
import type { Area } from '../../contract/operation.ts'
import type { Bound } from '../bind.ts'

export interface Route {
  /** As the contract writes it: `/community/bugs/{id}`. */
  path: string
  /** As the router wants it: `/community/bugs/:id`. */
  pattern: string
  byMethod: ReadonlyMap<string, Bound>
  /** The value of `Allow` (RFC 9110, 10.2.1). */
  allow: string
  area: Area
}

/** One route a path; fixed paths come before those with something to fill in, so that they win. */
export function routesOf(operations: readonly Bound[]): Route[] {
  const byPath = Map.groupBy(operations, ({ operation }) => operation.path)
  return [...byPath]
    .map(([path, bound]) => {
      const methods = bound.map(({ operation }) => operation.method as string)
      const allow = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])]
        .sort()
        .join(', ')
      return {
        path,
        pattern: path.replace(/\{(\w+)\}/g, ':$1'),
        byMethod: new Map(bound.map((one) => [one.operation.method, one])),
        allow,
        area: bound[0]!.operation.access.area,
      }
    })
    .sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1))
}

const rank = (path: string) => path.replaceAll('{', '~')
