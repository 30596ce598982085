// Rules for passkeys, without input or output.
import { isLoopback } from '../../runtime/addresses.ts'

export const CHALLENGE_SECONDS = 300
export const MAX_PASSKEYS = 20
export const USUAL_NAME = 'Passkey'

/** Allowed key types: EdDSA, ES256 and RS256 (RFC 9053, 2), the ones that devices support. */
export const ALGORITHMS = [-8, -7, -257]

/** The relying party id (WebAuthn, 5.1.2): a name, never an IP address. */
export function relyingPartyOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl)
  return isLoopback(hostname) ? 'localhost' : hostname
}

/** Where a device may have been asked: at our origin, which has two names on loopback. */
export function originsOf(baseUrl: string): string[] {
  const { protocol, hostname, port } = new URL(baseUrl)
  if (!isLoopback(hostname)) return [baseUrl]
  const here = (name: string) => `${protocol}//${name}${port && `:${port}`}`
  return [...new Set([baseUrl, here('localhost'), here('127.0.0.1')])]
}

/** The user handle of an account on a device: the bytes of its id, which reveal nothing about a person (WebAuthn, 14.6.1). */
export const userHandleOf = (userId: string): string =>
  Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')

/** Whether a counter went on (WebAuthn, 7.2, step 22): one that does not may be that of a copied key. */
export const hasAdvanced = (before: number, after: number): boolean => (before === 0 && after === 0) || after > before
