// How much of its budgets the account of the caller has used.
import { usageOf } from '../budgets/usage.ts'
import type { Handlers } from '../request/handler.ts'
import type { usage } from './usage-contract.ts'

export const handlers: Handlers<typeof usage> = {
  async get({ db, caller, config, now }) {
    const budgets = config.rateLimits ? config.budgets : undefined
    const { bytes, standings } = await usageOf(db, caller, { budgets, now })
    return {
      storedBytes: bytes.stored,
      storedBytesLimit: bytes.limit,
      budgets: standings.flatMap(({ policy, quota, remaining, window }) =>
        window
          ? [{ policy, quota, remaining, windowSeconds: window.seconds, resetsInSeconds: window.resetsInSeconds }]
          : [],
      ),
    }
  },
}
