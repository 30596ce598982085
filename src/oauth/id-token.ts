// The ID token of a run (OpenID Connect Core 1.0, 2): of an issuer that the operator allows, signed with one of its keys, for this server alone,
// and good now (assertion.ts).
import type { Dependencies } from '../request/handler.ts'
import { TokenRefusal, unverified, type VerifiedAssertion, verifiedAssertion } from './assertion.ts'
import type { IssuerKeys } from './issuers.ts'

/** Far more than any issuer needs; one that is good for longer was not made for one run. */
const LONGEST_SECONDS = 86_400

/** Who a token says that it is of, before anything is verified; undefined for what is no JWT. */
export const issuerOf = async (token: string): Promise<string | undefined> => (await unverified(token))?.claims.iss

export interface IssuedToken extends VerifiedAssertion {
  issuer: string
}

/** Reads ID tokens of the issuers that are allowed now; throws `TokenRefusal`. */
export const idTokenReader =
  ({ config, log }: Pick<Dependencies, 'config' | 'log'>, keysOf: IssuerKeys, allowed: () => readonly string[]) =>
  async (token: string, now: string): Promise<IssuedToken> => {
    const issuer = await issuerOf(token)
    if (issuer === undefined || !allowed().includes(issuer))
      throw new TokenRefusal(`its issuer ${issuer ?? ''} is none that this server takes ID tokens of`)
    const keys = (kid: string | undefined) =>
      keysOf(issuer, kid).catch((error: unknown) => {
        log.warn({ err: error, issuer }, 'the keys of an issuer could not be fetched')
        throw new TokenRefusal(`the keys of ${issuer} cannot be fetched right now; try again later`)
      })
    const rules = { issuer, audience: config.issuer, longestSeconds: LONGEST_SECONDS, now }
    return { issuer, ...(await verifiedAssertion(token, keys, rules)) }
  }
