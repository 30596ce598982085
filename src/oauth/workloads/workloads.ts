// Workload identities, as the rest of the authorization server sees them.
import { lazily } from '../../request/lazily.ts'
import { once } from '../../runtime/once.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { workloads } from './contract.ts'
import type { workloadExchange as exchange } from './exchange.ts'

/** Answers exchanges of ID tokens of programs; loaded for the first one. */
export function workloadExchange(parts: OAuthContext): ReturnType<typeof exchange> {
  const exchanging = once(async () => (await import('./exchange.ts')).workloadExchange(parts))
  return async (asked) => (await exchanging())(asked)
}

export const workloadHandlers = lazily(workloads, async () => (await import('./handlers.ts')).handlers)
