// The bounds of a grant, as one more limit of each call: what it may write, and how much a day. Each call counts before it is made, in
// a transaction of its own, so that a refused one counts too and nothing waits for its body.
import { type GrantBounds, hasKind, kindWords, type WriteKind } from '../contract/bounds.ts'
import type { BudgetStanding } from '../contract/budget.ts'
import type { Operation } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import type { Db } from '../database/schema.ts'
import { type Counter, countAll } from './counting.ts'
import { DAY } from './rules.ts'

interface BoundGrant {
  grantId: string
  bounds: GrantBounds
}

/** What a call is, as far as bounds go. `bytes` is the size of its body. */
export interface BoundedCall {
  operation: Pick<Operation, 'kind' | 'withdraws'>
  bytes: number
  now: string
}

/** The kind that a call writes; throws `outside_bounds` for one that the grant does not allow. */
export function requireKind(
  { kind, withdraws }: BoundedCall['operation'],
  { kinds }: GrantBounds,
): WriteKind | undefined {
  if (withdraws || kind === undefined || kinds === undefined || hasKind(kinds, kind)) return kind
  throw new Problem('outside_bounds', `The account does not let this agent write ${kindWords[kind]}`)
}

/** Refuses a call that its grant does not allow: throws `outside_bounds` for the kind, and `rate_limited` for a full counter. */
export async function countBounded(
  db: Db,
  { grantId, bounds }: BoundGrant,
  { operation, bytes, now }: BoundedCall,
): Promise<BudgetStanding[]> {
  const kind = requireKind(operation, bounds)
  const counter = (name: 'calls' | 'writes' | 'bytes', weight: number): Counter[] => {
    const count = bounds[name]
    if (count === undefined || weight === 0) return []
    return [
      {
        key: `bounds-${name}:grant:${DAY}:${grantId}`,
        policy: `grant-${name}-day`,
        rate: { count, windowSeconds: DAY },
        weight,
        sentence: () => `The account lets this agent have ${count.toLocaleString('en')} ${name} a day`,
      },
    ]
  }
  const writes = kind === undefined ? 0 : 1
  const counters = [...counter('calls', 1), ...counter('writes', writes), ...counter('bytes', writes && bytes)]
  if (counters.length === 0) return []
  return db.transaction().execute((transaction) => countAll(transaction, counters, now))
}
