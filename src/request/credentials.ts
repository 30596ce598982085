// The credentials of a request besides the session cookie. Surfaces read them from requests, the authorization server checks them: a
// plain bearer token (RFC 6750), or one that is bound to a key, with a proof of that key (RFC 9449).
import type { KeyFault } from '../contract/problem.ts'
import { required } from '../runtime/untyped.ts'

/** The algorithms of proofs, with their JOSE names. */
export const PROOF_ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519'] as const

/** An access token as it came. */
export interface PresentedToken {
  token: string
  scheme: 'Bearer' | 'DPoP'
  request: Request
  /** The result of its proof, if it was checked before: a proof is valid for one request. */
  shown?: ShownKey | undefined
}

/** No account, because the token, or the proof of its key, is missing or invalid: the client gets the reason. */
export interface FailedProof {
  caller?: undefined
  fault: KeyFault
}

/** The key that a request showed, by its thumbprint, or why it showed none. */
export type ShownKey = { key: string; nonce?: string | undefined } | { fault: KeyFault }

/** The token in the Authorization header; the scheme is case-insensitive. */
export function presentedToken(request: Request): PresentedToken | undefined {
  const match = request.headers.get('authorization')?.match(/^(?:bearer|(dpop)) +([^ ]+) *$/i)
  return match ? { token: required(match[2]), scheme: match[1] ? 'DPoP' : 'Bearer', request } : undefined
}

/** The same for git, which has no other way to send a token than as the password of Basic (RFC 7617). No password of an account is ever one. */
export function presentedToGit(request: Request): PresentedToken | undefined {
  const [, encoded = ''] = request.headers.get('authorization')?.match(/^basic +([\w+/]+={0,2}) *$/i) ?? []
  const [, token] = /^[^:]*:([^\s]+)$/.exec(Buffer.from(encoded, 'base64').toString('latin1')) ?? []
  return token === undefined ? presentedToken(request) : { token, scheme: 'Bearer', request }
}

const parameter = (name: string, value: string) => `${name}="${value}"`

/** A challenge for bearer tokens: in the scheme of the token, with the error (RFC 9449, 7.1). */
export function challengeFor(bearerChallenge: string, scheme: PresentedToken['scheme'], fault?: KeyFault): string {
  const algorithms = parameter('algs', PROOF_ALGORITHMS.join(' '))
  const rest = bearerChallenge.replace(/^Bearer ?/, '')
  if (scheme === 'Bearer') {
    if (!fault) return bearerChallenge
    const known = rest.includes('error=') ? [] : [parameter('error', fault.error)]
    return `Bearer ${[...known, rest].filter(Boolean).join(', ')}, DPoP ${algorithms}`
  }
  const wrong = fault && [parameter('error', fault.error), parameter('error_description', fault.message)].join(', ')
  const plain = fault ? rest.replace(/error="[^"]*",? ?/, '') : rest
  return `DPoP ${[algorithms, wrong, plain].filter(Boolean).join(', ')}`
}
