// What limits a call: its budget, looked at before any of its body is read, and the bounds of the grant of its token.

import { countBounded, requireKind } from '../budgets/bounds.ts'
import { ExhaustedBudgets } from '../budgets/counting.ts'
import { DryRuns } from '../budgets/keys.ts'
import { networkOf } from '../budgets/network.ts'
import { type OpenUpload, Uploads } from '../budgets/uploads.ts'
import { CallBudget, spenderOf } from '../budgets/writes.ts'
import { asksFirst, requirePower } from '../contract/bounds.ts'
import type { BudgetStanding } from '../contract/budget.ts'
import { isRepeatable, isWrite, type Operation } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import type { Caller, Dependencies } from '../request/handler.ts'
import type { CallRequest, Core, Counts } from './call-request.ts'
import { askedBy, plain, type Way } from './once.ts'

interface BudgetDependencies {
  dependencies: Dependencies
  exhausted: ExhaustedBudgets
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

// What a call is to the grant of its token: noted, refused where the account does not allow it, and counted.

interface BoundedCall {
  operation: Operation
  caller: Caller | undefined
  request: CallRequest
  now: string
}

/** Whether a write waits for a yes of the account. Throws `outside_bounds` for one that must not be tried first. */
function waitsForYes(operation: Operation, caller: Caller | undefined): boolean {
  const bounds = caller && 'bounds' in caller.via ? caller.via.bounds : undefined
  if (operation.withdraws || !asksFirst(operation, bounds)) return false
  if (isRepeatable(operation)) return true
  throw new Problem('outside_bounds', 'The account wants to be asked before this, and it cannot be tried first')
}

/** What the grant does not allow any more is not made either, when the account agrees; it was counted when it was sent. */
function requireAllowed(operation: Operation, { via }: Caller): void {
  if ('bounds' in via && via.bounds) requireKind(operation, via.bounds)
}

/** Gives how far the bounds of the grant are used up; nothing where nothing is bound. */
async function countCall(
  { authenticators, dependencies }: Pick<Core, 'authenticators' | 'dependencies'>,
  { operation, caller, request, now }: BoundedCall,
): Promise<readonly BudgetStanding[]> {
  if (!caller || request.isLooking) return []
  authenticators.used?.(caller, operation.access.scope, now)
  if (!('bounds' in caller.via) || !caller.via.bounds || !caller.via.grantId) return []
  const { bounds, grantId, handedOn } = caller.via
  const isMeasured = bounds.bytes !== undefined && operation.method !== 'GET'
  const bytes = isMeasured ? await request.body.length() : 0
  const grant = { holder: 'grant', id: grantId, bounds: handedOn ? handedOn.grantBounds : bounds }
  const helpers = handedOn?.helpers.map((one, at) => ({ holder: `helper-${at + 1}`, id: one.id, bounds: one.bounds }))
  const above = [grant, ...(helpers ?? [])]
  return countBounded(dependencies.db, { bounds, above }, { operation, bytes, now })
}

/** The item of a version that a program publishes, where that waits for one of its people. A person at the site publishes at once. */
async function stagedItemOf(
  core: Pick<Core, 'dependencies' | 'isStaged'>,
  { operation, caller, request }: BoundedCall,
): Promise<string | undefined> {
  const { id } = request.path
  if (!operation.stages || id === undefined || !caller || 'session' in caller.via) return undefined
  return (await core.isStaged(core.dependencies.db, id)) ? id : undefined
}

/**
 * How a call is made, and how far the bounds of its grant are used up. What the account has agreed to was counted when it was sent.
 */
export async function wayOf(
  core: Pick<Core, 'authenticators' | 'dependencies' | 'isStaged'>,
  call: BoundedCall,
): Promise<{ way: Way; standings: readonly BudgetStanding[] }> {
  const { operation, caller, request } = call
  const { acting } = request
  if (acting) {
    requireAllowed(operation, acting.caller)
    return { way: isWrite(operation) ? { acting, waits: false } : plain, standings: [] }
  }
  // What an account or a person has agreed to was asked when it was sent. A suggestion asks for what it suggests.
  if (caller && operation.kind && !operation.isSuggestion && !operation.withdraws) {
    requirePower(core.dependencies.config.agents, caller, { kind: operation.kind, wanted: 'write' })
  }
  const standings = await countCall(core, call)
  const asked = askedBy(request, operation)
  const itemId = await stagedItemOf(core, call)
  const waits = itemId !== undefined || waitsForYes(operation, caller)
  return { way: asked || waits ? { asked, waits, itemId } : plain, standings }
}
