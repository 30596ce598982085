// What is stored of a write that waits, sealed under the signing key: its body may hold what only the agent and its account may read.
import type { KeptAnswer } from '../../request/idempotency.ts'
import type { SecretFor } from '../../runtime/hash.ts'
import { seal, unseal } from '../../runtime/seal.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { MAX_PREVIEW } from './rules.ts'

export const sealKept = async (secretFor: SecretFor, value: unknown): Promise<string> =>
  seal(await secretFor('pending-act'), JSON.stringify(value))

/** An answer as it is kept: without its body where that is longer than what is shown. */
export const sealAnswer = (secretFor: SecretFor, answer: KeptAnswer): Promise<string> =>
  sealKept(secretFor, { ...answer, body: answer.body.length > MAX_PREVIEW ? 'null' : answer.body })

/** Undefined for what was sealed under another signing key. */
export async function unsealKept<T>(secretFor: SecretFor, sealed: string): Promise<T | undefined> {
  const secret = await secretFor('pending-act')
  try {
    return parseJson<T>(unseal(secret, sealed))
  } catch {
    return undefined
  }
}
