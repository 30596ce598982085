// Why a start or a command of the operator failed, with the remedy.

import { outageOf } from './outage.ts'
import { toError } from './untyped.ts'

/** The sentence for an error that ends a program. */
export function whyItFailed(error: unknown): string {
  const { message } = toError(error)
  const outage = outageOf(error)
  if (outage?.kind === 'full') return `the disk is full (${message}); make room on it, then try again`
  // The sentence about stored files is for callers; the operator needs what the disk or the bucket said.
  return outage?.store === 'files' ? outage.reason : message
}
