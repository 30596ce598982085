// Where everything that describes Guildhall to machines is served. What makes it is loaded when it is first asked for.
import type { Hono } from 'hono'
import type { Config } from '../../config/config.ts'
import { schemaKinds, schemaPath } from '../../contract/files.ts'
import { operationsOff, partsOff } from '../../contract/parts.ts'
import { mountDocument } from '../http/document.ts'
import type { Env } from '../http/pipeline.ts'

const MARKDOWN = 'text/markdown; charset=utf-8'
const CARD = 'application/mcp-server-card+json'
const AI_CATALOG = 'application/ai-catalog+json'
const JSON_TYPE = 'application/json; charset=utf-8'
const CATALOG = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

const guides = () => import('./guides.ts')
const machine = () => import('./machine.ts')

export function mountDiscovery(app: Hono<Env>, config: Config): void {
  const { baseUrl } = config
  const basis = () => `${config.name} ${partsOff(config).key}`
  const text = (path: string, contentType: string, make: () => Promise<string>) =>
    mountDocument(app, { path, contentType, basis }, make)
  const card = async () => JSON.stringify((await machine()).serverCard(config))
  // The description of the API, for the name and without the parts that are off at the time.
  mountDocument(
    app,
    { path: '/api/openapi.json', contentType: JSON_TYPE, basis: () => `${config.name} ${operationsOff(config).key}` },
    async () => (await import('../openapi/served.ts')).openApiText(config),
  )
  text('/llms.txt', 'text/plain; charset=utf-8', async () => (await guides()).llmsText(config))
  text('/auth.md', MARKDOWN, async () => (await guides()).authText(config))
  text('/.well-known/agent-skills/guildhall/SKILL.md', MARKDOWN, async () => (await guides()).skillText(config))
  text('/.well-known/mcp/server-card.json', CARD, card)
  text('/.well-known/mcp/server.json', JSON_TYPE, async () => JSON.stringify((await machine()).registryEntry(config)))
  text('/api/mcp/server-card', CARD, card)
  text('/.well-known/ai-catalog.json', AI_CATALOG, async () => JSON.stringify((await machine()).aiCatalog(config)))
  const clawhub = {
    ...{ path: '/.well-known/clawhub.json', contentType: JSON_TYPE, basis },
    isThere: () => !partsOff(config).kinds.has('skill'),
  }
  mountDocument(app, clawhub, async () => JSON.stringify({ apiBase: `${baseUrl}/clawhub` }))
  for (const kind of schemaKinds) {
    const isThere = () => !partsOff(config).kinds.has(kind)
    const place = { path: schemaPath(kind), contentType: 'application/schema+json', basis, isThere }
    mountDocument(app, place, async () =>
      JSON.stringify((await import('../../formats/schemas.ts')).schemaOf(kind, baseUrl), null, 2),
    )
  }
  // A HEAD request shows in the Link header that this is a catalog (RFC 9727, 2).
  const link = `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`
  const catalog = { path: '/.well-known/api-catalog', contentType: CATALOG, link }
  mountDocument(app, catalog, async () => JSON.stringify((await machine()).apiCatalog(baseUrl)))
}
