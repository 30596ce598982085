// The budget of work: CPU time of threads, by account and by network. What is asked for is refused when it is used up; what was used is
// counted also when the request failed or was only tried.
import type { Db } from '../database/schema.ts'
import { NETWORK_SHARE } from '../runtime/network-share.ts'
import { once } from '../runtime/once.ts'
import type { Worker } from '../workers/workers.ts'
import { assertRoom, boundsOf, type Counter } from './counting.ts'
import { networkOf, sharingNetworkOf } from './network.ts'
import { countUp } from './queries.ts'
import { type Budgets, windowWord } from './rules.ts'
import { type Spender, type Tier, tierOf } from './writes.ts'

interface Server {
  config: { rateLimits: boolean; budgets: Budgets }
  /** Of the server itself: no transaction of the request. */
  db: Db
}

interface WorkRequest {
  caller: Spender | undefined
  address: string
  now: string
}

/** For whom threads work: an account, or a network without one. One for a request. */
export function workerFor(server: Server, asking: WorkRequest): () => Worker {
  let worker: Worker | undefined
  return () => {
    worker ??= workerOf(server, asking)
    return worker
  }
}

function workerOf(
  { config: { rateLimits, budgets }, db: always }: Server,
  { caller, address, now }: WorkRequest,
): Worker {
  const network = networkOf(address)
  const owner = caller?.id ?? `network ${network}`
  const tier = caller ? tierOf(caller, budgets, now) : 'unverified'
  const by = { owner, network: sharingNetworkOf(address), isFirst: tier !== 'unverified' }
  if (!rateLimits || !tier) return by
  const counters = budgets.work[tier].flatMap(({ count, windowSeconds }): Counter[] => [
    ...(caller ? [counterOf({ scope: 'account', of: caller.id, tier, count, windowSeconds })] : []),
    counterOf({ scope: 'network', of: network, tier, count: count * NETWORK_SHARE, windowSeconds }),
  ])
  return {
    ...by,
    // Once: what has begun is finished, so that no publication ends half-way.
    begin: once(() => assertRoom(always, counters, now)),
    async spent(milliseconds) {
      const count = Math.max(1, Math.round(milliseconds))
      for (const { key, rate } of counters) await countUp(always, [{ key, count }], boundsOf(now, rate.windowSeconds))
    },
  }
}

interface WorkCounter {
  scope: 'account' | 'network'
  of: string
  tier: Tier
  /** In seconds. */
  count: number
  windowSeconds: number
}

function counterOf({ scope, of, tier, count, windowSeconds }: WorkCounter): Counter {
  const whose = scope === 'account' ? 'this account' : 'your network'
  return {
    key: scope === 'account' ? `work:account:${windowSeconds}:${of}` : `work:network:${tier}:${windowSeconds}:${of}`,
    policy: scope === 'account' ? `work-${windowWord(windowSeconds)}` : `work-network-${windowWord(windowSeconds)}`,
    rate: { count: count * 1000, windowSeconds },
    sentence: () => `Files and scripts of ${whose} took too long`,
    ...(scope === 'network' && { shared: true }),
  }
}
