// The SDK's own client of MCP with its authorization, as a program that nobody here wrote has it.
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { oauthClient } from '../oauth.ts'
import type { Person, World } from '../world.ts'

const CALLBACK = 'http://127.0.0.1:5199/callback'

/** Remembers what an OAuth client has to, and where it wanted its person to go. */
export class Memory implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK
  readonly clientMetadata: OAuthClientProvider['clientMetadata'] = {
    client_name: 'A client',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'none',
  }
  /** Parameters that it adds to its request for authorization. */
  readonly more: Readonly<Record<string, string>>
  #client: StoredOAuthClientInformation | undefined
  #tokens: StoredOAuthTokens | undefined
  #verifier = ''
  #discovered: OAuthDiscoveryState | undefined
  askedAt: URL | undefined

  constructor(more: Readonly<Record<string, string>> = {}) {
    this.more = more
  }

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
    for (const [name, value] of Object.entries(this.more)) url.searchParams.set(name, value)
    this.askedAt = url
  }
}

export interface Connected {
  client: Client
  transport: StreamableHTTPClientTransport
  memory: Memory
}

/** `legacy` speaks 2025-11-25; `auto` finds out that 2026-07-28 is spoken here. */
export async function connectTo(url: string, mode: 'legacy' | 'auto', memory = new Memory()): Promise<Connected> {
  const client = new Client({ name: 'a-client', version: '1.0.0' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), { authProvider: memory })
  await client.connect(transport)
  return { client, transport, memory }
}

interface ToolCall {
  name: string
  input: object
}

/** Calls a tool; where the client needs consent this person gives it, once, to all scopes or to those that are `left`. */
export async function callWithConsent(
  { world, person, left }: { world: World; person: Person; left?: string },
  connected: Connected,
  { name, input }: ToolCall,
) {
  const call = () => connected.client.callTool({ name, arguments: { ...input } })
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error
    const { authorize, decide } = oauthClient(world)
    const { to } = await authorize(person, connected.memory.askedAt?.searchParams ?? new URLSearchParams())
    if (!to) throw new Error('the authorization endpoint sent the person nowhere')
    const callback = await decide(person, to, { scope: left })
    await connected.transport.finishAuth(callback.searchParams)
    return call()
  }
}
