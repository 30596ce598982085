// The requests that are counted from the start, so that an alert hears of the first one that fails.
import type { BoundOperation } from '../../core/bind.ts'
import type { Endpoint } from '../../request/endpoint.ts'
import { pairsOf } from '../../runtime/counts.ts'

const FAILED = ['500', '503']
/** What is no operation of the API: what goes by other ways (listen.ts, mcp/mount.ts, site/mount.ts). */
const OTHERS = ['site', 'mcp']

export interface RequestSources {
  operations: readonly BoundOperation[]
  endpoints: readonly Endpoint[]
}

/** By operation and status: what each answers when all is well, and when it fails. The protocol endpoints are paths with their methods. */
export function countedRequests({ operations, endpoints }: RequestSources): string[] {
  const paths = endpoints.flatMap(({ path, methods }) => Object.keys(methods).map((method) => `${method} ${path}`))
  return [
    ...operations.flatMap(({ name, operation }) => pairsOf([name], [String(operation.status ?? 200), ...FAILED])),
    ...pairsOf([...OTHERS, ...paths], ['200', ...FAILED]),
    ...pairsOf(['ready'], ['200']),
    ...pairsOf(['overload'], ['503']),
  ]
}
