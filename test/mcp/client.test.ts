// A client that others wrote, against a server that listens: from 401 to the result of a tool, a person's consent being the
// only help.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import {
  Client,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { createNodeServer, stopServer } from '../../src/surfaces/http/listen.ts'
import { engines } from '../databases.ts'
import { org } from '../library.ts'
import { oauthClient } from '../oauth.ts'
import { temporaryDirectory } from '../temporary.ts'
import { makeWorld, type World } from '../world.ts'
import { eras } from './speaking.ts'

const CALLBACK = 'http://127.0.0.1:5124/callback'

/** A world whose origin really listens. */
async function listening(t: TestContext, run: (world: World) => Promise<void>): Promise<void> {
  const database = await engines['SQLite']!()
  const blobs = await temporaryDirectory(t)
  let world: World | undefined
  const server = createNodeServer({
    app: (request, surroundings) => world!.app.fetch(request, surroundings),
    config: { trustProxy: 0 },
    dataVersion: undefined,
    observe() {},
  })
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    world = await makeWorld(database, { BASE_URL: `http://127.0.0.1:${port}`, BLOB_URL: `file:${blobs}` })
    await run(world)
  } finally {
    await stopServer(server, 100)
    await database.remove()
  }
}

/** What a client keeps; the pages it would open are kept here for the person. */
class Keeping implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK
  readonly clientMetadata = { client_name: 'A client', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }
  readonly opened: URL[] = []
  #client: StoredOAuthClientInformation | undefined
  #tokens: StoredOAuthTokens | undefined
  #verifier = ''

  clientInformation = () => this.#client
  tokens = () => this.#tokens
  codeVerifier = () => this.#verifier
  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client
  }
  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }
  redirectToAuthorization(url: URL): void {
    this.opened.push(url)
  }
}

async function connected(world: World, provider: Keeping, era: string) {
  const url = new URL(`${world.ground.config.baseUrl}/api/mcp`)
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider })
  const mode = era === '2026-07-28' ? ({ pin: era } as const) : ('legacy' as const)
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return { client, transport }
}

/** The person looks at the page that the client opened last, and agrees. */
async function agree(world: World, provider: Keeping): Promise<URLSearchParams> {
  const browser = oauthClient(world)
  const { to } = await browser.authorize(world.alice, provider.opened.at(-1)!.searchParams)
  return (await browser.decide(world.alice, to!)).searchParams
}

type Connected = Awaited<ReturnType<typeof connected>>

/** Calls a tool; asked for a consent, gets it and calls again. */
async function use({ client, transport }: Connected, world: World, call: ToolCall & { provider: Keeping }) {
  const { provider, ...rest } = call
  try {
    return await client.callTool(rest)
  } catch (error) {
    assert.ok(error instanceof UnauthorizedError, String(error))
    await transport.finishAuth(await agree(world, provider))
    return client.callTool(rest)
  }
}

interface ToolCall {
  name: string
  arguments: Record<string, unknown>
}

describe("the protocol's own client", () => {
  for (const era of eras) {
    it(`connects, reads without a token, and gets one when it needs it (${era})`, async (t) => {
      await listening(t, async (world) => {
        const provider = new Keeping()
        const connection = await connected(world, provider, era)
        const { tools } = await connection.client.listTools()
        assert.ok(tools.length > 13)
        const feed = await connection.client.callTool({ name: 'get_feed', arguments: {} })
        assert.deepEqual((feed.structuredContent as { items: unknown[] }).items, [])
        assert.equal(provider.opened.length, 0)

        const crash = { title: 'Crash', description: 'It stops', severity: 'high' }
        const filed = await use(connection, world, { provider, name: 'create_bug', arguments: crash })
        assert.equal(provider.opened.length, 1)
        const asked = provider.opened[0]!.searchParams
        assert.equal(asked.get('code_challenge_method'), 'S256')
        assert.equal(asked.get('resource'), `${world.ground.config.baseUrl}/api/mcp`)
        const { id, authorId } = filed.structuredContent as { id: string; authorId: string }
        assert.equal(authorId, (await world.alice.account()).id)
        assert.equal((await world.stranger.bugs.get({ id })).title, 'Crash')

        const upload = { orgJson: JSON.stringify(org) }
        const made = await use(connection, world, { provider, name: 'create_org', arguments: upload })
        assert.equal(made.isError, undefined)
        assert.equal((await world.stranger.orgs.list()).total, 1)
        assert.equal(provider.opened.length, 1)
        await connection.client.close()
      })
    })

    it(`steps up when its token lacks a scope that it is registered for (${era})`, async (t) => {
      await listening(t, async (world) => {
        const provider = new Keeping()
        // Registered beforehand: one that registers by itself asks for the scope of the first refusal and is held to it.
        provider.saveClientInformation({ client_id: await oauthClient(world).register({ redirect_uris: [CALLBACK] }) })
        const connection = await connected(world, provider, era)
        const call = { name: 'list_library_items', arguments: { scope: 'mine' } }
        await use(connection, world, { provider, ...call })
        const first = provider.opened.at(-1)!.searchParams.get('scope')!.split(' ')
        assert.ok(first.includes('library:read') && !first.includes('community:write'))
        const post = { name: 'create_post', arguments: { title: 'Hello', body: 'World' } }
        const written = await use(connection, world, { provider, ...post })
        assert.equal(written.isError, undefined)
        assert.equal(provider.opened.length, 2)
        assert.ok(provider.opened.at(-1)!.searchParams.get('scope')!.split(' ').includes('community:write'))
        await connection.client.close()
      })
    })
  }
})
