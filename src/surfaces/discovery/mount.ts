// Where everything that describes Guildhall to machines is served. What makes it is loaded when it is first asked for.
import type { Hono } from 'hono'
import type { Config } from '../../config/config.ts'
import { schemaKinds, schemaPath } from '../../contract/files.ts'
import { operationsOff, partsOff } from '../../contract/parts.ts'
import { documentAnswer, mountDocument, mountReport, notFoundAnswer } from '../http/document.ts'
import type { Env } from '../http/pipeline.ts'

// What people and programs look for at fixed addresses: where vulnerabilities are reported, and where a password is changed.

/** It is read again before: less than a year is recommended (RFC 9116, 2.5.5). */
const VALID_DAYS = 180
const DAY_MILLISECONDS = 86_400_000

/** The text of security.txt (RFC 9116); `now` in milliseconds. It changes once a day. */
export function securityText({ contact, baseUrl, now }: { contact: string; baseUrl: string; now: number }): string {
  const expires = new Date((Math.floor(now / DAY_MILLISECONDS) + VALID_DAYS) * DAY_MILLISECONDS)
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().replace(/\.000Z$/, 'Z')}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}

const TEXT = 'text/plain; charset=utf-8'

export function mountWellKnown(app: Hono<Env>, config: Config, now: () => number): void {
  const { baseUrl } = config
  for (const path of ['/.well-known/security.txt', '/security.txt']) {
    mountReport(app, path, async (c) => {
      const { requestId } = c.env
      const { securityContact } = config.operator
      if (securityContact === undefined) return notFoundAnswer(requestId)
      const text = securityText({ contact: securityContact, baseUrl, now: now() })
      const answer = documentAnswer(requestId, { status: 200, contentType: TEXT, text })
      answer.headers.set('Cache-Control', 'public, max-age=3600')
      return answer
    })
  }
  // Password managers open it (W3C, A Well-Known URL for Changing Passwords).
  mountReport(app, '/.well-known/change-password', async (c) => {
    const answer = documentAnswer(c.env.requestId, { status: 303, contentType: TEXT, text: null })
    answer.headers.set('Location', `${baseUrl}/settings/security`)
    return answer
  })
}

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
