// An answer that goes on after its call, such as a stream: whether its caller may still make that call.
import type { Operation } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import { timestamp } from '../runtime/clock.ts'
import { besideBoards } from './about.ts'
import { authenticate, authorize, requireOwnUse } from './authorize.ts'
import type { CallState, Core, Credentials } from './call-request.ts'
import { accessOf } from './readers.ts'

interface OpenCall {
  operation: Operation
  credentials: Credentials
  authenticated: CallState['authenticated']
}

/**
 * Whether the credentials of a call are still good for it, as they would be for a new request. A proof of a key is good once, so the key that
 * it showed is compared with the token's.
 */
export async function mayGoOn(
  { dependencies: { config, clock }, authenticators }: Pick<Core, 'dependencies' | 'authenticators'>,
  { operation, credentials, authenticated }: OpenCall,
): Promise<boolean> {
  const { page: _, accessToken, ...others } = credentials
  const key = authenticated?.caller && 'key' in authenticated ? authenticated.key : undefined
  const shown = accessToken && { ...accessToken, ...(key !== undefined && { shown: { key } }) }
  try {
    const found = await authenticate(authenticators, { ...others, accessToken: shown }, timestamp(clock.now()))
    requireOwnUse(operation, found)
    return authorize(besideBoards(accessOf(operation.access, config)), found, config) !== undefined
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
