// The headers of operations that have a budget (draft-ietf-httpapi-ratelimit-headers-11).
import type { BudgetName } from '../../contract/budget.ts'
import { named } from './components.ts'
import { header } from './protocol-fields.ts'

export const retryAfter = { 'Retry-After': named('RetryAfter', header('Seconds to wait')) }

const rateLimit = {
  RateLimit: named(
    'RateLimit',
    header('What is left of each budget, and when it is whole again', '"comments-hour";r=119;t=3600'),
  ),
  'RateLimit-Policy': named(
    'RateLimitPolicy',
    header('The budgets, each with its quota and window in seconds', '"comments-hour";q=120;w=3600'),
  ),
}

/** On every answer by which the caller is known. */
export const budgetHeaders = (budget: BudgetName | undefined, status: number) =>
  budget && ![401, 403, 503].includes(status) ? rateLimit : {}
