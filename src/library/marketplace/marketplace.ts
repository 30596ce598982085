// The library as a marketplace of plugins for agents: one commit with the best of what everybody sees. It is looked up for each request what that
// is, and made again when it is another: so what is hidden is gone with the next request.
import { createHash } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import { listNameOf } from '../../contract/item-kinds.ts'
import type { Repository } from '../../formats/git/upload-pack.ts'
import type { ReadContext } from '../../request/endpoint.ts'
import { BlobError, withArtifactFile } from '../../storage/blobs.ts'
import { GivenUp, inThread, jobOf } from '../../workers/workers.ts'
import { kindsOn, MAX_ITEMS, marketplaceName, type PluginSize, pluginName, Room, shortened } from './bounds.ts'
import { type LeftOut, type PlacedPlugin, repositoryOf } from './commit.ts'
import type { makePlugin, Plugin, PluginFacts } from './plugin.ts'
import { listBest, type PluginRow } from './queries.ts'

const MAX_MILLISECONDS = 10_000
const job = jobOf<typeof makePlugin>(import.meta.resolve('./plugin.ts'), 'makePlugin', MAX_MILLISECONDS)

interface Candidate {
  facts: PluginFacts
  row: PluginRow
  /** Of the file and the facts. */
  key: string
}

/** A plugin, or only how large it is, where there was no room for it; or why there is none. */
type PluginResult = Plugin | PluginSize | { left: string }

/** What was made of the items that were wanted last, by their keys. */
let plugins: ReadonlyMap<string, PluginResult> = new Map()
let latest: { key: string; made: Promise<Repository> } | undefined

/** The repository as it is now. Who asks for the same at the same time gets the same. */
export async function marketplaceOf(context: ReadContext): Promise<Repository> {
  const wanted = await wantedNow(context)
  const { name, baseUrl } = context.config
  const ids = wanted.map(({ key, row }) => `${key} ${row.createdAt}`)
  const key = hashOf([name, baseUrl, ...ids])
  if (latest?.key !== key) {
    const made = make(context, wanted)
    latest = { key, made }
    made.catch(() => {
      if (latest?.made === made) latest = undefined
    })
  }
  return latest.made
}

/** What is said of plugins alone, without their files: by name. */
export async function listedPlugins(context: ReadContext): Promise<readonly { facts: PluginFacts }[]> {
  return placedIn.get(await marketplaceOf(context)) ?? []
}

/** What is in a repository that was made here. */
const placedIn = new WeakMap<Repository, readonly PlacedPlugin[]>()

/** The best of all kinds together. */
async function wantedNow({ db, config }: ReadContext): Promise<Candidate[]> {
  const rows: PluginRow[] = []
  for (const kind of kindsOn(config)) rows.push(...(await listBest(db, kind, MAX_ITEMS)))
  rows.sort(
    (one, other) => other.rank - one.rank || compare(other.updatedAt, one.updatedAt) || compare(other.id, one.id),
  )
  return rows.slice(0, MAX_ITEMS).map((row) => {
    const facts = factsOf(row, config)
    return { row, facts, key: hashOf([row.kind, row.sha256, JSON.stringify(facts)]) }
  })
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

const hashOf = (parts: readonly string[]) => createHash('sha256').update(parts.join('\n')).digest('hex')

function factsOf(row: PluginRow, { baseUrl }: Pick<Config, 'baseUrl'>): PluginFacts {
  const { kind, slug, name, version, license, deprecation } = row
  const said = row.description.trim() || name
  return {
    ...{ name: pluginName(row), title: name, version, license },
    description: shortened(deprecation === null ? said : `Deprecated. ${said}`),
    author: row.teamName || row.ownerName || 'Unknown',
    homepage: `${baseUrl}/library/${listNameOf(kind)}/${encodeURIComponent(slug)}`,
  }
}

const NO_ROOM = { left: 'there is no room left' }

/** One after another, so that no more than fits is in memory at a time. */
async function make(context: ReadContext, wanted: readonly Candidate[]): Promise<Repository> {
  const { name, baseUrl } = context.config
  const kept = new Map<string, PluginResult>()
  const room = new Room()
  const placed: PlacedPlugin[] = []
  const left: LeftOut[] = []
  for (const one of wanted) {
    const made = await madeOf(context, one)
    const fits = 'files' in made && room.take(made)
    // What could not come in before has its room now.
    const plugin = fits && !('tree' in made) ? await read(context, one) : made
    const { facts, row } = one
    if (fits && 'tree' in plugin) placed.push({ ...plugin, facts, publishedAt: Date.parse(row.createdAt) })
    else left.push({ facts, reason: 'left' in plugin ? plugin.left : NO_ROOM.left })
    kept.set(one.key, fits || 'left' in plugin ? plugin : { files: plugin.files, bytes: plugin.bytes })
  }
  plugins = kept
  const owner = { name: marketplaceName(baseUrl), owner: name, host: new URL(baseUrl).hostname }
  const repository = repositoryOf({ ...owner, placed: placed.sort(byName), left: left.sort(byName) })
  placedIn.set(repository, placed)
  return repository
}

const byName = (one: { facts: PluginFacts }, other: { facts: PluginFacts }) => compare(one.facts.name, other.facts.name)

const madeOf = async (context: ReadContext, one: Candidate): Promise<PluginResult> =>
  plugins.get(one.key) ?? (await read(context, one))

async function read({ blobs }: ReadContext, { row, facts }: Candidate): Promise<Plugin | { left: string }> {
  const { kind } = row
  try {
    return await withArtifactFile(blobs, row, (path) => inThread(job, { kind, path, facts }, 'marketplace'))
  } catch (error) {
    const isOfFile = error instanceof GivenUp || (error instanceof BlobError && error.code === 'corrupt')
    if (!isOfFile) throw error
    return { left: 'cannot be read' }
  }
}
