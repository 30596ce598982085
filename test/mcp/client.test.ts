// A client that nobody here wrote: the SDK's own goes from 401 to a tool's result by itself, a person's consent being all
// the help it gets.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { createApp } from '../../src/app.ts'
import { engines } from '../databases.ts'
import { oauthClient } from '../oauth.ts'
import { freePort } from '../server.ts'
import { makeWorld, type Person, type World } from '../world.ts'
import { serve } from './serve.ts'

const CALLBACK = 'http://127.0.0.1:5199/callback'

/** Remembers what an OAuth client has to, and where it wanted its person to go. */
class Memory implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK
  readonly clientMetadata = { client_name: 'A client', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }
  #client: StoredOAuthClientInformation | undefined
  #tokens: StoredOAuthTokens | undefined
  #verifier = ''
  #discovered: OAuthDiscoveryState | undefined
  askedAt: URL | undefined

  discoveryState = () => this.#discovered
  clientInformation = () => this.#client
  tokens = () => this.#tokens
  codeVerifier = () => this.#verifier

  saveDiscoveryState(discovered: OAuthDiscoveryState) {
    this.#discovered = discovered
  }

  saveClientInformation(client: StoredOAuthClientInformation) {
    this.#client = client
  }

  saveTokens(tokens: StoredOAuthTokens) {
    this.#tokens = tokens
  }

  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }

  redirectToAuthorization(url: URL) {
    this.askedAt = url
  }
}

interface Connected {
  client: Client
  transport: StreamableHTTPClientTransport
  memory: Memory
}

/** `legacy` speaks 2025-11-25; `auto` finds out that 2026-07-28 is spoken here. */
async function connectTo(url: string, mode: 'legacy' | 'auto', memory = new Memory()): Promise<Connected> {
  const client = new Client({ name: 'a-client', version: '1.0.0' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), { authProvider: memory })
  await client.connect(transport)
  return { client, transport, memory }
}

/** Calls a tool; where the client needs consent this person gives it, once. */
async function callWithConsent(world: World, person: Person, connected: Connected, name: string, input: object) {
  const call = () => connected.client.callTool({ name, arguments: { ...input } })
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error
    const { authorize, decide } = oauthClient(world)
    const { to } = await authorize(person, connected.memory.askedAt!.searchParams)
    const callback = await decide(person, to!)
    await connected.transport.finishAuth(callback.searchParams)
    return call()
  }
}

async function onPort(use: (world: World, url: string) => Promise<void>): Promise<void> {
  const database = await engines['SQLite']!()
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-mcp-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const world = await makeWorld(database, { BASE_URL: url, BLOB_URL: `file:${folder}` })
  const server = await serve(createApp(world.dependencies), port)
  try {
    await use(world, url)
  } finally {
    await server.close()
    await database.remove()
    await rm(folder, { recursive: true })
  }
}

const BUG = { title: 'Crash', description: 'On start', severity: 'high' }

describe('a client of MCP', () => {
  for (const mode of ['legacy', 'auto'] as const) {
    it(`gets from 401 to a filed bug with a person's consent alone (${mode})`, () =>
      onPort(async (world, url) => {
        await world.alice.profile.setUsername({ username: 'alice' })
        const connected = await connectTo(url, mode)
        assert.ok((await connected.client.listTools()).tools.length > 13)
        const read = await connected.client.callTool({ name: 'get_feed', arguments: {} })
        assert.deepEqual(read.structuredContent, { items: [], hasMore: false })
        const filed = await callWithConsent(world, world.alice, connected, 'create_bug', BUG)
        assert.equal((filed.structuredContent as { title: string }).title, 'Crash')
        const [bug] = (await world.anonymous.bugs.list()).items
        assert.equal(bug!.authorUsername, 'alice')
        await connected.client.close()
      }))
  }

  it('steps up when a tool needs a scope that its token does not have', () =>
    onPort(async (world, url) => {
      await world.alice.profile.setUsername({ username: 'alice' })
      const connected = await connectTo(url, 'auto')
      await callWithConsent(world, world.alice, connected, 'create_bug', BUG)
      assert.equal(connected.memory.askedAt!.searchParams.get('scope')?.includes('library:write'), false)
      const file = { filename: 'w.json', content: readFileSync('test/fixtures/workflow-morning-digest.json', 'utf8') }
      const input = { kind: 'workflow', visibility: 'public', file }
      const result = await callWithConsent(world, world.alice, connected, 'publish_library_item', input)
      assert.match(connected.memory.askedAt!.searchParams.get('scope')!, /library:write/)
      const { id } = result.structuredContent as { id: string }
      assert.equal((await world.anonymous.library.get({ id })).kind, 'workflow')
      await connected.client.close()
    }))
})
