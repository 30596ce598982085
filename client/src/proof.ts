// The proof of work that a server may ask new accounts for: the number behind a hash. It is looked for once a refusal.
import { GuildhallError } from './errors.ts'
import type { FetchResponse } from './fetch-response.ts'
import { type Fetch, jsonOf, respond } from './fetching.ts'
import type { Platform } from './platform.ts'

/** A server that asks for more work is not answered. */
const MAX_NUMBER = 10_000_000
/** Numbers that are tried before others get a turn. */
const AT_ONCE = 5_000

interface Server {
  platform: Platform
  url: string
  fetch: Fetch
  signal: AbortSignal | undefined
}

/** The header for another try of a request that was refused for the lack of a proof; throws every other error again. */
export async function proofFor({ platform, url, fetch, signal }: Server, error: unknown): Promise<object> {
  if (!(error instanceof GuildhallError) || error.status !== 403 || !error.headers.get('proof-of-work')) throw error
  const response: FetchResponse = await respond(fetch, `${url}/api/challenge`, { ...(signal && { signal }) })
  const { maxnumber, ...asked } = Object(await jsonOf(response, signal))
  const encoder = new TextEncoder()
  for (let number = 0; maxnumber <= MAX_NUMBER && number <= maxnumber; number++) {
    if (number % AT_ONCE === AT_ONCE - 1) await platform.wait(0, signal)
    const hash = platform.newHash()
    hash.update(encoder.encode(asked.salt + number))
    if (hash.hex() === asked.challenge) return { 'Proof-Of-Work': btoa(JSON.stringify({ ...asked, number })) }
  }
  throw error
}
