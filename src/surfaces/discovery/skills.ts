// Skills of the library as installers find them (agentskills.io, discovery 0.2.0): `npx skills add <address>` asks for an index below the address, for
// the whole server, the library, a member, a team and an item. Each is made of the operations that the API has. Below the secret address of an
// account are the same, read as that account reads, with their files.
import { createHash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import type { Config } from '../../config/config.ts'
import type { Area } from '../../contract/operation.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { requireSkillKey } from '../../core/authorize.ts'
import { isPrivate } from '../../core/readers.ts'
import { ApiError } from '../client.ts'
import { mountReport, notFoundAnswer, tagged, taggedAnswer } from '../http/document.ts'
import type { Env } from '../http/pipeline.ts'
import { openHeaders, refusal } from '../http/response.ts'
import { PageCalls, type SiteCore } from '../site/calls.ts'
import { skillWords } from './words.ts'

// The index of skills that can be installed from one place, and which items are in it.

/** Of a description, in UTF-16 units: installers leave out an entry with more. */
const MAX_DESCRIPTION = 1024
/** What a skill may be called (agentskills.io/specification). */
const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/

/** The name of the skill of the instance itself. */
export const OWN_SKILL = 'guildhall'

interface IndexedSkill {
  /** The name of the folder that it is put into. */
  name: string
  type: 'skill-md' | 'archive'
  description: string
  url: string
  /** `sha256:` and the hash of what is at the address, in hex. */
  digest: string
}

/** An item as far as an index needs it. */
interface IndexedItem {
  kind: string
  slug: string
  name: string
  description: string
  version: string
  sha256: string
  meta: Readonly<Record<string, unknown>>
  yanked?: true | undefined
  state?: unknown
}

interface SkillItems {
  items: readonly IndexedItem[]
  /** The item is asked for alone: it has its own name. */
  isOne?: true
}

const skillIndex = (skills: readonly IndexedSkill[]) => ({
  $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
  skills,
})

/** The skill of the instance itself. */
const ownSkill = (config: Pick<Config, 'baseUrl' | 'name' | 'partsOff'>, text: string): IndexedSkill => ({
  name: OWN_SKILL,
  type: 'skill-md',
  description: skillWords(config),
  url: `${config.baseUrl}/.well-known/agent-skills/${OWN_SKILL}/SKILL.md`,
  digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
})

/**
 * The items that can be installed, with files below an address. Names are slugs: two skills may have the same name, and would be put into the same
 * folder. Left out are hidden and yanked ones, and archives with a folder around everything, which installers refuse.
 */
function entriesOf({ items, isOne }: SkillItems, files: string): IndexedSkill[] {
  return items.flatMap(({ kind, slug, name, description, version, sha256, meta, yanked, state }) => {
    const called = isOne ? String(meta['skill_name']) : slug
    const isLeft = kind !== 'skill' || yanked || state !== undefined || meta['folder'] !== undefined
    if (isLeft || !NAME.test(called)) return []
    return {
      ...{ name: called, type: 'archive' as const, description: shortened(description.trim() || name) },
      url: `${files}/library/skill/${slug}/${encodeURIComponent(version)}/file`,
      digest: `sha256:${sha256}`,
    }
  })
}

const shortened = (text: string) =>
  text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION - 1).toWellFormed()}…` : text

const guides = () => import('./guides.ts')

/** An installer fetches every file of an index at once; skills beyond are reached by their own addresses. */
export const MAX_INDEXED = 100

const JSON_TYPE = 'application/json; charset=utf-8'
const INDEX = '/.well-known/agent-skills/index.json'
/** Nothing of a secret address is kept by a proxy, or told to another place. */
const SECRETLY = { 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer' }

type Client = ReturnType<PageCalls['client']>

/** A build may leave teams out. */
type WithTeams = Pick<Client, 'library'> & { teams?: { get(input: { slug: string }): Promise<unknown> } }

/** Where skills are, and which; undefined where there is no such place. */
interface Place {
  path: string
  find(client: Client, names: Readonly<Record<string, string>>): Promise<SkillItems | undefined>
}

const all = { kind: 'skill', per_page: MAX_INDEXED } as const

const library: Place['find'] = (client) => client.library.list({ ...all, sort: 'best' })

const places: readonly Place[] = [
  { path: '/library', find: library },
  { path: '/library/skills', find: library },
  {
    path: '/library/skills/:slug',
    find: async (client, { slug = '' }) => ({
      items: [await client.library.find({ kind: 'skill', slug })],
      isOne: true,
    }),
  },
  {
    path: '/community/u/:username',
    async find(client, { username = '' }) {
      const { items } = await client.members.cards({ usernames: username })
      return items.length === 0 ? undefined : client.library.list({ ...all, owner: username })
    },
  },
  {
    path: '/teams/:slug',
    async find(client: WithTeams, { slug = '' }) {
      if (!client.teams) return undefined
      await client.teams.get({ slug })
      return client.library.list({ ...all, team: slug })
    },
  },
]

/** What an account owns, private items among it. */
const own: Place = { path: '', find: (client) => client.library.list({ ...all, scope: 'mine' }) }

interface SkillsOptions extends SiteCore {
  /** Of the library. */
  area: Area
}

export function mountSkills(app: Hono<Env>, calling: SkillsOptions): void {
  const { config } = calling.core.dependencies
  const { baseUrl } = config
  // Installers send no credential: where files need one, an open index would list what they cannot have.
  const isOpen = () => !isPrivate(config) && config.publicDownloads
  const openly = (path: string, serve: (c: Context<Env>) => Promise<Response>) =>
    mountReport(app, path, (c) => answering(c, calling, () => serve(c)))
  openly(INDEX, async (c) => {
    const mine = ownSkill(config, (await guides()).skillText(config))
    const there = isOpen() ? entriesOf(await unlessOff(() => library(clientOf(c, calling), {})), `${baseUrl}/api`) : []
    const others = there.filter(({ name }) => name !== OWN_SKILL)
    return indexAnswer(c, [mine, ...others.slice(0, MAX_INDEXED - 1)])
  })
  for (const { path, find } of places) {
    openly(path + INDEX, async (c) => {
      if (!isOpen()) throw new Problem('unauthorized', 'Add skills by the secret address in your settings')
      return indexIn(c, calling, { find, files: `${baseUrl}/api` })
    })
  }
  const secretly = (path: string, serve: (c: Context<Env>, key: string) => Promise<Response>) =>
    mountReport(app, `/skills/:key${path}`, async (c) => {
      const key = c.req.param('key') ?? ''
      const answer = await answering(c, calling, async () => {
        await requireSkillKey(calling.core, key, calling)
        return serve(c, key)
      })
      for (const [name, value] of Object.entries(SECRETLY)) answer.headers.set(name, value)
      return answer
    })
  for (const { path, find } of [own, ...places]) {
    secretly(path + INDEX, (c, key) => indexIn(c, calling, { find, files: `${baseUrl}/skills/${key}`, key }))
  }
  secretly('/library/skill/:slug/:version/file', async (c, key) => {
    const { slug = '', version = '' } = c.req.param()
    const file = await clientOf(c, calling, key).library.file({ kind: 'skill', slug, version })
    return new Response(file.body, { headers: { ...Object.fromEntries(file.headers), ...openHeaders } })
  })
}

function clientOf(c: Context<Env>, calling: SiteCore, skillKey?: string): Client {
  const { requestId, address = '' } = c.env
  return new PageCalls(calling, { requestId, address, ...(skillKey !== undefined && { skillKey }) }).client(() => {})
}

interface IndexOptions extends Pick<Place, 'find'> {
  /** Where files are, below. */
  files: string
  key?: string
}

async function indexIn(c: Context<Env>, calling: SiteCore, { find, files, key }: IndexOptions): Promise<Response> {
  if (partsOff(calling.core.dependencies.config).kinds.has('skill')) return notFoundAnswer(c.env.requestId)
  const found = await find(clientOf(c, calling, key), c.req.param())
  const entries = found && entriesOf(found, files)
  // An item that cannot be installed has no index.
  if (!entries || (found.isOne && entries.length === 0)) return notFoundAnswer(c.env.requestId)
  return indexAnswer(c, entries)
}

const indexAnswer = (c: Context<Env>, skills: readonly IndexedSkill[]) =>
  taggedAnswer(c, JSON_TYPE, tagged(JSON.stringify(skillIndex(skills))))

/** Nothing where the library is off. */
async function unlessOff(read: () => Promise<SkillItems | undefined>): Promise<SkillItems> {
  try {
    return (await read()) ?? { items: [] }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { items: [] }
    throw error
  }
}

/** An answer, or the refusal of what it is made of. */
async function answering(c: Context<Env>, options: SkillsOptions, make: () => Promise<Response>): Promise<Response> {
  try {
    return await make()
  } catch (error) {
    const refused = error instanceof ApiError || error instanceof Problem ? refusedBy(error, options) : undefined
    if (!refused) throw error
    if (refused.status === 404) return notFoundAnswer(c.env.requestId)
    const headers = { ...openHeaders, ...refused.headers, 'Cache-Control': 'no-store', 'X-Request-Id': c.env.requestId }
    return Response.json(refused.body, { status: refused.status, headers })
  }
}

function refusedBy(error: ApiError | Problem, { area, core }: SkillsOptions) {
  if (error instanceof ApiError) {
    const { status, body, headers } = error
    return { status, body, headers: Object.fromEntries(headers) }
  }
  return refusal(error, { access: { area, credential: 'required' } }, core.dependencies.config.baseUrl)
}
