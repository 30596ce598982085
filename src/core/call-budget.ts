// The budget of a call, looked at before any of its body is read.

import { ExhaustedBudgets } from '../budgets/counting.ts'
import { DryRuns } from '../budgets/dry-runs.ts'
import { networkOf } from '../budgets/network.ts'
import { type OpenUpload, Uploads } from '../budgets/uploads.ts'
import { CallBudget, spenderOf } from '../budgets/writes.ts'
import type { Operation } from '../contract/operation.ts'
import type { Caller, Dependencies } from '../request/handler.ts'

interface BudgetDependencies {
  dependencies: Dependencies
  exhausted: ExhaustedBudgets
}

/** What this process counts in memory. */
export interface Counts {
  exhausted: ExhaustedBudgets
  dryRuns: DryRuns
  uploads: Uploads
}

export function countsOf({ config, clock }: Pick<Dependencies, 'config' | 'clock'>): Counts {
  const uploads = new Uploads(clock, () => (config.rateLimits ? config.budgets.staged.all : undefined))
  return { exhausted: new ExhaustedBudgets(), dryRuns: new DryRuns(), uploads }
}

interface CallOrigin {
  caller: Caller | undefined
  address: string
  now: string
}

/** Refuses what is over budget: the dearer the body, the closer the look. Undefined for an operation without a budget. */
export async function openBudget(
  budgeting: BudgetDependencies,
  operation: Operation,
  spending: CallOrigin,
): Promise<CallBudget | undefined> {
  const { budget: name, upload, bodyLimitBytes } = operation
  if (!name) return undefined
  const budget = budgetOf(budgeting, operation, spending)
  await budget.precheck(budgeting.dependencies.db, { reads: upload !== undefined || bodyLimitBytes !== undefined })
  return budget
}

function budgetOf(
  { dependencies: { config, secretFor }, exhausted }: BudgetDependencies,
  { budget: name }: Operation,
  { caller, ...spending }: CallOrigin,
): CallBudget {
  const spender = caller && spenderOf(caller, config)
  const budgets = config.rateLimits ? config.budgets : undefined
  return new CallBudget({ budgets, name, exhausted, spender, secretFor, ...spending })
}

/** Opens a place for the files of an upload of `declared` bytes, which count against the bytes of the account while they lie on our disk. */
export function holdUpload(
  budgeting: BudgetDependencies & { uploads: Uploads },
  operation: Operation,
  { declared, most, ...spending }: CallOrigin & { declared: number; most: number },
): Promise<OpenUpload> {
  const budget = budgetOf(budgeting, operation, spending)
  const network = networkOf(spending.address)
  const owner = spending.caller?.id ?? `network ${network}`
  return budgeting.uploads.open({
    owner,
    network,
    groups: budget.groups,
    places: budget.places,
    declared: Math.min(most, declared),
    findRooms: () => budget.findRooms(budgeting.dependencies.db, owner),
  })
}
