// The budget of a call, looked at before any of its body is read.
import type { Exhausted } from '../../budgets/exhausted.ts'
import { CallBudget } from '../../budgets/writes.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Caller, Dependencies } from '../../request/handler.ts'

interface Budgeting {
  dependencies: Dependencies
  exhausted: Exhausted
}

interface Spending {
  caller: Caller | undefined
  address: string
  now: string
}

/** Refuses what is over budget: the dearer the body, the closer the look. Undefined for an operation without a budget. */
export async function openBudget(
  { dependencies, exhausted }: Budgeting,
  { budget: name, upload, bodyLimitBytes }: Operation,
  { caller: spender, ...spending }: Spending,
): Promise<CallBudget | undefined> {
  if (!name) return undefined
  const { config, db } = dependencies
  const budget = new CallBudget({
    budgets: config.rateLimits ? config.budgets : undefined,
    name,
    exhausted,
    spender,
    ...spending,
  })
  await budget.precheck(db, { reads: upload !== undefined || bodyLimitBytes !== undefined })
  return budget
}
