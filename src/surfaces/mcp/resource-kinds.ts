// Which operations give what can be read as a resource: those whose contract names one and whose path is filled in.
import { pathNames } from '../../contract/operation.ts'
import type { Bound } from '../bind.ts'

/** Things that can be read, by an operation whose path is filled in. */
export interface ResourceKind {
  title: string
  /** With `{id}` in it, or other names. */
  path: string
  bound: Bound
}

export const resourcesOf = (operations: readonly Bound[]): ResourceKind[] =>
  operations.flatMap((bound) => {
    const { resource, method, path } = bound.operation
    const isReading = resource && method === 'GET' && pathNames(path).length > 0
    return isReading ? [{ title: resource, path: `/api${path}`, bound }] : []
  })
