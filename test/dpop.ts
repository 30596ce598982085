// A client that holds a key (RFC 9449), as tests need it: proofs as they should be, and as they should not.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { AGENT, type Granted, oauthClient } from './oauth.ts'
import type { World } from './world.ts'

interface Claims {
  htm?: string
  htu?: string
  iat?: number
  jti?: string
  ath?: string
  nonce?: string
}

export interface Key {
  thumbprint: string
  /** A proof for a request; `changes` are made to what it should say, `header` to its header. */
  proof(method: string, url: string, changes?: Claims, header?: Record<string, unknown>): Promise<string>
}

export async function newKey(alg: 'ES256' | 'EdDSA' = 'ES256'): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = await exportJWK(publicKey)
  return {
    thumbprint: await calculateJwkThumbprint(jwk),
    proof: (htm, htu, changes = {}, header = {}) =>
      new SignJWT({ htm, htu, jti: randomUUID(), iat: Math.floor(Date.now() / 1000), ...changes })
        .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk, ...header } as never)
        .sign(privateKey),
  }
}

export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url')

interface Call {
  method?: string
  path?: string
  changes?: Claims
  header?: Record<string, unknown>
  scheme?: string
  body?: unknown
  headers?: Record<string, string>
}

/** Requests with a token that is bound to the key, each with a proof of its own. */
export function keyHolder({ app, dependencies }: World, key: Key) {
  const { baseUrl } = dependencies.config
  const urlOf = (path: string) => `${baseUrl}${path}`
  const now = () => Math.floor(dependencies.clock.now() / 1000)

  async function call(token: string, options: Call = {}): Promise<Response> {
    const { method = 'GET', path = '/api/community/me', changes, header, scheme = 'DPoP', body, headers } = options
    const about = urlOf(path.split('?')[0]!)
    const proof = await key.proof(method, about, { iat: now(), ath: tokenHash(token), ...changes }, header)
    const init: RequestInit = {
      method,
      headers: {
        Authorization: `${scheme} ${token}`,
        DPoP: proof,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    return app.fetch(new Request(urlOf(path), init))
  }

  /** A form with a proof; gives status, body and headers. */
  async function post(path: string, form: Record<string, string>, changes: Claims = {}) {
    const proof = await key.proof('POST', urlOf(path), { iat: now(), ...changes })
    const request = new Request(urlOf(path), {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', DPoP: proof },
      body: new URLSearchParams(form).toString(),
    })
    const response = await app.fetch(request)
    const answer = (await response.json()) as Record<string, string>
    return { status: response.status, headers: response.headers, ...answer } as {
      status: number
      headers: Headers
      error?: string
      access_token: string
      refresh_token: string
      token_type: string
      id_token?: string
      request_uri?: string
    }
  }

  return {
    call,
    post,
    token: (form: Record<string, string>, changes?: Claims) => post('/api/auth/oauth2/token', form, changes),
  }
}

/** What `boundTokens` asks for. */
export const BOUND_SCOPE = 'openid profile community:read offline_access'

export const codeForm = ({ code, verifier, clientId, redirectUri }: Granted, more: Record<string, string> = {}) => ({
  grant_type: 'authorization_code',
  code,
  code_verifier: verifier,
  client_id: clientId,
  redirect_uri: redirectUri,
  ...more,
})

export const refreshForm = (refresh_token: string, more: Record<string, string> = {}) => ({
  grant_type: 'refresh_token',
  client_id: AGENT,
  refresh_token,
  ...more,
})

/** Tokens of the fixed client, bound to a key: opaque, or a JWT. */
export async function boundTokens(world: World, key: Key, { jwt = false } = {}) {
  const client = oauthClient(world)
  const more: Record<string, string> = jwt ? { resource: client.audience } : {}
  const granted = await client.consent(world.alice, { clientId: AGENT, scope: BOUND_SCOPE, more })
  const tokens = await keyHolder(world, key).token(codeForm(granted, more))
  assert.equal(tokens.status, 200, JSON.stringify(tokens))
  return tokens
}
