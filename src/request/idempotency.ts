// Idempotency keys (draft-ietf-httpapi-idempotency-key-header-07): a write that is sent again with its key, within a day, gets the answer
// of the first time. The answer is stored in the transaction of the write, sealed, so that a crash leaves both or neither.
import { Problem } from '../contract/problem.ts'
import type { SecretFor } from '../runtime/hash.ts'
import { sha256 } from '../runtime/hash.ts'
import { seal, unseal } from '../runtime/seal.ts'
import { parseJson } from '../runtime/untyped.ts'

/** How long the answer of a write is kept. */
export const KEPT_SECONDS = 86_400
/** How long that of a write is kept that waits for a yes. */
export const KEPT_WAITING_SECONDS = 8 * KEPT_SECONDS
/** Of a key, in characters. */
export const MAX_KEY = 128
/** Of an answer that is kept, in bytes: several times the largest there is. */
export const MAX_ANSWER_BYTES = 1_048_576
/** How long a write waits for another one with its key, on PostgreSQL; on SQLite writes wait for each other anyway. */
export const PATIENCE_MILLISECONDS = 5_000

/** Visible ASCII, without what ends a value in a header. */
const KEY = /^[!#-+\--[\]-~]+$/

export const isKey = (text: string): boolean => text.length <= MAX_KEY && KEY.test(text)

/** An answer as it is kept. */
export interface KeptAnswer {
  status: number
  body: string
  headers: [name: string, value: string][]
}

/** The key that was sent: a string of RFC 9651, or the same without its quotes. Throws `invalid_request` for what is no key. */
export function keyIn(given: string): string {
  const key = given.match(/^"(.*)"$/)?.[1] ?? given
  if (isKey(key)) return key
  throw new Problem(
    'invalid_request',
    `Idempotency-Key: must have 1 to ${MAX_KEY} visible characters, without comma, quote and backslash`,
  )
}

/** Whose keys these are: equal keys of two accounts, two clients or two networks are two keys. */
export interface KeyOwner {
  accountId: string | null
  /** The client of an account, or the network of a caller without one. */
  name: string
}

export const hashOfKey = ({ accountId, name }: KeyOwner, key: string): string =>
  sha256(['idempotency', accountId ?? '', name, key].join('\n'))

export const sealAnswer = async (secretFor: SecretFor, answer: KeptAnswer): Promise<string> =>
  seal(await secretFor('idempotency'), JSON.stringify(answer))

/** Throws `conflict` for an answer that was sealed under another signing key. */
export async function unsealAnswer(secretFor: SecretFor, sealed: string): Promise<KeptAnswer> {
  const secret = await secretFor('idempotency')
  let text: string
  try {
    text = unseal(secret, sealed)
  } catch {
    throw new Problem('conflict', 'This was done, but its answer cannot be read any more')
  }
  return parseJson<KeptAnswer>(text)
}

export const reused = (): Problem =>
  new Problem('key_reused', 'This Idempotency-Key was used for another request; send a new one')

export const shownBefore = (): Problem =>
  new Problem(
    'conflict',
    'This was done. Its answer had a secret that is shown once: remove what was made, and make another',
  )

export const stillRunning = (): Problem =>
  new Problem('conflict', 'A request with this Idempotency-Key is still running; send it again', {
    retryAfterSeconds: 1,
  })
