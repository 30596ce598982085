// What the command line `clawhub` asks of a registry of skills, for reading: searching, listing, looking at and installing them. Its paths are below
// the address that /.well-known/clawhub.json names. Answers have the fields that it reads.
import { z } from 'zod'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Ask, AskedPath } from '../../request/endpoint.ts'
import { library as area } from '../items/area.ts'
import type { Item, ItemVersion } from '../items/item-contract.ts'

const API = '/clawhub/api/v1'
const MOST = 100

const text = z.string().default('')
const asked = z.object({ slug: text, version: text, q: text, limit: text, cursor: text })
type Input = z.infer<typeof asked>

const isThere: AskedPath['isThere'] = (config) => !partsOff(config).kinds.has('skill')

const milliseconds = (time: string) => Date.parse(time)
const versionOf = (item: Item) => ({
  version: item.version,
  createdAt: milliseconds(item.updated_at),
  changelog: '',
  license: null,
})

const skillOf = (item: Item) => ({
  ...{ slug: item.slug, displayName: item.name, summary: item.description, topics: item.tags },
  tags: { latest: item.version },
  stats: { downloads: item.downloads?.total ?? 0, stars: item.score },
  ...{ createdAt: milliseconds(item.created_at), updatedAt: milliseconds(item.updated_at) },
})

const ownerOf = ({ owner }: Item) => ({ handle: owner.username, displayName: owner.name })

/** A zip is all that it unpacks. */
function requireZip(item: Item): void {
  if (item.meta['packing'] !== 'zip') throw new Problem('not_found', 'This skill is no zip; install it another way')
}

/** `-` is the name of nothing: whether one may read is said before that. */
const find = async (ask: Ask, slug: string) => (await ask('library.find', { kind: 'skill', slug: slug || '-' })) as Item
const findVersion = async (ask: Ask, { slug, version }: Pick<Input, 'slug' | 'version'>) =>
  (await ask('library.findVersion', { kind: 'skill', slug, version })) as ItemVersion

/** What it asks for, within what a list gives. */
function pageSize({ limit }: Input): number {
  const wanted = Number(limit)
  return Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, MOST) : 20
}

async function list(ask: Ask, given: Input) {
  const { q, cursor } = given
  const wanted = { kind: 'skill', per_page: pageSize(given), ...(q && { q }), cursor }
  return (await ask('library.list', wanted)) as { items: Item[]; nextCursor?: string | null }
}

type Answer = (ask: Ask, given: Input) => ReturnType<AskedPath['answer']>

const answers: Readonly<Record<string, Answer>> = {
  '/skills': async (ask, given) => {
    const { items, nextCursor = null } = await list(ask, given)
    return { items: items.map((item) => ({ ...skillOf(item), latestVersion: versionOf(item) })), nextCursor }
  },
  '/search': async (ask, given) => {
    const { items } = await list(ask, given)
    return {
      results: items.map((item, at) => ({
        ...{ slug: item.slug, displayName: item.name, summary: item.description, version: item.version },
        ...{ ownerHandle: item.owner.username, score: items.length - at, downloads: item.downloads?.total ?? 0 },
        updatedAt: milliseconds(item.updated_at),
      })),
    }
  },
  '/skills/:slug': async (ask, { slug }) => {
    const item = await find(ask, slug)
    return { skill: skillOf(item), latestVersion: versionOf(item), owner: ownerOf(item), moderation: null }
  },
  '/skills/:slug/versions/:version': async (ask, given) => {
    const item = await find(ask, given.slug)
    const { version, created_at, changelog = '' } = await findVersion(ask, given)
    const { slug, displayName } = skillOf(item)
    return {
      version: { version, createdAt: milliseconds(created_at), changelog, license: null },
      skill: { slug, displayName },
    }
  },
  // It has hashes of its own for a folder; without a match it asks before it writes over what was changed.
  '/resolve': async (ask, { slug }) => ({ match: null, latestVersion: { version: (await find(ask, slug)).version } }),
  '/download': async (ask, { slug, version }) => {
    const item = await find(ask, slug)
    requireZip(item)
    const named = encodeURIComponent(version || item.version)
    return { location: `/api/library/skill/${encodeURIComponent(slug)}/${named}/file` }
  },
  // A token is good where it reads one's own items.
  '/whoami': async (ask) => {
    await ask('library.list', { scope: 'mine', per_page: 1 })
    return { user: { handle: null } }
  },
}

export const clawhubPaths: readonly AskedPath[] = Object.entries(answers).map(([path, answer]) => ({
  ...{ path: `${API}${path}`, area, input: asked, isThere },
  answer: (ask, given) => answer(ask, given as Input),
}))
