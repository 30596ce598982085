// The first major version of the SDK, which most hosts use, with its own OAuth provider: from the first 401 to reading, writing and refreshing
// with one consent. This version refreshes at a 403 instead of asking its person again, so the first 401 has to name every scope.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { onEngines } from '../databases.ts'
import { listening } from '../listening.ts'
import { oauthClient } from '../oauth.ts'
import type { World } from '../world.ts'

const CALLBACK = 'http://127.0.0.1:5199/callback'
const ACCESS_SECONDS = 3600

/** What a host keeps, and what happened. */
class Provider implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK
  readonly clientMetadata = {
    client_name: 'A host',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
  readonly saved: OAuthTokens[] = []
  /** Where the person was sent. */
  readonly asked: URL[] = []
  #client: OAuthClientInformationMixed | undefined
  #verifier = ''

  clientInformation = () => this.#client
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client
  }
  tokens = () => this.saved.at(-1)
  saveTokens(tokens: OAuthTokens) {
    this.saved.push(tokens)
  }
  codeVerifier = () => this.#verifier
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  redirectToAuthorization(url: URL) {
    this.asked.push(url)
  }
}

async function connect({ dependencies }: World) {
  const provider = new Provider()
  const transport = new StreamableHTTPClientTransport(new URL(`${dependencies.config.baseUrl}/api/mcp`), {
    authProvider: provider,
  })
  const client = new Client({ name: 'a-host', version: '1.0.0' })
  // Its own types are made for a compiler that lets undefined stand where a property is missing.
  await client.connect(transport as Transport)
  return { client, transport, provider }
}

/** The person consents to what the host asked for, or to what is `left` of it. */
async function consent(world: World, { provider, transport }: Awaited<ReturnType<typeof connect>>, left?: string) {
  const { authorize, decide } = oauthClient(world)
  const { to } = await authorize(world.alice, provider.asked.at(-1)!.searchParams)
  const callback = await decide(world.alice, to!, { scope: left })
  await transport.finishAuth(callback.searchParams.get('code')!)
}

const POST = { title: 'Hello', body: 'From a host' }

onEngines('a host on SDK 1.x', (open) => {
  it('reads, writes and refreshes after one consent', (t) =>
    listening(
      t,
      async (world) => {
        await world.alice.profile.setUsername({ username: 'alice' })
        const host = await connect(world)
        const { client, provider } = host
        const call = (name: string, input: Record<string, unknown> = {}) => client.callTool({ name, arguments: input })
        await assert.rejects(call('what_is_new'), UnauthorizedError)
        const scopes = 'community:read community:write library:read library:write offline_access'
        assert.equal(provider.asked[0]!.searchParams.get('scope'), scopes)
        await consent(world, host)
        assert.ok(!(await call('what_is_new')).isError)
        const written = await call('create_post', POST)
        assert.ok(!written.isError, JSON.stringify(written))
        assert.equal((await world.anonymous.posts.list({})).items[0]!.title, POST.title)

        // The access token ends: the next call refreshes it, and the person sees nothing of it.
        world.clock.pass(ACCESS_SECONDS + 1)
        assert.ok(!(await call('create_post', { ...POST, title: 'Later' })).isError)
        assert.equal((await world.anonymous.posts.list({})).total, 2)
        assert.equal(provider.saved.length, 2)
        assert.notEqual(provider.saved[1]!.access_token, provider.saved[0]!.access_token)
        assert.equal(provider.asked.length, 1)
        await client.close()
      },
      { open },
    ))

  it('that was given less reads, and does not write', (t) =>
    listening(
      t,
      async (world) => {
        await world.alice.profile.setUsername({ username: 'alice' })
        const host = await connect(world)
        const { client } = host
        await assert.rejects(client.callTool({ name: 'what_is_new' }), UnauthorizedError)
        await consent(world, host, 'community:read offline_access')
        assert.ok(!(await client.callTool({ name: 'what_is_new' })).isError)
        await assert.rejects(client.callTool({ name: 'create_post', arguments: POST }))
        assert.equal((await world.anonymous.posts.list({})).total, 0)
        await client.close()
      },
      { open },
    ))
})
