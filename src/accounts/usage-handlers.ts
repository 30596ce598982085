// How much of its budgets the account of the caller has used.
import { readAll } from '../budgets/counting.ts'
import { findStoredBytes } from '../budgets/queries.ts'
import { writeBudgets } from '../budgets/rules.ts'
import { accountCounters, tierOf } from '../budgets/writes.ts'
import type { Handlers } from '../request/handler.ts'
import type { usage } from './usage-contract.ts'

export const handlers: Handlers<typeof usage> = {
  async get({ db, caller, config: { rateLimits, budgets }, now }) {
    const storedBytes = await findStoredBytes(db, caller.id)
    const tier = rateLimits ? tierOf(caller, budgets, now) : undefined
    if (!tier) return { storedBytes, storedBytesLimit: null, budgets: [] }
    const counters = writeBudgets.flatMap((name) => accountCounters(budgets, { name, tier }, caller))
    const standings = await readAll(db, counters, now)
    return {
      storedBytes,
      storedBytesLimit: Number.isFinite(budgets.bytes[tier]) ? budgets.bytes[tier] : null,
      budgets: standings.flatMap(({ policy, quota, remaining, window }) =>
        window
          ? [{ policy, quota, remaining, windowSeconds: window.seconds, resetsInSeconds: window.resetsInSeconds }]
          : [],
      ),
    }
  },
}
