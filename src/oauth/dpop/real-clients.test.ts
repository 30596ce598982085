// Clients of other makers with keys of their own (RFC 9449) and pushed requests (RFC 9126), against a server that listens.
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { onEngines } from '../../../test/databases.ts'
import { listening } from '../../../test/listening.ts'
import { AGENT, browse } from '../../../test/oauth.ts'
import type { World } from '../../../test/world.ts'

const insecure = { [oauth.allowInsecureRequests]: true }
const CALLBACK = 'http://127.0.0.1:5123/callback'
const scope = 'openid profile email offline_access library:read'

async function withOauth4webapi(world: World): Promise<void> {
  const { baseUrl } = world.dependencies.config
  const issuer = new URL(`${baseUrl}/api/auth`)
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
  const client: oauth.Client = { client_id: AGENT }
  const none = oauth.None()
  const keys = await oauth.generateKeyPair('ES256')
  const DPoP = oauth.DPoP(client, keys)
  const options = { ...insecure, DPoP }
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const pushed = await oauth.pushedAuthorizationRequest(
    server,
    client,
    none,
    {
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    },
    options,
  )
  const { request_uri } = await oauth.processPushedAuthorizationResponse(server, client, pushed)
  const url = new URL(server.authorization_endpoint!)
  url.search = new URLSearchParams({ client_id: AGENT, request_uri }).toString()
  const parameters = oauth.validateAuthResponse(server, client, await browse(world, url), state)
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    none,
    parameters,
    CALLBACK,
    verifier,
    options,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, { requireIdToken: true })
  assert.equal(tokens.token_type, 'dpop')
  const { sub } = oauth.getValidatedIdTokenClaims(tokens)!
  const info = await oauth.userInfoRequest(server, client, tokens.access_token, options)
  assert.equal((await oauth.processUserInfoResponse(server, client, sub, info)).email, world.alice.email)
  const call = (token: string) =>
    oauth.protectedResourceRequest(token, 'GET', new URL(`${baseUrl}/api/library/me`), undefined, undefined, options)
  assert.equal((await call(tokens.access_token)).status, 200)
  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, none, tokens.refresh_token!, options),
  )
  assert.equal((await call(refreshed.access_token)).status, 200)
  const stolen = await oauth.refreshTokenGrantRequest(server, client, none, refreshed.refresh_token!, insecure)
  await assert.rejects(oauth.processRefreshTokenResponse(server, client, stolen), { error: 'invalid_grant' })
  const late = oauth.DPoP({ ...client, [oauth.clockSkew]: -3_600 }, keys)
  const lateCall = () =>
    oauth.protectedResourceRequest(
      refreshed.access_token,
      'GET',
      new URL(`${baseUrl}/api/library/me`),
      undefined,
      undefined,
      {
        ...insecure,
        DPoP: late,
      },
    )
  const refused = await lateCall().catch((error: unknown) => error)
  assert.ok(oauth.isDPoPNonceError(refused), String(refused))
  assert.equal((await lateCall()).status, 200, 'the nonce stands for the clock')
}

async function withOpenidClient(world: World): Promise<void> {
  const { baseUrl, agentAudience: resource } = world.dependencies.config
  const execute = [openid.allowInsecureRequests]
  const config = await openid.discovery(new URL(`${baseUrl}/api/auth`), AGENT, undefined, openid.None(), { execute })
  const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('Ed25519'))
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const parameters = {
    redirect_uri: CALLBACK,
    scope,
    state: expectedState,
    resource,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  }
  const url = await openid.buildAuthorizationUrlWithPAR(config, parameters, { DPoP })
  assert.ok(url.searchParams.get('request_uri'))
  const callback = await browse(world, url)
  const checks = { pkceCodeVerifier, expectedState }
  const jwt = await openid.authorizationCodeGrant(config, callback, checks, { resource }, { DPoP })
  const opaque = await openid.refreshTokenGrant(config, jwt.refresh_token!, undefined, { DPoP })
  for (const { access_token } of [jwt, opaque]) {
    const me = new URL(`${baseUrl}/api/library/me`)
    const answer = await openid.fetchProtectedResource(config, access_token, me, 'GET', undefined, undefined, { DPoP })
    assert.equal(answer.status, 200)
    const other = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair())
    await assert.rejects(
      openid.fetchProtectedResource(config, access_token, me, 'GET', undefined, undefined, { DPoP: other }),
    )
    await assert.rejects(openid.fetchProtectedResource(config, access_token, me, 'GET'))
  }
  await assert.rejects(openid.refreshTokenGrant(config, opaque.refresh_token!), { error: 'invalid_grant' })
}

onEngines('clients with keys', (open) => {
  const run = (go: (world: World) => Promise<void>) => (t: TestContext) => listening(t, go, { open: open })
  it('oauth4webapi pushes, signs in, calls, refreshes, and gets over a wrong clock', run(withOauth4webapi))
  it('openid-client pushes, signs in for a JWT, calls and refreshes', run(withOpenidClient))
})
