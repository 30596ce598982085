// Files of items by their names, and what names mean.
import type { Config } from '../../config/config.ts'
import { stateOf } from '../../content/hiding/rules.ts'
import { partsOff } from '../../contract/parts.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { KindName } from '../items/item-contract.ts'
import type { ItemRow } from '../items/queries.ts'
import { canSee } from '../items/rules.ts'
import { artifactAnswer, type DownloadCounter } from '../reading/artifact.ts'
import { getVisible, withRoles } from '../records/record.ts'
import { exactOf, type VersionChoice, wantedOf } from './choosing.ts'
import type { naming, Resolution } from './contract.ts'
import { listExact, listNamed, listNewest, type Name, type NamedItem, type NamedVersion } from './queries.ts'
import { getChosen, ItemVersions } from './versions.ts'

// What many names mean, by three statements: the items, the newest versions of each, and the exact versions. Older versions are read
// only where those do not decide.

/** So many versions of each item are read at once. */
const NEWEST = 20

interface NameRequest {
  name: string
  version?: string | undefined
}

interface ParsedName {
  name: string
  of: Name
  wanted: VersionChoice
}

type Reason = Extract<Resolution, { found: false }>['reason']

/** What each of the names means to the caller, in their order. */
async function resolveNames(
  { db, caller, config }: Pick<Context, 'db' | 'caller' | 'config'>,
  asked: readonly NameRequest[],
): Promise<Resolution[]> {
  const understood = asked.map(understand)
  const names = understood.filter((one) => typeof one !== 'string')
  const items = new Map<string, NamedItem>()
  const { kinds } = partsOff(config)
  for (const item of await withRoles(db, caller, await listNamed(db, unique(names)))) {
    if (canSee(caller, item) && !kinds.has(item.kind)) items.set(keyOf({ ...item, slug: item.asked }), item)
  }
  const wanted = names.flatMap(({ of, wanted }) => {
    const item = items.get(keyOf(of))
    return item ? [{ itemId: item.id, wanted }] : []
  })
  const choose = await chooser(db, wanted)
  return Promise.all(
    understood.map(async (one, index): Promise<Resolution> => {
      const name = asked[index]?.name ?? ''
      const not = (reason: Reason) => ({ name, found: false, reason }) as const
      if (typeof one === 'string') return not(one)
      const item = items.get(keyOf(one.of))
      if (!item) return not('not_found')
      const version = await choose(item.id, one.wanted)
      return version ? { name, ...resolved(config.baseUrl, item, version) } : not('no_version')
    }),
  )
}

/** What a name says, or what is wrong with it. */
function understand({ name, version }: NameRequest): ParsedName | Reason {
  const [, kindName, slug] = /^([^/]+)\/([^/]+)$/.exec(name.trim()) ?? []
  const kind = KindName.safeParse(kindName)
  if (!kind.success || slug === undefined) return 'invalid_name'
  const wanted = wantedOf(version)
  return wanted ? { name, of: { kind: kind.data, slug }, wanted } : 'invalid_version'
}

const keyOf = ({ kind, slug }: Name) => `${kind}/${slug}`

const unique = (names: readonly ParsedName[]): Name[] => [...new Map(names.map(({ of }) => [keyOf(of), of])).values()]

/** Chooses among the versions of these items. */
async function chooser(db: Context['db'], all: readonly { itemId: string; wanted: VersionChoice }[]) {
  const exact = all.flatMap(({ itemId, wanted }) => {
    const precedence = exactOf(wanted)
    return precedence === undefined ? [] : [{ itemId, precedence }]
  })
  const others = [...new Set(all.flatMap(({ itemId, wanted }) => (exactOf(wanted) === undefined ? [itemId] : [])))]
  const newest = others.length > 0 ? await listNewest(db, others, NEWEST) : []
  const byItem = Map.groupBy(newest, ({ itemId }) => itemId)
  const lists = new Map(others.map((itemId) => [itemId, new ItemVersions(db, itemId, byItem.get(itemId))]))
  const exactly = exact.length > 0 ? await listExact(db, exact) : []
  const found = new Map(exactly.map((one) => [`${one.itemId} ${one.precedence}`, one]))
  return async (itemId: string, wanted: VersionChoice): Promise<NamedVersion | undefined> => {
    const precedence = exactOf(wanted)
    return precedence === undefined ? lists.get(itemId)?.choose(wanted) : found.get(`${itemId} ${precedence}`)
  }
}

const fileUrl = (baseUrl: string, { kind, slug }: Name, version: string): string =>
  `${baseUrl}/api/library/${kind}/${slug}/${encodeURIComponent(version)}/file`

function resolved(baseUrl: string, item: NamedItem, { version, sha256, size, yankedAt }: NamedVersion) {
  const { id, kind, slug, deprecation, successor } = item
  const file_url = fileUrl(baseUrl, item, version)
  return {
    ...({ found: true, id, kind, slug, version, sha256, size, file_url, yanked: yankedAt !== null } as const),
    ...(deprecation !== null && { deprecated: { message: deprecation, successor } }),
  }
}

export const namingHandlers = (given: DownloadCounter): Handlers<typeof naming> => ({
  async file(context, { kind, slug, version: asked, redirect }) {
    if (!context.config.publicDownloads) context.requireCaller()
    const item = await getVisible(context, { kind, slug })
    const { choice, version } = await getChosen(context.db, item.id, { field: 'version', asked })
    const answer = await artifactAnswer({ ...context, ...given }, item, { ...version, redirect })
    const caching = { 'Cache-Control': cacheControl(context.config, item, choice) }
    return { ...answer, headers: { ...answer.headers, ...caching } }
  },

  async resolve(context, { items }) {
    return { items: await resolveNames(context, items) }
  },
})

/** What everybody sees may be cached by everyone; the file of an exact version never changes (RFC 8246). */
function cacheControl({ publicDownloads }: Config, item: ItemRow, wanted: VersionChoice): string {
  const isOpen = publicDownloads && item.visibility !== 'private' && stateOf(item) === undefined
  const isLasting = isOpen && exactOf(wanted) !== undefined
  return `${isOpen ? 'public' : 'private'}, ${isLasting ? 'max-age=31536000, immutable' : 'no-cache'}, no-transform`
}
