// The figures of versions as answers have them: none where too few accounts reported.
import { parseJson } from '../../runtime/untyped.ts'
import type { Outcomes } from '../items/item-contract.ts'
import type { StoredFigures } from './queries.ts'
import { isRegression, isShown } from './rules.ts'

/** `{ outcomes }`, or nothing. */
export function outcomesOf(figures: StoredFigures | undefined): { outcomes?: Outcomes } {
  if (!figures || !isShown(figures)) return {}
  const { worked, failed, rate, lower, errors } = figures
  return {
    outcomes: {
      ...{ worked, failed, rate: rate / 10_000, lower_bound: lower / 10_000 },
      errors: parseJson<Outcomes['errors']>(errors),
    },
  }
}

/** Whether a version works less often than another by figures that are shown. */
export const isWorse = (before: StoredFigures | undefined, after: StoredFigures | undefined): boolean =>
  before !== undefined && after !== undefined && isShown(before) && isShown(after) && isRegression(before, after)
