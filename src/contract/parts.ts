// The parts that an operator can turn off (PARTS_OFF), in one place: by name, what each is made of. Everything else asks `partsOff`. What is
// off answers as if it had never been there; nothing of it is deleted. Accounts, members, the feed, the search and notifications stay.
import { factsOf, type ItemList, itemKinds, listNameOf } from './item-kinds.ts'

interface Part {
  /** The contracts of its operations, or single operations (`features.roadmap`), by their names in src/api.ts. */
  operations: readonly string[]
  /** Its pages, with all below them and their feeds. */
  pages: readonly string[]
  /** What the feed, the search, comments and notifications call its things. */
  kinds: readonly string[]
  /** It is off as well where all of these are. */
  of?: readonly string[]
}

/** Every kind of the library is a part; the gallery makes more of one. */
const itemLists = itemKinds.map(listNameOf)
const ofItems: Record<string, Part> = Object.fromEntries(
  itemKinds
    .filter((kind) => !factsOf(kind).gallery)
    .map((kind) => [listNameOf(kind), { operations: [], pages: [`/library/${listNameOf(kind)}`], kinds: [kind] }]),
)

export const parts = {
  posts: { operations: ['posts'], pages: ['/community/posts'], kinds: ['post'] },
  bugs: { operations: ['bugs'], pages: ['/community/bugs'], kinds: ['bug'] },
  features: { operations: ['features'], pages: ['/community/features'], kinds: ['feature'] },
  roadmap: {
    operations: ['features.roadmap'],
    pages: ['/community/roadmap', '/calendar/roadmap'],
    kinds: [],
    of: ['features'],
  },
  changelog: {
    operations: ['changelog'],
    pages: ['/community/changelog', '/changelog', '/calendar/releases'],
    kinds: ['release'],
  },
  blog: { operations: ['blog'], pages: ['/blog'], kinds: ['blog'] },
  orgs: {
    operations: ['orgs', 'orgImages', 'orgRuns'],
    pages: ['/community/orgs', '/library/orgs'],
    kinds: ['org', 'run'],
  },
  ...(ofItems as Record<Exclude<ItemList, 'orgs'>, Part>),
  teams: {
    operations: ['teams'],
    pages: ['/teams', '/settings/teams'],
    kinds: ['team'],
    of: itemLists,
  },
  statements: {
    operations: ['transparency', 'publisherKeys'],
    pages: [],
    kinds: [],
    of: itemLists,
  },
} as const satisfies Record<string, Part>

export type PartName = keyof typeof parts
export const partNames = Object.keys(parts) as PartName[]

/** Parts that this build leaves out, as their features and contracts were removed from src/features.ts and src/api.ts. */
const leftOut: readonly string[] = []

/** The library is no part by itself: it is gone when all that it can hold is. */
const library: Part = {
  operations: ['library', 'itemImports', 'itemWebhooks', 'trustedPublishers'],
  pages: ['/library', '/settings/webhooks'],
  kinds: ['item', 'tag'],
  of: itemLists,
}

/** What is off, as it is asked about. */
export interface PartsOff {
  /** The same text for the same parts; '' for none. */
  key: string
  /** As the setting names them. */
  given: readonly PartName[]
  names: ReadonlySet<string>
  kinds: ReadonlySet<string>
  /** Where its pages begin. */
  pages: readonly string[]
  /** Its contracts and single operations, by name. */
  operations: readonly string[]
  /** By the name of an operation: `bugs.create`. */
  hasOperation(name: string): boolean
  /** By the path of a page or a feed, also with a query or a fragment. */
  hasPage(path: string): boolean
  /** By the name of an event of webhooks: `bug.created`. */
  hasEvent(name: string): boolean
}

const all: readonly (readonly [string, Part])[] = [...Object.entries(parts), ['library', library]]

const isAt = (path: string) => (page: string) =>
  path.startsWith(page) && ['', '/', '.', '?', '#'].includes(path.charAt(page.length))

const beforeDot = (name: string) => name.split('.', 1)[0] ?? name

function resolve(names: readonly PartName[]): PartsOff {
  const given = new Set<string>([...names, ...leftOut])
  const off = all.filter(([name, { of }]) => given.has(name) || of?.every((one) => given.has(one)))
  const some = off.map(([, part]) => part)
  const kinds = new Set<string>(some.flatMap((part) => part.kinds))
  const operations = new Set(some.flatMap((part) => part.operations))
  // The reference has a page for each contract.
  const pages = some.flatMap((part) => [...part.pages, ...part.operations.map((name) => `/docs/reference/${name}`)])
  return {
    key: off.map(([name]) => name).join(),
    given: names,
    names: new Set(off.map(([name]) => name)),
    kinds,
    pages,
    operations: [...operations],
    hasOperation: (name) => operations.size > 0 && (operations.has(name) || operations.has(beforeDot(name))),
    hasPage: (path) => pages.some(isAt(path)),
    hasEvent: (name) => name.includes('.') && kinds.has(beforeDot(name)),
  }
}

/** Contracts of what an operator sets up by its address: without it they are left out of descriptions, and calls of them are 404. */
const services = ['assistant'] as const

/** By what is off without it. */
const withoutServices = new WeakMap<PartsOff, PartsOff>()

/** What is off, with what the operator did not set up: for what says which operations there are. */
export function operationsOff(config: { partsOff: readonly PartName[]; ai: object | undefined }): PartsOff {
  const off = partsOff(config)
  if (config.ai) return off
  let more = withoutServices.get(off)
  if (!more) {
    const names = new Set<string>(services)
    const pages = services.map((name) => `/docs/reference/${name}`)
    more = {
      ...off,
      key: [off.key, ...services].filter(Boolean).join(),
      pages: [...off.pages, ...pages],
      operations: [...off.operations, ...services],
      hasOperation: (name) => names.has(beforeDot(name)) || off.hasOperation(name),
      hasPage: (path) => off.hasPage(path) || pages.some(isAt(path)),
    }
    withoutServices.set(off, more)
  }
  return more
}

/** By the list of the setting, which is another one after a change and is never changed itself. */
const known = new WeakMap<readonly PartName[], PartsOff>()

/** What is off by a setting: read at each use, for it can change while the server runs. */
export function partsOff({ partsOff: names }: { partsOff: readonly PartName[] }): PartsOff {
  let found = known.get(names)
  if (!found) {
    found = resolve(names)
    known.set(names, found)
  }
  return found
}
