// A write that waits as it is stored: the request of the agent and what it is about, sealed under the signing key, as its body may hold what
// only the agent and its account may read.
import type { KeptAnswer } from '../../request/idempotency.ts'
import type { SecretFor } from '../../runtime/hash.ts'
import { seal, unseal } from '../../runtime/seal.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { MAX_PREVIEW } from './rules.ts'

/** A thing as it was when the account was asked. */
export interface Target {
  /** By what its row is locked; missing where it has none, and in what earlier versions kept. */
  id?: string | undefined
  title: string
  /** On the site. */
  url: string | null
  /** What stands in the fields that the write names. */
  before: Record<string, unknown>
}

/** A request as it is kept; its files are beside it. */
export interface KeptRequest {
  method: string
  /** Path and query. */
  target: string
  json?: string | undefined
  fields?: [name: string, value: string][] | undefined
  /** The network address that it came from, for the limits and the audit log of the write. */
  address: string
  /** What it is about, as the account was shown it; null for what makes something new. */
  about?: Target | null
}

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
