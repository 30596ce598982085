// An authorization request in the address of the consent page. It is signed for the session it was made in, so that nobody
// can have a request approved that this very person was not shown.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { Problem } from '../../contract/problem.ts'

/** Long enough to read the page and fetch a cup of tea. */
const GOOD_FOR_SECONDS = 3600

const OURS = ['exp', 'sig']

export interface Signer {
  secret: Buffer
  sessionId: string
  /** Milliseconds since 1970. */
  now: number
}

/** The query of the consent page. */
export function signRequest(request: URLSearchParams, { secret, sessionId, now }: Signer): URLSearchParams {
  const signed = bareRequest(request)
  const exp = String(Math.floor(now / 1000) + GOOD_FOR_SECONDS)
  const sig = signature(signed, exp, { secret, sessionId })
  signed.set('exp', exp)
  signed.set('sig', sig)
  return signed
}

/** The request in a query that was signed for this session. Throws `invalid_request` for any other. */
export function openRequest(query: URLSearchParams, { secret, sessionId, now }: Signer): URLSearchParams {
  const request = bareRequest(query)
  const exp = query.get('exp') ?? ''
  const given = Buffer.from(query.get('sig') ?? '')
  const right = Buffer.from(signature(request, exp, { secret, sessionId }))
  const good = given.length === right.length && timingSafeEqual(given, right)
  if (!good || Number(exp) * 1000 < now) {
    throw new Problem('invalid_request', 'This request is too old, or was not made in this session; start again')
  }
  return request
}

/** The request without what signing added. */
export function bareRequest(query: URLSearchParams): URLSearchParams {
  const request = new URLSearchParams(query)
  for (const name of OURS) request.delete(name)
  return request
}

function signature(request: URLSearchParams, exp: string, { secret, sessionId }: Omit<Signer, 'now'>): string {
  return createHmac('sha256', secret).update([sessionId, exp, request.toString()].join('\n')).digest('base64url')
}
