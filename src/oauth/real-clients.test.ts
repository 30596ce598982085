// Strict clients of other makers against a server that listens.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { listening } from '../../test/listening.ts'
import { AGENT, browse, oauthClient } from '../../test/oauth.ts'

const insecure = { [oauth.allowInsecureRequests]: true }
const CALLBACK = 'http://127.0.0.1:5123/callback'
const scope = 'openid profile email offline_access library:read'

describe('oauth4webapi', () => {
  it('registers, signs in, calls, refreshes and revokes (RFC 8414, 7591, 6749, 7636, 9207, 7009)', async (t) => {
    await listening(t, async (world) => {
      const issuer = new URL(`${world.dependencies.config.baseUrl}/api/auth`)
      const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
      const server = await oauth.processDiscoveryResponse(issuer, found)
      const registered = await oauth.dynamicClientRegistrationRequest(
        server,
        {
          redirect_uris: [CALLBACK],
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
        },
        insecure,
      )
      const client = await oauth.processDynamicClientRegistrationResponse(registered)
      const verifier = oauth.generateRandomCodeVerifier()
      const state = oauth.generateRandomState()
      const nonce = oauth.generateRandomNonce()
      const url = new URL(server.authorization_endpoint!)
      url.search = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: CALLBACK,
        response_type: 'code',
        scope,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString()
      const callback = await browse(world, url)
      const parameters = oauth.validateAuthResponse(server, client, callback, state)
      const none = oauth.None()
      const answer = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        none,
        parameters,
        CALLBACK,
        verifier,
        insecure,
      )
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
        expectedNonce: nonce,
        requireIdToken: true,
      })
      const { sub } = oauth.getValidatedIdTokenClaims(tokens)!
      assert.equal(sub, (await world.alice.account()).id)
      const info = await oauth.userInfoRequest(server, client, tokens.access_token, insecure)
      assert.equal((await oauth.processUserInfoResponse(server, client, sub, info)).email, 'alice@example.com')
      const refreshed = await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, none, tokens.refresh_token!, insecure),
      )
      assert.notEqual(refreshed.refresh_token, tokens.refresh_token)
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, none, refreshed.refresh_token!, insecure),
      )
      const dead = await oauth.refreshTokenGrantRequest(server, client, none, refreshed.refresh_token!, insecure)
      await assert.rejects(oauth.processRefreshTokenResponse(server, client, dead), { error: 'invalid_grant' })
    })
  })

  it('notices a mix-up: an answer of another issuer (RFC 9207, 2.4)', async (t) => {
    await listening(t, async (world) => {
      const issuer = new URL(`${world.dependencies.config.baseUrl}/api/auth`)
      const server = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
      )
      const client = oauthClient(world)
      const { callback } = await client.consent(world.alice, { clientId: AGENT, scope: 'library:read' })
      const evil = { ...server, issuer: 'https://evil.example' }
      const params = callback.searchParams
      assert.throws(() => oauth.validateAuthResponse(evil, { client_id: AGENT }, params, 'st-1'), /iss/)
      assert.ok(oauth.validateAuthResponse(server, { client_id: AGENT }, params, 'st-1'))
    })
  })
})

describe('openid-client', () => {
  it('signs the fixed client in for a JWT of the agent audience, which jose verifies (RFC 8707, 9068)', async (t) => {
    await listening(t, async (world) => {
      const { baseUrl, agentAudience } = world.dependencies.config
      const issuer = new URL(`${baseUrl}/api/auth`)
      const config = await openid.discovery(issuer, AGENT, undefined, openid.None(), {
        execute: [openid.allowInsecureRequests],
      })
      const pkceCodeVerifier = openid.randomPKCECodeVerifier()
      const expectedState = openid.randomState()
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: CALLBACK,
        scope,
        state: expectedState,
        resource: agentAudience,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      })
      const callback = await browse(world, url)
      const resource = agentAudience
      const tokens = await openid.authorizationCodeGrant(
        config,
        callback,
        { pkceCodeVerifier, expectedState },
        { resource },
      )
      const keys = createRemoteJWKSet(new URL(`${baseUrl}/api/auth/jwks`))
      const verify = (token: string) =>
        jwtVerify(token, keys, { issuer: issuer.href, audience: agentAudience, typ: 'at+jwt' })
      assert.equal((await verify(tokens.access_token)).payload['plan'], 'free')
      const again = await openid.refreshTokenGrant(config, tokens.refresh_token!, { resource })
      assert.equal((await verify(again.access_token)).payload['client_id'], AGENT)
      const opaque = await openid.refreshTokenGrant(config, again.refresh_token!)
      assert.equal(opaque.access_token.split('.').length, 1)
      await openid.tokenRevocation(config, opaque.refresh_token!)
      await assert.rejects(openid.refreshTokenGrant(config, opaque.refresh_token!), { error: 'invalid_grant' })
    })
  })
})
