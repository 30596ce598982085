// What a call is to the grant of its token: noted, refused where the account does not allow it, and counted.
import { countBounded } from '../../budgets/bounds.ts'
import type { Standing } from '../../contract/budget.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Caller } from '../../request/handler.ts'
import { bytesOf } from './body.ts'
import type { HttpOptions } from './http.ts'

interface BoundedCall {
  operation: Operation
  caller: Caller | undefined
  request: Request
  now: string
}

/** Gives how far the bounds of the grant are used up; nothing where nothing is bound. */
export async function countCall(
  { authenticators, dependencies }: Pick<HttpOptions, 'authenticators' | 'dependencies'>,
  { operation, caller, request, now }: BoundedCall,
): Promise<readonly Standing[]> {
  if (!caller) return []
  authenticators.used?.(caller, operation.access.scope, now)
  if (!('bounds' in caller.via) || !caller.via.bounds || !caller.via.grantId) return []
  const { bounds, grantId } = caller.via
  const isMeasured = bounds.bytes !== undefined && operation.method !== 'GET'
  const bytes = isMeasured ? await bytesOf(request) : 0
  return countBounded(dependencies.db, { grantId, bounds }, { operation, bytes, now })
}
