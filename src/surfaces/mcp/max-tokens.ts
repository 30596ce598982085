// The argument of lists by which a caller says how many tokens an answer may have.
import type { Operation } from '../../contract/operation.ts'

/** The name of the argument. */
export const MAX_TOKENS = 'maxTokens'
/** Nothing useful fits into less. */
export const LEAST_TOKENS = 200
export const MOST_TOKENS = 100_000

/** Lists, whose pages can be of another size. */
export const isCuttable = ({ method, input }: Operation): boolean => method === 'GET' && 'per_page' in input.shape

export const maxTokensSchema = {
  type: 'integer',
  minimum: LEAST_TOKENS,
  maximum: MOST_TOKENS,
  description: 'Cuts the list to fit',
} as const
