// The usage of an account, for its owner.
import type { Standing } from '../contract/budget.ts'
import type { Db } from '../database/schema.ts'
import { readAll } from './counting.ts'
import { findStoredBytes } from './queries.ts'
import { type Budgets, writeBudgets } from './rules.ts'
import { accountCounters, type Spender, tierOf } from './writes.ts'

export interface Usage {
  bytes: { stored: number; limit: number | null }
  standings: Standing[]
}

/** `budgets` is undefined where they are lifted. */
export async function usageOf(
  db: Db,
  spender: Spender,
  { budgets, now }: { budgets: Budgets | undefined; now: string },
): Promise<Usage> {
  const stored = await findStoredBytes(db, spender.id)
  const tier = budgets && tierOf(spender, budgets, now)
  if (!tier) return { bytes: { stored, limit: null }, standings: [] }
  const limit = budgets.bytes[tier]
  const counters = writeBudgets.flatMap((name) => accountCounters(budgets, { name, tier }, spender))
  return {
    bytes: { stored, limit: Number.isFinite(limit) ? limit : null },
    standings: await readAll(db, counters, now),
  }
}
