// The bounds of a grant, as one more limit of each call: what it may write, and how much a day. Each call counts before it is made, in
// a transaction of its own, so that a refused one counts too and nothing waits for its body.
import { type GrantBounds, hasKind, kindWords, type WriteKind } from '../contract/bounds.ts'
import type { BudgetStanding } from '../contract/budget.ts'
import { withCommas } from '../contract/explain.ts'
import type { Operation } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import { keysOf } from '../contract/records.ts'
import type { Db } from '../database/schema.ts'
import { type Counter, countAll } from './counting.ts'
import { DAY } from './rules.ts'

/** Whose budget a call counts in: that of the grant, and of each helper in the chain of its token. */
interface Holder {
  /** `grant`, or `helper-1` and so on. */
  holder: string
  id: string
  bounds: GrantBounds | undefined
}

interface Bound {
  /** Of the token: all of those together. */
  bounds: GrantBounds
  above: readonly Holder[]
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

/** Refuses a call that its grant or a helper above does not allow: throws `outside_bounds` for the kind, and `rate_limited` for a full counter. */
export async function countBounded(
  db: Db,
  { bounds, above }: Bound,
  { operation, bytes, now }: BoundedCall,
): Promise<BudgetStanding[]> {
  const writes = requireKind(operation, bounds) === undefined ? 0 : 1
  const weights = { calls: 1, writes, bytes: writes && bytes }
  const counters = above.flatMap((holder) => keysOf(weights).flatMap((name) => counterOf(holder, name, weights[name])))
  if (counters.length === 0) return []
  return db.transaction().execute((transaction) => countAll(transaction, counters, now))
}

/** Nothing where nothing is bound, or the call weighs nothing. */
function counterOf({ holder, id, bounds }: Holder, name: 'calls' | 'writes' | 'bytes', weight: number): Counter[] {
  const count = bounds?.[name]
  if (count === undefined || weight === 0) return []
  const whose = holder === 'grant' ? 'The account lets this agent have' : 'The agent lets this helper have'
  return [
    {
      key: `bounds-${name}:${holder === 'grant' ? holder : 'helper'}:${DAY}:${id}`,
      policy: `${holder}-${name}-day`,
      rate: { count, windowSeconds: DAY },
      weight,
      sentence: () => `${whose} ${withCommas(count)} ${name} a day`,
    },
  ]
}
