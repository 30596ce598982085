// What a caller gets for an error that is not a refusal.
import { Problem } from '../contract/problem.ts'
import type { Dependencies } from '../request/handler.ts'
import { retryAfterSeconds, sentenceOf } from '../runtime/outage.ts'

/**
 * The refusal in place of an error: what is out and when to try again, or nothing but where to find the fault in the log. Both are logged.
 */
export function problemOf(
  error: unknown,
  { health, log }: Pick<Dependencies, 'health' | 'log'>,
  context: { requestId: string; operation: string },
): Problem {
  if (error instanceof Problem) return error
  const outage = health.report(error, context)
  if (outage) return new Problem('unavailable', sentenceOf(outage), { retryAfterSeconds: retryAfterSeconds(outage) })
  log.error({ err: error, ...context }, 'request failed')
  return new Problem('internal', `Something went wrong on our side; the log has it under ${context.requestId}`)
}
