// Which operations give what can be read as a resource: those whose contract names one and whose path is filled in, or has one
// address for each caller, such as the inbox.
import { contentTypesOf } from '../../contract/files.ts'
import type { BoundOperation } from '../../core/bind.ts'

/** Things that can be read, by an operation whose path is filled in. */
export interface ResourceKind {
  title: string
  /** With `{id}` in it, or other names, or none. */
  path: string
  bound: BoundOperation
}

export const resourcesOf = (operations: readonly BoundOperation[]): ResourceKind[] =>
  operations.flatMap((bound) => {
    const { resource, method, path } = bound.operation
    return resource && method === 'GET' ? [{ title: resource, path: `/api${path}`, bound }] : []
  })

/** Files that a result links to: they are read by the address of the link. */
export const filesOf = (operations: readonly BoundOperation[]): ResourceKind[] =>
  operations.flatMap((bound) => {
    const { method, path, output } = bound.operation
    return method === 'GET' && contentTypesOf(output) ? [{ title: 'File', path: `/api${path}`, bound }] : []
  })
