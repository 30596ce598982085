// Skills over MCP (the Skills extension, SEP-2640): those of the library and that of the server, listed with the hash of each file, and their files as
// resources. They are read by the operations of the API, so the caller sees what it sees there. Files come as they are, without marks of data: their
// hash is of their bytes.
import { createHash } from 'node:crypto'
import { ProtocolError, ProtocolErrorCode, type ReadResourceResult, type Server } from '@modelcontextprotocol/server'
import {
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
  type Skill,
} from '@modelcontextprotocol/server/ext/skills'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import type { Core } from '../../core/call-request.ts'
import { skillText } from '../discovery/guides.ts'
import { OWN_SKILL } from '../discovery/skills.ts'
import { callOperation, type Exchange, recordIn } from './call.ts'
import type { Toolbox } from './toolbox.ts'
import { isRecord } from './tools.ts'
import { UNTRUSTED } from './untrusted.ts'

/** Each is read with what it holds. */
const PAGE = 20
const SKILL_FILE = 'SKILL.md'
const OWN_URI = `skill://${OWN_SKILL}/${SKILL_FILE}`
const LIBRARY = 'skill://library/'
/** The slug is an item's alone, and the name is what its SKILL.md says: it comes last, as the extension wants it. */
const FORM = /^skill:\/\/library\/([^/?#]+)\/([a-z0-9-]+)\/([^?#]+)$/

export const skillsCapability = { [SKILLS_EXTENSION_ID]: {} }

export const skillTemplate = {
  name: 'Skill file (slug, name, path)',
  title: 'Skill file',
  description: 'A file of a skill of the library. Written by members: data, until its user trusts the skill.',
  uriTemplate: `${LIBRARY}{slug}/{name}/{+path}`,
}

/** The operations that skills are read by, by their names: those of a list, of the files of an item, and of a file. */
export interface SkillOperations {
  list: string
  contents: string
  file: string
}

interface SkillOptions {
  skills: SkillOperations
  toolbox: Pick<Toolbox, 'operation'>
  core: Core
  exchange: Exchange
}

/** What a list says may change with the next version, and depends on who asks. */
const FRESH = { ttlMs: 60_000, cacheScope: 'private' } as const

/** Made once: a server is made for every request. */
const listParams = z.looseObject({ cursor: z.string().max(1_000).optional() })
const getParams = z.looseObject({ uri: z.string() })

/** Adds the methods of the extension to a server. */
export function addSkills(server: Server, options: SkillOptions, era: 'legacy' | 'modern'): void {
  const caching = era === 'modern' ? FRESH : {}
  server.setRequestHandler(SKILLS_LIST_METHOD, { params: listParams }, async ({ cursor }) => ({
    ...(await pageOf(cursor, options)),
    ...caching,
  }))
  server.setRequestHandler(SKILLS_GET_METHOD, { params: getParams }, async ({ uri }) => {
    const place = placeOf(uri)
    const skill = uri === OWN_URI ? ownEntry(options.core.dependencies.config) : await skillAt(place, options)
    if (!skill || skill.uri !== uri)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no skill at ${uri}`)
    return { skill, ...caching }
  })
}

/** A file of a skill; undefined where there is none. */
export async function readSkillFile(uri: string, options: SkillOptions): Promise<ReadResourceResult | undefined> {
  if (uri === OWN_URI) {
    return { contents: [{ uri, mimeType: 'text/markdown', text: skillText(options.core.dependencies.config) }] }
  }
  const place = placeOf(uri)
  const skill = await skillAt(place, options)
  if (!place || !Array.isArray(skill?.resources) || !skill.resources.some((one) => one.uri === uri)) return undefined
  const { slug, path } = place
  const file = await called(options.skills.file, { kind: 'skill', slug, path, encoding: 'base64' }, options)
  if (typeof file?.['base64'] !== 'string') return undefined
  return { contents: [{ uri, mimeType: mimeTypeOf(path), ...contentOf(file['base64']), _meta: UNTRUSTED }] }
}

/** The server's own skill is on the first page. */
async function pageOf(cursor: string | undefined, options: SkillOptions) {
  const asked = { kind: 'skill', sort: 'best', per_page: PAGE, cursor: cursor ?? '' }
  const list = await called(options.skills.list, asked, options)
  const skills = cursor === undefined ? [ownEntry(options.core.dependencies.config)] : []
  for (const item of Array.isArray(list?.['items']) ? list['items'] : []) {
    const { slug, meta, yanked } = item
    const name = isRecord(meta) ? String(meta['skill_name']) : ''
    const skill = yanked ? undefined : await skillAt({ slug: String(slug), name }, options)
    if (skill) skills.push(skill)
  }
  const next = list?.['nextCursor']
  return { skills, ...(typeof next === 'string' && { nextCursor: next }) }
}

interface SkillPlace {
  slug: string
  name: string
}

/** A skill of the library as hosts check it; undefined where there is none that they can. */
async function skillAt(place: SkillPlace | undefined, options: SkillOptions): Promise<Skill | undefined> {
  if (!place) return undefined
  const { slug, name } = place
  const contents = await called(options.skills.contents, { kind: 'skill', slug }, options)
  const { frontmatter, files } = contents ?? {}
  if (!isRecord(frontmatter) || frontmatter['name'] !== name || !Array.isArray(files)) return undefined
  const root = `${LIBRARY}${slug}/${name}/`
  const resources = files.map(({ path, size, sha256 }) => ({
    uri: root + String(path).split('/').map(encodeURIComponent).join('/'),
    ...{ digest: `sha256:${sha256}`, size: Number(size) },
  }))
  return { uri: root + SKILL_FILE, frontmatter: frontmatter as Skill['frontmatter'], resources }
}

function ownEntry(config: Config): Skill {
  const text = skillText(config)
  const [, yaml = ''] = /^---\n(.*?)\n---\n/s.exec(text) ?? []
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`
  return {
    ...{ uri: OWN_URI, frontmatter: parse(yaml) as Skill['frontmatter'] },
    resources: [{ uri: OWN_URI, digest, size: Buffer.byteLength(text) }],
  }
}

/** What an operation gives; undefined where it refuses, or is off. A token that it lacks is asked for in place of the answer. */
async function called(name: string, input: Record<string, unknown>, { toolbox, core, exchange }: SkillOptions) {
  const bound = toolbox.operation(name)
  if (!bound) return undefined
  const outcome = await callOperation({ bound, input }, { core, caller: exchange.caller })
  if ('refused' in outcome) exchange.challenge ??= outcome.refused.challenge
  return recordIn(outcome)
}

function placeOf(uri: string): (SkillPlace & { path: string }) | undefined {
  const [, slug, name, path] = FORM.exec(uri) ?? []
  if (slug === undefined || name === undefined || path === undefined) return undefined
  try {
    return { slug, name, path: path.split('/').map(decodeURIComponent).join('/') }
  } catch {
    return undefined
  }
}

/** Text where that says the same bytes. */
function contentOf(base64: string): { text: string } | { blob: string } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, 'base64'))
    return text.includes('\0') ? { blob: base64 } : { text }
  } catch {
    return { blob: base64 }
  }
}

const types: Readonly<Record<string, string>> = {
  ...{ md: 'text/markdown', json: 'application/json', html: 'text/html', css: 'text/css', csv: 'text/csv' },
  ...{ png: 'image/png', jpg: 'image/jpeg', svg: 'image/svg+xml', pdf: 'application/pdf' },
  ...{ txt: 'text/plain', py: 'text/x-python', sh: 'application/x-sh', js: 'text/javascript', ts: 'text/x-typescript' },
  ...{ yaml: 'application/yaml', yml: 'application/yaml', toml: 'application/toml', xml: 'application/xml' },
}

const mimeTypeOf = (path: string) => types[/\.(\w+)$/.exec(path)?.[1] ?? ''] ?? 'application/octet-stream'
