// The MCP Registry API of a world: its description as others wrote it holds every answer (test/fixtures/mcp-registry).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Person } from './world.ts'

const fixture = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/mcp-registry', name), 'utf8'))
const formats = {
  uri: (text: string) => URL.canParse(text),
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
}

const description = fixture('openapi.json')
const ajv = new Ajv2020({ strict: false, formats })
ajv.addSchema(description, 'openapi')
const template = (path: string) => path.replace(/\{\w+\}/g, '[^/]+')

/** Whether a value is a server.json by the schema of 2025-12-11. */
export const isServerJson = new Ajv({ strict: false, formats }).compile(fixture('server-2025-12-11.json'))

export interface Entry {
  server: { name: string; version: string; description: string; _meta?: Record<string, unknown> }
  _meta: {
    'io.modelcontextprotocol.registry/official': {
      status: string
      statusMessage?: string
      statusChangedAt: string
      publishedAt: string
      updatedAt: string
      isLatest: boolean
    }
    'guildhall/item': { url: string; version: string; sha256: string; verified: boolean }
  }
}

export interface Listed {
  servers: Entry[]
  metadata: { nextCursor?: string; count: number }
}

/** Throws where the description has no such answer at a path. */
export function assertDescribed(path: string, status: number, body: unknown): void {
  const at = Object.keys(description.paths).find((one) => new RegExp(`^${template(one)}$`).test(path))
  assert.ok(at, `nothing is described at ${path}`)
  const escaped = at.replaceAll('~', '~0').replaceAll('/', '~1').replace(/[{}]/g, encodeURIComponent)
  const { responses } = description.paths[at].get
  // Refusals that it does not describe have the shape of those that it does.
  const described = String(status) in responses ? status : 404
  if (!(described in responses)) {
    assert.equal(typeof (body as { error: unknown }).error, 'string')
    return
  }
  const schema = `openapi#/paths/${escaped}/get/responses/${described}/content/application~1json/schema`
  assert.ok(ajv.validate({ $ref: schema }, body), `${path}: ${ajv.errorsText()}`)
}

/** What the registry answers to a person: its status and the body, which is as it is described. */
export async function askRegistry<Body = Listed>(person: Person, target: string, init: RequestInit = {}) {
  const response = await person.request(target, init)
  const body = (await response.json()) as Body
  assertDescribed(target.replace(/\?.*/, ''), response.status, body)
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  return { status: response.status, body, headers: response.headers }
}

export const namesOf = ({ servers }: Listed) => servers.map(({ server }) => `${server.name} ${server.version}`)
export const officialOf = ({ _meta }: Entry) => _meta['io.modelcontextprotocol.registry/official']

/** A server.json; `changes` are its fields. */
export const serverFile = (changes: object = {}) => {
  const value = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...{
      name: 'com.example/weather',
      title: 'Weather',
      description: 'Tells the weather of a place.',
      version: '1.0.0',
    },
    remotes: [{ type: 'streamable-http', url: 'https://weather.example/mcp' }],
    ...changes,
  }
  return new File([JSON.stringify(value)], 'server.json')
}

export const publishServer = (person: Person, changes: object = {}, visibility: 'private' | 'public' = 'public') =>
  person.library.publish({ kind: 'mcp-server', file: serverFile(changes), visibility })

export const nameIn = (name: string) => encodeURIComponent(name)
