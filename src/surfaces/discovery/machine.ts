// Machine-readable discovery: the API catalog (RFC 9727), the card of the MCP server (SEP-2127), and the AI catalog.
import type { Config } from '../../config/config.ts'
import { iconsOf } from '../icons.ts'
import { serverWords } from './words.ts'

/** Links of the API to its descriptions, as a linkset (RFC 9264, 4.2). */
export const apiCatalog = (baseUrl: string) => ({
  linkset: [
    {
      anchor: `${baseUrl}/api`,
      'service-desc': [{ href: `${baseUrl}/api/openapi.json`, type: 'application/json' }],
      'service-doc': [
        { href: `${baseUrl}/docs/reference`, type: 'text/html' },
        { href: `${baseUrl}/llms.txt`, type: 'text/plain' },
        { href: `${baseUrl}/auth.md`, type: 'text/markdown' },
      ],
      'service-meta': [{ href: `${baseUrl}/.well-known/oauth-protected-resource/api`, type: 'application/json' }],
      status: [{ href: `${baseUrl}/healthz`, type: 'text/plain' }],
    },
    {
      anchor: `${baseUrl}/api/mcp`,
      'service-desc': [{ href: `${baseUrl}/api/mcp/server-card`, type: 'application/mcp-server-card+json' }],
      'service-meta': [{ href: `${baseUrl}/.well-known/oauth-protected-resource/api/mcp`, type: 'application/json' }],
    },
  ],
})

type NamedServer = Pick<Config, 'baseUrl' | 'name' | 'partsOff'>

const about = ({ baseUrl, name, ...config }: NamedServer) => ({
  name: `${new URL(baseUrl).hostname.split('.').reverse().join('.')}/guildhall`,
  title: name,
  version: '1.0.0',
  description: serverWords(config),
  websiteUrl: baseUrl,
})

/**
 * The entry of the MCP registry (server.json), for an operator to publish with its own tool. The registry takes icons by https alone.
 */
export const registryEntry = ({ baseUrl, ...config }: NamedServer) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ...about({ baseUrl, ...config }),
  ...(baseUrl.startsWith('https:') && { icons: iconsOf(baseUrl) }),
  remotes: [{ type: 'streamable-http', url: `${baseUrl}/api/mcp` }],
})

/** The name and address of the MCP server, for clients that have not connected. Its name is the host's, reversed. */
export const serverCard = ({ baseUrl, ...config }: NamedServer) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  ...about({ baseUrl, ...config }),
  icons: iconsOf(baseUrl),
  remotes: [
    {
      type: 'streamable-http',
      url: `${baseUrl}/api/mcp`,
      supportedProtocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
    },
  ],
})

/** Names of the AI catalog: `urn:air:<host>:<kind>:<name>`, of characters that every reader takes. */
const urn = (baseUrl: string, name: string) =>
  `urn:air:${new URL(baseUrl).hostname.replace(/[^\w.-]+/g, '-').replace(/^-|-$/g, '')}:${name}`

/** What agents can use here, in one list (AI Catalog 1.0, agent-card.github.io/ai-catalog): the MCP server, the API and skills. */
export const aiCatalog = ({ baseUrl, name, ...config }: NamedServer) => ({
  specVersion: '1.0',
  host: {
    displayName: name,
    identifier: new URL(baseUrl).hostname,
    documentationUrl: `${baseUrl}/docs`,
    ...(iconsOf(baseUrl)[0] && { logoUrl: iconsOf(baseUrl)[0]?.src }),
  },
  entries: [
    {
      ...{ identifier: urn(baseUrl, 'mcp:guildhall'), displayName: name, type: 'application/mcp-server-card+json' },
      ...{ url: `${baseUrl}/api/mcp/server-card`, description: serverWords(config) },
    },
    {
      ...{
        identifier: urn(baseUrl, 'api:guildhall'),
        displayName: `${name}: REST API`,
        type: 'application/openapi+json',
      },
      ...{ url: `${baseUrl}/api/openapi.json`, description: 'Everything that can be done here, as OpenAPI 3.1' },
    },
    {
      ...{
        identifier: urn(baseUrl, 'skill:index'),
        displayName: `${name}: skills`,
        type: 'application/agent-skills+json',
      },
      url: `${baseUrl}/.well-known/agent-skills/index.json`,
      description: 'Skills that can be installed from here, each with its hash',
    },
  ],
})
