// Where everything that describes Guildhall to machines is served.
import type { Hono } from 'hono'
import type { Config } from '../../config/config.ts'
import { schemaKinds, schemaOf, schemaPath } from '../../formats/schemas.ts'
import { mountDocument } from '../http/document.ts'
import type { Env } from '../http/pipeline.ts'
import { authText, llmsText, skillText } from './guides.ts'
import { apiCatalog, registryEntry, serverCard, skillIndex } from './machine.ts'

const MARKDOWN = 'text/markdown; charset=utf-8'
const CARD = 'application/mcp-server-card+json'

const JSON_TYPE = 'application/json; charset=utf-8'
const CATALOG = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

export function mountDiscovery(app: Hono<Env>, config: Config): void {
  const { baseUrl } = config
  const text = (path: string, contentType: string, make: () => string) =>
    mountDocument(app, { path, contentType, basis: () => config.name }, async () => make())
  text('/llms.txt', 'text/plain; charset=utf-8', () => llmsText(config))
  text('/auth.md', MARKDOWN, () => authText(config))
  text('/.well-known/agent-skills/guildhall/SKILL.md', MARKDOWN, () => skillText(config))
  text('/.well-known/agent-skills/index.json', JSON_TYPE, () => JSON.stringify(skillIndex(config, skillText(config))))
  text('/.well-known/mcp/server-card.json', CARD, () => JSON.stringify(serverCard(config)))
  text('/.well-known/mcp/server.json', JSON_TYPE, () => JSON.stringify(registryEntry(config)))
  text('/api/mcp/server-card', CARD, () => JSON.stringify(serverCard(config)))
  for (const kind of schemaKinds) {
    text(schemaPath(kind), 'application/schema+json', () => JSON.stringify(schemaOf(kind, baseUrl), null, 2))
  }
  // A HEAD request shows in the Link header that this is a catalog (RFC 9727, 2).
  const link = `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`
  const catalog = { path: '/.well-known/api-catalog', contentType: CATALOG, link }
  mountDocument(app, catalog, async () => JSON.stringify(apiCatalog(baseUrl)))
}
