// An item as a plugin of agents: a folder with its manifests and its files, as objects of git. Made in a thread of its own (marketplace.ts).
import { readFile } from 'node:fs/promises'
import { contentOf } from '../../formats/file-permissions.ts'
import { FormatError } from '../../formats/format-error.ts'
import { blobOf, type GitObject, treesOf } from '../../formats/git/objects.ts'
import { isPlainPath } from '../../formats/git/safe-path.ts'
import { assertNoOwnVariables, entryFor } from '../../formats/kinds/mcp-server/client-config.ts'
import { readServer } from '../../formats/kinds/mcp-server/format.ts'
import { readSkill, SKILL_FILE } from '../../formats/kinds/skill/frontmatter.ts'
import { openArchive } from '../../formats/open-archive.ts'
import { decodeUtf8 } from '../../formats/text.ts'
import type { PluginKind } from './bounds.ts'
import { MAX_ITEM_BYTES, MAX_ITEM_FILES, type PluginSize } from './bounds.ts'

/** What its manifests say of it. */
export interface PluginFacts {
  name: string
  title: string
  version: string
  description: string
  author: string
  homepage: string
  license: string | null
}

export interface PluginRequest {
  kind: PluginKind
  /** Of the file of the version. */
  path: string
  facts: PluginFacts
}

export interface Plugin extends PluginSize {
  /** Its folder. */
  tree: string
  objects: GitObject[]
  /** Whether Codex can use it too. */
  isForCodex: boolean
}

type Files = Map<string, Uint8Array>

/** The plugin, or why there is none. */
export async function makePlugin({ kind, path, facts }: PluginRequest): Promise<Plugin | { left: string }> {
  try {
    const files = await (kind === 'skill' ? skillFiles(path) : serverFiles(path))
    const own = [...files.values()].map(({ length }) => length)
    const isForCodex = kind === 'skill' || files.has(CODEX_SERVERS)
    files.set('.claude-plugin/plugin.json', json(claudeManifest(facts)))
    if (isForCodex) files.set('.codex-plugin/plugin.json', json(codexManifest(facts, kind)))
    const blobs = [...files].map(([name, bytes]) => [name, blobOf(bytes)] as const)
    const { root, objects } = treesOf(new Map(blobs.map(([name, { id }]) => [name, id])))
    const bytes = own.reduce((sum, length) => sum + length, 0)
    return { tree: root, objects: [...blobs.map(([, blob]) => blob), ...objects], files: own.length, bytes, isForCodex }
  } catch (error) {
    if (error instanceof FormatError) return { left: error.message }
    throw error
  }
}

/** All files of a skill, in a folder of its name. */
async function skillFiles(path: string): Promise<Files> {
  await using archive = await openArchive(path)
  const entries = archive.entries.filter(({ isFolder }) => !isFolder)
  if (entries.length > MAX_ITEM_FILES) throw new FormatError(`has more than ${MAX_ITEM_FILES} files`)
  if (entries.reduce((sum, { size }) => sum + size, 0) > MAX_ITEM_BYTES) throw new FormatError('has more than 4 MiB')
  const odd = entries.find((entry) => !isPlainPath(entry.path))
  if (odd) throw new FormatError('has a file that git acts on')
  const contents: Files = new Map()
  for (const entry of entries) contents.set(entry.path, await contentOf(archive, entry))
  const { name } = readSkill(decodeUtf8(Buffer.from(contents.get(SKILL_FILE) ?? [])))
  return new Map([...contents].map(([inside, bytes]) => [`skills/${name}/${inside}`, bytes]))
}

const CODEX_SERVERS = 'codex-mcp.json'

/** What `install` writes for Claude Code, and for Codex where it can use the server (formats/kinds/mcp-server/client-config.ts). */
async function serverFiles(path: string): Promise<Files> {
  const server = readServer(await readFile(path))
  assertNoOwnVariables(server)
  const { name, entry } = entryFor('claude', server)
  const files: Files = new Map([['.mcp.json', json({ mcpServers: { [name]: entry } })]])
  try {
    files.set(CODEX_SERVERS, json({ mcpServers: { [name]: entryFor('codex', server).entry } }))
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
  }
  return files
}

export const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

/** What is said of a plugin in its own manifest and in that of the marketplace. */
export const claudeManifest = ({ name, version, description, author, homepage, license }: PluginFacts) => ({
  ...{ name, version, description, author: { name: author }, homepage },
  ...(license !== null && { license }),
})

const codexManifest = (facts: PluginFacts, kind: PluginKind) => ({
  ...claudeManifest(facts),
  ...(kind === 'skill' ? { skills: './skills/' } : { mcpServers: `./${CODEX_SERVERS}` }),
  interface: {
    displayName: facts.title,
    shortDescription: facts.description,
    developerName: facts.author,
    category: 'Productivity',
    websiteURL: facts.homepage,
  },
})
