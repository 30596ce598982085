// The token that a helper gets: opaque, or for the agent audience a JWT that says who acts for whom (RFC 8693, 4.1). Both are rows, so both end at
// once with those above them; a JWT is good for what does not ask us until it expires.

import type { Config } from '../../config/config.ts'
import type { GrantBounds } from '../../contract/bounds.ts'
import type { Helper } from '../../contract/hand-on.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import { newId, newToken } from '../../runtime/ids.ts'
import type { Keys } from '../keys/keys.ts'
import { actorOf } from './queries.ts'

/** What is to be known of it. */
export interface MadeToken {
  userId: string
  clientId: string
  grantId: string
  scope: string
  /** The chain, with the new helper last. */
  helpers: readonly Helper[]
  bounds: GrantBounds | undefined
  /** The thumbprint of the key that it is bound to. */
  key: string | null
  now: string
  lifetimeSeconds: number
}

interface Signing {
  config: Pick<Config, 'issuer' | 'agentAudience'>
  keys: Pick<Keys, 'signing'>
}

/** The value of an opaque token; of a JWT with `signing`, which then ends with a whole second. */
export async function makeToken(made: MadeToken, signing: Signing | undefined) {
  const expiresAt = after(made.now, made.lifetimeSeconds)
  if (!signing) return { token: newToken(), expiresAt }
  const { SignJWT, importJWK } = await import('jose')
  const { signing: key } = signing.keys
  const [iat, exp] = [made.now, expiresAt].map((moment) => Math.floor(Date.parse(moment) / 1000))
  const claims = {
    ...{ iss: signing.config.issuer, aud: [signing.config.agentAudience], sub: made.userId, jti: newId(), iat, exp },
    ...{ azp: made.clientId, client_id: made.clientId, scope: made.scope, gid: made.grantId, plan: 'free' },
    ...(made.bounds && { bounds: made.bounds }),
    ...(made.key !== null && { cnf: { jkt: made.key } }),
    act: actorOf(made.clientId, made.helpers),
  }
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: key.kid })
    .sign(await importJWK({ ...key }, 'EdDSA'))
  return { token, expiresAt: timestamp((exp ?? 0) * 1000) }
}
