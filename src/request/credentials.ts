// The credentials of a request: its cookies, its token, and the site that signed it. Surfaces read them from requests, the authorization server
// checks them: a plain bearer token (RFC 6750), or one that is bound to a key, with a proof of that key (RFC 9449).
import type { Operation } from '../contract/operation.ts'
import type { KeyFault } from '../contract/problem.ts'
import { required } from '../runtime/untyped.ts'

// The site that signed a request (Web Bot Auth), for what the request writes. It is noted once the signature was found to be good, and never otherwise
// (surfaces/http/signed-requests.ts).

const signers = new WeakMap<Request, string>()

/** A host is at most that long, and a port has five digits. */
const MAX_SIGNER = 260

/** Notes whose keys a request was verified with, as `https://agent.example`. */
export function noteSigner(request: Request, site: string): void {
  const { host } = new URL(site)
  if (host.length <= MAX_SIGNER) signers.set(request, host)
}

/** The host of that site; undefined for a request that is not signed, or not verified now. */
export const signerOf = (request: Request): string | undefined => signers.get(request)

// Cookies: those of a request, and those that the site sets, all with the same protection.

const patterns = new Map<string, RegExp>()

function patternOf(name: string): RegExp {
  const pattern = patterns.get(name) ?? new RegExp(`(?:^|; ?)${name}=([^;]*)`)
  patterns.set(name, pattern)
  return pattern
}

/** The value of a cookie whose name holds letters, digits, `_` and `-` alone. */
export const cookieIn = (headers: Headers, name: string): string | undefined =>
  headers.get('cookie')?.match(patternOf(name))?.[1] || undefined

/** An operation for sessions is refused to other sites by the cookie that it needs. */
export const mayCarryCookie = ({ setsCookie, access }: Operation): boolean =>
  setsCookie === true || access.credential === 'session'

/** A cookie's name. On https a browser itself holds a `__Host-` cookie to this host, the whole path and TLS. */
export const cookieNamed = (baseUrl: string, name: string): string =>
  baseUrl.startsWith('https:') ? `__Host-${name}` : name

/** A Set-Cookie value for `cookieNamed`; 0 seconds clear the cookie. */
export function cookieLine(baseUrl: string, name: string, { value, seconds }: { value: string; seconds: number }) {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${cookieNamed(baseUrl, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

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
