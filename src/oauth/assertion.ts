// JWTs that others sign and hand in here (RFC 7519, RFC 7521, RFC 8725): with an asymmetric key of who they are of, for this server alone, good
// now and not for long. What is refused says why: who has the token can read it anyhow.
import type { JWTPayload, JWTVerifyOptions } from 'jose'
import type { GrantBounds } from '../contract/bounds.ts'
import type { Transaction } from '../database/schema.ts'
import type { Grant } from '../identity/grant-queries.ts'
import type { KeySet } from '../outgoing/key-sets.ts'
import type { EndpointRequest } from '../request/endpoint.ts'
import { sha256 } from '../runtime/hash.ts'
import type { Client } from './clients.ts'

/** Asymmetric ones alone: the key is public, and would be a secret for HS256. */
export const ASSERTION_ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
const TOLERANCE_SECONDS = 5
const MAX_LENGTH = 16_384

/** Why a token is refused, in words for who sent it. */
export class TokenRefusal extends Error {}

type Jose = typeof import('jose')

/** What a token says of itself before anything is verified; undefined for what is no JWT. */
export async function unverified(
  token: string,
): Promise<{ header: { kid?: string; typ?: string }; claims: JWTPayload } | undefined> {
  const { decodeJwt, decodeProtectedHeader } = await import('jose')
  if (token.length > MAX_LENGTH) return undefined
  try {
    const { kid, typ } = decodeProtectedHeader(token)
    return {
      header: { ...(kid !== undefined && { kid }), ...(typ !== undefined && { typ }) },
      claims: decodeJwt(token),
    }
  } catch {
    return undefined
  }
}

/** Whether a key that someone published cannot be used: it is too short, or its numbers are none of a key. The library says so by these. */
export const isOfBadKey = (error: unknown): error is TypeError | DOMException =>
  error instanceof TypeError || error instanceof DOMException

export interface AssertionRules {
  /** Who must have signed it, and that it is of no one else. */
  issuer: string
  /** The one who may take it: a token that is for another one too could be sent on by that one. */
  audience: string
  /** The media type that its header must name; any unless told, but none of another kind of token. */
  typ?: string
  subject?: string
  /** For how long one may be good at most. */
  longestSeconds: number
  required?: readonly string[]
  algorithms?: readonly string[]
  now: string
}

export interface VerifiedAssertion {
  claims: JWTPayload & { sub: string; exp: number; iat: number }
  /** What is the same for one token sent twice. */
  proof: { hash: string; expiresAt: string }
}

/** Types of tokens that are never taken for a token without a type. */
const OTHER_TYPES = /^(?:application\/)?(?:at|dpop|oauth-id-jag|logout|token-introspection|secevent)\+jwt$/i

/** Verifies a token with the keys of its issuer, which `keysOf` gives. Throws `TokenRefusal`. */
export async function verifiedAssertion(
  token: string,
  keysOf: (kid: string | undefined) => Promise<KeySet>,
  rules: AssertionRules,
): Promise<VerifiedAssertion> {
  const jose = await import('jose')
  if (token.length > MAX_LENGTH) throw new TokenRefusal('it is too long')
  const read = await unverified(token)
  if (!read) throw new TokenRefusal('it is no signed JWT')
  if (rules.typ === undefined && OTHER_TYPES.test(read.header.typ ?? ''))
    throw new TokenRefusal(`it is of the type ${read.header.typ}, and no token for this`)
  const claims = await verifiedClaims(jose, token, { keys: await keysOf(read.header.kid), rules })
  requireOwn(claims, rules)
  const { sub = '', exp = 0, iat = 0, jti } = claims
  const expiresAt = new Date((exp + TOLERANCE_SECONDS) * 1000).toISOString()
  // Without its signature: for the same words another one can be as good (ECDSA: n - s for s), and anyone can make that.
  const once = jti === undefined ? token.slice(0, token.lastIndexOf('.')) : `${rules.issuer}\n${jti}`
  return { claims: { ...claims, sub, exp, iat }, proof: { hash: sha256(`assertion\n${once}`), expiresAt } }
}

async function verifiedClaims(
  jose: Jose,
  token: string,
  { keys, rules }: { keys: KeySet; rules: AssertionRules },
): Promise<JWTPayload> {
  const { issuer, audience, typ, subject, now, required = [], algorithms = ASSERTION_ALGORITHMS } = rules
  const options: JWTVerifyOptions = {
    ...{ issuer, audience, ...(typ && { typ }), ...(subject && { subject }), currentDate: new Date(now) },
    ...{ algorithms: [...algorithms], clockTolerance: TOLERANCE_SECONDS },
    requiredClaims: ['exp', 'iat', 'sub', ...required],
  }
  try {
    return (await jose.jwtVerify(token, jose.createLocalJWKSet(keys), options)).payload
  } catch (error) {
    if (error instanceof jose.errors.JOSEError || isOfBadKey(error)) throw new TokenRefusal(error.message)
    throw error
  }
}

function requireOwn({ aud, sub, exp = 0, iat = 0, jti }: JWTPayload, rules: AssertionRules): void {
  if ([aud].flat().length !== 1) throw new TokenRefusal(`its audience must be ${rules.audience} alone`)
  if (typeof sub !== 'string' || sub === '') throw new TokenRefusal('it has no subject')
  if (jti !== undefined && (typeof jti !== 'string' || jti === '')) throw new TokenRefusal('its jti is no text')
  const nowSeconds = Date.parse(rules.now) / 1000
  if (iat > nowSeconds + TOLERANCE_SECONDS) throw new TokenRefusal('it was issued in the future')
  const { longestSeconds } = rules
  if (exp - iat > longestSeconds)
    throw new TokenRefusal(
      `it is good for more than ${longestSeconds === 86_400 ? 'a day' : `${longestSeconds} seconds`}`,
    )
}

type OpenGrant = Pick<Grant, 'id' | 'userId' | 'clientId' | 'scope' | 'bounds'>

/** What an assertion is good for, once it is verified. */
export interface Asserted extends VerifiedAssertion {
  /** Finds the account, locked, and the grant: one that is there, or a new one. Throws a refusal. */
  open(db: Transaction, wanted: { scope: string; bounds: GrantBounds | undefined }): Promise<OpenGrant>
  /** The most that may be asked for; undefined where it says nothing. */
  scope: string | undefined
  /** The bounds that it names, as `authorization_details` have them. */
  bounds: string | undefined
}

export type ReadAssertion = (asked: { client: Client; received: EndpointRequest }, token: string) => Promise<Asserted>
