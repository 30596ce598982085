// How strong a sign-in was, as clients ask for it and get it (`acr`, OpenID Connect Core, 2; RFC 9470). There is one strength that this server can
// vouch for; where it cannot, it says nothing.

/** A passkey opened or confirmed the session: no site in between can have taken it (OpenID Connect Extended Authentication Profile ACR Values, 4). */
export const PHISHING_RESISTANT = 'phr'

/** How that was done: the key was proved, and someone was there (RFC 8176, 2). Whether the device knew who is not asked for. */
export const METHODS_OF_PASSKEY = ['pop', 'user'] as const

interface Ways {
  readonly signIn: 'own' | 'external' | (string & {})
}

/** What can be asked for: with an external provider as the only way in, no one signs in with a passkey here. */
export const strengthsOf = ({ signIn }: Ways): string[] => (signIn === 'external' ? [] : [PHISHING_RESISTANT])

/** What is true of a session, or of what it opened. */
export const strengthOf = ({ byPasskey }: { byPasskey: boolean }): string | null =>
  byPasskey ? PHISHING_RESISTANT : null

/** The claims that say it. */
export const strengthClaims = (acr: string | null): { acr?: string; amr?: string[] } =>
  acr === PHISHING_RESISTANT ? { acr, amr: [...METHODS_OF_PASSKEY] } : {}

/**
 * Whether a request asks for what its person has not shown yet. It names what would do, best first; values that no one here can show are
 * wishes (OpenID Connect Core, 5.5.1.1).
 */
export function isTooWeak(asked: unknown, { byPasskey, ...ways }: { byPasskey: boolean } & Ways): boolean {
  if (typeof asked !== 'string') return false
  const known = asked.split(' ').filter((value) => strengthsOf(ways).includes(value))
  return known.length > 0 && !byPasskey
}
