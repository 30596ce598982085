// Where everything that describes Guildhall to machines is served.
import type { Hono } from 'hono'
import type { Config } from '../../config.ts'
import { mountDocument } from '../http/document.ts'
import type { Env } from '../http/http.ts'
import { authText, llmsText, skillText } from './guides.ts'
import { apiCatalog, serverCard, skillIndex } from './machine.ts'

const MARKDOWN = 'text/markdown; charset=utf-8'
const CARD = 'application/mcp-server-card+json'

export function mountDiscovery(app: Hono<Env>, config: Config): void {
  const { baseUrl } = config
  const documents: [string, string, () => unknown][] = [
    ['/llms.txt', 'text/plain; charset=utf-8', () => llmsText(config)],
    ['/auth.md', MARKDOWN, () => authText(config)],
    ['/.well-known/agent-skills/guildhall/SKILL.md', MARKDOWN, () => skillText(config)],
    ['/.well-known/agent-skills/index.json', 'application/json', () => skillIndex(baseUrl, skillText(config))],
    [
      '/.well-known/api-catalog',
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      () => apiCatalog(baseUrl),
    ],
    ['/.well-known/mcp/server-card.json', CARD, () => serverCard(config)],
    ['/api/mcp/server-card', CARD, () => serverCard(config)],
  ]
  for (const [path, type, make] of documents) {
    mountDocument(app, path, type, async () => {
      const made = make()
      return typeof made === 'string' ? made : JSON.stringify(made)
    })
  }
}
