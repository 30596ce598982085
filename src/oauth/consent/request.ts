// An authorization request in the address of the consent page. It is signed for the session that created it, so that an attacker
// cannot make a user approve a request that this user has not seen.
import { Problem } from '../../contract/problem.ts'
import { keyedHash, sameHash } from '../../runtime/hash.ts'
import { DECISION_SECONDS } from '../rules.ts'

const ADDED = ['exp', 'sig']

export interface Signer {
  secret: Buffer
  sessionId: string
  /** Other state that must not have changed since the page was shown (see session.ts). */
  standing: string
  /** Milliseconds since 1970. */
  now: number
}

/** The query of the consent page. */
export function signRequest(request: URLSearchParams, { now, ...signer }: Signer): URLSearchParams {
  const signed = bareRequest(request)
  const exp = String(Math.floor(now / 1000) + DECISION_SECONDS)
  const sig = signature(signed, exp, signer)
  signed.set('exp', exp)
  signed.set('sig', sig)
  return signed
}

/** The request in a query that was signed for this session. Throws `invalid_request` for any other. */
export function openRequest(query: URLSearchParams, { now, ...signer }: Signer): URLSearchParams {
  const request = bareRequest(query)
  const exp = query.get('exp') ?? ''
  const isSigned = sameHash(query.get('sig') ?? '', signature(request, exp, signer))
  if (!isSigned || Number(exp) * 1000 < now) {
    throw new Problem('invalid_request', 'This request has expired or belongs to another session; start again')
  }
  return request
}

/** The request without the parameters that signing added. */
export function bareRequest(query: URLSearchParams): URLSearchParams {
  const request = new URLSearchParams(query)
  for (const name of ADDED) request.delete(name)
  return request
}

function signature(request: URLSearchParams, exp: string, { secret, ...shownTo }: Omit<Signer, 'now'>): string {
  return keyedHash(secret, request.toString(), shownTo.sessionId, shownTo.standing, exp)
}
