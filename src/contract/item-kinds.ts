// The library's list of kinds of items, and what is true of each wherever it is named: in contracts, in the database, on pages, in the command
// line. How a file of a kind is read is in src/formats/kinds/<kind>. Without imports, so that the scripts of pages can have it.

interface ItemKindFacts {
  /** Where it is listed: by the contract with clients, or beside it, for those who ask for the kind or for all. */
  list: 'contract' | 'beside'
  /** What one is called, with its article. */
  one: string
  /** A name in site/src/lib/ui/icons.ts. */
  icon: string
  /** The end of the name of its file. */
  ending: string
  /** How else it can be packed, as `meta.packing` says: the end of the name, and the content type. */
  otherPacking?: Readonly<Record<string, string>>
  contentType: string
  /** An archive: it is listed and read file by file, in a thread. Another file is itself all there is. */
  archive: boolean
  /** Of its file; a larger one is refused before it is read. */
  maxBytes: number
  /** Up to here the worst file takes some 10 ms, so it is read at once. The size of an archive does not tell what it unpacks to. */
  bytesAtOnce?: number
  /** What is in every one: a file at the root of its folder, or a list of its JSON. */
  marks: { file: string } | { list: string; or?: string }
  /** The key of `meta` with the name that its file has for itself: the slug is made of it, and a version of another name is refused. */
  namedBy?: string
  /** The name is unique here, and belongs to who published it first: no other account can take it, and it is never renamed. */
  ownName?: true
  /** Its file is called so, with the version, and not by the slug. */
  fileNamedSo?: true
  /** The gallery has some too. */
  gallery?: true
  /** What is drawn of it. */
  drawn?: 'graph' | 'chart'
  /** It can have automations inside, which are looked into as well. */
  carriesPackages?: true
  /** What schema.org calls it, and what it is for or written in there. */
  schemaOrg: { type: 'SoftwareApplication' | 'SoftwareSourceCode'; is: string }
}

const KIB = 1024
const MIB = 1024 * KIB

/** In the order in which lists show them. The sizes are those of interface.md, section 8. */
export const itemKindFacts = {
  workflow: {
    ...{ list: 'contract', one: 'a workflow', icon: 'workflow', marks: { list: 'nodes' }, drawn: 'graph' },
    ...{ ending: 'json', contentType: 'application/json', archive: false, maxBytes: 20 * MIB, bytesAtOnce: 64 * KIB },
    ...{ carriesPackages: true, schemaOrg: { type: 'SoftwareSourceCode', is: 'JSON' } },
  },
  automation: {
    ...{ list: 'contract', one: 'an automation', icon: 'automation', marks: { file: 'automation.json' } },
    ...{ ending: 'mpkg', contentType: 'application/zip', archive: true, maxBytes: 20 * MIB },
    ...{ namedBy: 'automation_id', fileNamedSo: true },
    schemaOrg: { type: 'SoftwareApplication', is: 'BrowserApplication' },
  },
  org: {
    ...{ list: 'contract', one: 'an org', icon: 'org', marks: { list: 'roles' }, gallery: true, drawn: 'chart' },
    ...{ ending: 'json', contentType: 'application/json', archive: false, maxBytes: 500_000, bytesAtOnce: 8 * KIB },
    schemaOrg: { type: 'SoftwareSourceCode', is: 'JSON' },
  },
  skill: {
    ...{ list: 'beside', one: 'a skill', icon: 'skill', marks: { file: 'SKILL.md' } },
    ...{ ending: 'zip', contentType: 'application/zip', archive: true, maxBytes: 20 * MIB },
    ...{ otherPacking: { 'tar.gz': 'application/gzip' }, namedBy: 'skill_name' },
    schemaOrg: { type: 'SoftwareSourceCode', is: 'Markdown' },
  },
  'mcp-server': {
    ...{ list: 'beside', one: 'an MCP server', icon: 'server', marks: { list: 'remotes', or: 'packages' } },
    ...{ ending: 'json', contentType: 'application/json', archive: false, maxBytes: MIB, bytesAtOnce: 16 * KIB },
    ...{
      namedBy: 'server_name',
      ownName: true,
      schemaOrg: { type: 'SoftwareApplication', is: 'DeveloperApplication' },
    },
  },
} as const satisfies Record<string, ItemKindFacts>

export type ItemKind = keyof typeof itemKindFacts
export type ItemList = `${ItemKind}s`

export const itemKinds = Object.keys(itemKindFacts) as [ItemKind, ...ItemKind[]]

/** Those that the contract with clients lists, and those beside it. */
export const contractKinds = itemKinds.filter((kind) => factsOf(kind).list === 'contract')
export const besideKinds = itemKinds.filter((kind) => factsOf(kind).list === 'beside')

/** What is true of a kind. */
export function factsOf(kind: ItemKind): ItemKindFacts {
  return itemKindFacts[kind]
}

/** The name of a list of a kind: in addresses of pages, in folders, as a part that can be turned off. */
export const listNameOf = <Kind extends ItemKind>(kind: Kind): `${Kind}s` => `${kind}s`

/** Many of a kind, in a sentence: `workflows`, `MCP servers`. */
export const manyOf = (kind: ItemKind): string => `${factsOf(kind).one.replace(/^an? /, '')}s`

/** As a sentence names them: `workflow, automation or org`. */
export const kindsInWords = (kinds: readonly ItemKind[]): string =>
  kinds.length < 2 ? kinds.join('') : `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`

/** How the file of a version ends and what type it has: another one for another packing. */
export function packingOf(kind: ItemKind, meta: Record<string, unknown>): { ending: string; contentType: string } {
  const { ending, contentType, otherPacking = {} } = factsOf(kind)
  const packing = String(meta['packing'])
  return Object.hasOwn(otherPacking, packing)
    ? { ending: packing, contentType: otherPacking[packing] ?? contentType }
    : { ending, contentType }
}

/** Every end of the name of a file of a kind, with its dot: `.zip`, `.tar.gz`. */
export function endingsOf(kind: ItemKind): string[] {
  const { ending, otherPacking = {} } = factsOf(kind)
  return [ending, ...Object.keys(otherPacking)].map((one) => `.${one}`)
}

/** What a form takes as a file of these kinds: the `accept` of HTML. The last part of `.tar.gz` is what browsers look at. */
export function acceptOf(kinds: readonly ItemKind[]): string {
  const all = kinds.flatMap((kind) => {
    const { contentType, otherPacking = {} } = factsOf(kind)
    return [
      ...endingsOf(kind).map((one) => one.slice(one.lastIndexOf('.'))),
      contentType,
      ...Object.values(otherPacking),
    ]
  })
  return [...new Set(all)].join(',')
}

/** What the file of a version is called: by the name that it has for itself with its version, or by the slug. */
export function itemFilename(
  { kind, slug, meta }: { kind: ItemKind; slug: string; meta: Record<string, unknown> },
  version: string,
): string {
  const { namedBy = '', fileNamedSo } = factsOf(kind)
  const { ending } = packingOf(kind, meta)
  return fileNamedSo ? `${meta[namedBy]}-${version}.${ending}` : `${slug}.${ending}`
}

/** The kind of a folder or an archive by the files at its root, and of JSON by its lists; undefined for what is none. */
export const kindOfFiles = (paths: readonly string[]): ItemKind | undefined =>
  marked('file', (mark) => paths.includes(mark))
export const kindOfJson = (value: Readonly<Record<string, unknown>>): ItemKind | undefined =>
  marked('list', (mark) => Array.isArray(value[mark]))

function marked(by: 'file' | 'list', isThere: (mark: string) => boolean): ItemKind | undefined {
  return itemKinds.find((kind) => {
    const marks: Partial<Record<'file' | 'list' | 'or', string>> = factsOf(kind).marks
    const names = [marks[by], by === 'list' ? marks.or : undefined]
    return names.some((mark) => mark !== undefined && isThere(mark))
  })
}
