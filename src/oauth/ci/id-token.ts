// The ID token of a run (OpenID Connect Core 1.0, 2; RFC 7519; RFC 8725): of an issuer that the operator allows, signed with one of its
// keys, for this server alone, and good now. What is refused says why: who has the token can read it anyhow.
import type { JWTPayload, JWTVerifyOptions } from 'jose'
import type { CiRun } from '../../identity/ci-run.ts'
import type { Dependencies } from '../../request/handler.ts'
import { sha256 } from '../../runtime/hash.ts'
import { runOf } from './claims.ts'
import type { IssuerKeys } from './issuers.ts'

/** Asymmetric ones alone: a key of an issuer is public, and would be a secret for HS256. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const TOLERANCE_SECONDS = 5
/** Far more than any issuer needs; one that is good for longer was not made for one run. */
const LONGEST_SECONDS = 86_400
const MAX_TOKEN = 16_384

/** Why a token is refused, in words for who sent it. */
export class TokenRefusal extends Error {}

export interface VerifiedRun {
  run: CiRun
  /** What is the same for one token sent twice. */
  proof: { hash: string; expiresAt: string }
}

/** Who a token says that it is of, before anything is verified; undefined for what is no JWT. */
export async function issuerOf(token: string): Promise<string | undefined> {
  const { decodeJwt } = await import('jose')
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

export const idTokenReader =
  ({ config, log }: Pick<Dependencies, 'config' | 'log'>, keysOf: IssuerKeys) =>
  async (token: string, now: string): Promise<VerifiedRun> => {
    const jose = await import('jose')
    if (token.length > MAX_TOKEN) throw new TokenRefusal('it is too long')
    const issuer = await issuerOf(token)
    if (issuer === undefined || !config.ciIssuers.includes(issuer))
      throw new TokenRefusal(`its issuer ${issuer ?? ''} is none that this server takes ID tokens of`)
    const kid = headerOf(jose, token)
    const keys = await keysOf(issuer, kid).catch((error: unknown) => {
      log.warn({ err: error, issuer }, 'the keys of an issuer could not be fetched')
      throw new TokenRefusal(`the keys of ${issuer} cannot be fetched right now; try again later`)
    })
    const options = { issuer, audience: config.issuer, currentDate: new Date(now) }
    const claims = await verified(jose, token, { keys, options })
    requireOwn(claims, config.issuer)
    const expiresAt = new Date((claims.exp ?? 0) * 1000 + TOLERANCE_SECONDS * 1000).toISOString()
    // Without its signature: for the same words another one can be as good (ECDSA: n - s for s), and anyone can make that.
    const once = claims.jti === undefined ? token.slice(0, token.lastIndexOf('.')) : `${issuer}\n${claims.jti}`
    return { run: runOf(issuer, claims), proof: { hash: sha256(`id token of a run\n${once}`), expiresAt } }
  }

type Jose = typeof import('jose')

function headerOf(jose: Jose, token: string): string | undefined {
  try {
    return jose.decodeProtectedHeader(token).kid
  } catch {
    throw new TokenRefusal('it is no signed JWT')
  }
}

async function verified(
  jose: Jose,
  token: string,
  { keys, options }: { keys: Parameters<Jose['createLocalJWKSet']>[0]; options: JWTVerifyOptions },
): Promise<JWTPayload> {
  const rules = {
    ...options,
    algorithms: ALGORITHMS,
    clockTolerance: TOLERANCE_SECONDS,
    requiredClaims: ['exp', 'iat', 'sub'],
  }
  try {
    return (await jose.jwtVerify(token, jose.createLocalJWKSet(keys), rules)).payload
  } catch (error) {
    if (error instanceof jose.errors.JOSEError) throw new TokenRefusal(error.message)
    throw error
  }
}

/** One audience: a token that is for another service too could be sent on by that one. */
function requireOwn({ aud, exp = 0, iat = 0 }: JWTPayload, issuer: string): void {
  if ([aud].flat().length !== 1) throw new TokenRefusal(`its audience must be ${issuer} alone`)
  if (exp - iat > LONGEST_SECONDS) throw new TokenRefusal('it is good for more than a day')
}
