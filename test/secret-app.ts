// An app with a secret for tests, which an admin registered, and how it shows assertions of a provider.
import type { JWTPayload } from 'jose'
import { JWT_BEARER } from '../src/oauth/rules.ts'
import type { IdentityServer } from './identity-provider.ts'
import type { TokenAnswer } from './oauth.ts'
import { oauthClient } from './oauth.ts'
import type { World } from './world.ts'

const FORM = 'application/x-www-form-urlencoded'

export interface SecretApp {
  id: string
  name: string
  method: 'client_secret_basic' | 'client_secret_post'
  secret: string
}

export const registerApp = (world: World, more: Partial<Pick<SecretApp, 'name' | 'method'>> = {}) =>
  world.admin.secretClients.create({ name: 'Inspector', ...more })

/** Credentials as RFC 6749, 2.3.1 writes them. */
export const basicOf = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`

let made = 0

/** What the provider says of a person for an app. */
export function tokenOf({ clock, dependencies }: World, idp: IdentityServer, clientId: string): JWTPayload {
  const iat = Math.floor(clock.now() / 1000)
  return {
    ...{ iss: idp.issuer, sub: 'mira', aud: dependencies.config.issuer, client_id: clientId },
    ...{ iat, exp: iat + 300, jti: `of-secret-app-${++made}`, scope: 'community:read' },
    ...{ email: 'mira@example.com', email_verified: true },
  }
}

interface Showing {
  secret?: string
  method?: SecretApp['method'] | 'both'
  /** The app that the assertion names, where that is another one. */
  assertionOf?: string
}

/** Shows an assertion of the provider with the secret of an app. */
export async function show(
  world: World,
  idp: IdentityServer,
  app: SecretApp,
  { secret = app.secret, method = app.method, assertionOf = app.id }: Showing = {},
): Promise<TokenAnswer> {
  const assertion = await idp.sign(tokenOf(world, idp, assertionOf), { typ: 'oauth-id-jag+jwt' })
  const inForm: Record<string, string> =
    method === 'client_secret_basic' ? {} : { client_id: app.id, client_secret: secret }
  const response = await oauthClient(world).send('/api/auth/oauth2/token', {
    method: 'POST',
    headers: {
      'Content-Type': FORM,
      ...(method !== 'client_secret_post' && { Authorization: basicOf(app.id, secret) }),
    },
    body: new URLSearchParams({ grant_type: JWT_BEARER, assertion, ...inForm }).toString(),
  })
  return { ...((await response.json()) as TokenAnswer), status: response.status }
}
