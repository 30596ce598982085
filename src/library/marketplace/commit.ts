// The commit of a marketplace: the manifests that Claude Code, Copilot CLI and Codex look for, and a folder for each plugin. The same plugins give
// the same commit, to the byte.
import { blobOf, commitOf, type GitObject, packOf, type TreeEntry, treeOf } from '../../formats/git/objects.ts'
import type { Repository } from '../../formats/git/upload-pack.ts'
import { MAX_FILES, MAX_ITEMS } from './bounds.ts'
import { claudeManifest, json, type Plugin, type PluginFacts } from './plugin.ts'

export interface PlacedPlugin extends Plugin {
  facts: PluginFacts
  /** When its version was, in milliseconds. */
  publishedAt: number
}

export interface LeftOut {
  facts: PluginFacts
  reason: string
}

export interface MarketplaceContent {
  name: string
  /** Who runs the instance, and its host. */
  owner: string
  host: string
  /** Both by name. */
  placed: readonly PlacedPlugin[]
  left: readonly LeftOut[]
}

export function repositoryOf(content: MarketplaceContent): Repository {
  const { placed, owner, host } = content
  const objects = new Map<string, Uint8Array>()
  const add = ({ id, packed }: GitObject): string => {
    objects.set(id, packed)
    return id
  }
  const tree = add(rootOf(content, add))
  for (const plugin of placed) for (const object of plugin.objects) add(object)
  const at = Math.max(0, ...placed.map(({ publishedAt }) => publishedAt))
  const head = add(commitOf({ tree, name: owner, email: `noreply@${host}`, at, message: 'Plugins of the library' }))
  return { head, pack: packOf(objects.values()) }
}

function rootOf(content: MarketplaceContent, add: (object: GitObject) => string): GitObject {
  const { placed } = content
  const file = (name: string, bytes: Uint8Array): TreeEntry => ({ name, isFolder: false, id: add(blobOf(bytes)) })
  const folder = (name: string, entries: readonly TreeEntry[]): TreeEntry => ({
    ...{ name, isFolder: true },
    id: add(treeOf(entries)),
  })
  const plugins = placed.map(({ facts, tree }) => ({ name: facts.name, isFolder: true, id: tree }))
  return treeOf([
    // Files stay as they are published, with any settings of git.
    file('.gitattributes', Buffer.from('* -text\n')),
    file('README.md', Buffer.from(readmeOf(content))),
    folder('.claude-plugin', [file('marketplace.json', json(claudeMarketplace(content)))]),
    folder('.agents', [folder('plugins', [file('marketplace.json', json(codexMarketplace(content)))])]),
    ...(plugins.length > 0 ? [folder('plugins', plugins)] : []),
  ])
}

const about = (owner: string) => `Skills and MCP servers of ${owner}`

/** Copilot CLI reads it too. `sourceOf` says where each plugin is. */
export const claudeMarketplace = (
  { name, owner, placed }: Pick<MarketplaceContent, 'name' | 'owner'> & { placed: readonly { facts: PluginFacts }[] },
  sourceOf: (plugin: string) => unknown = pathOf,
) => ({
  ...{ name, owner: { name: owner }, metadata: { description: about(owner) } },
  plugins: placed.map(({ facts }) => ({ ...claudeManifest(facts), source: sourceOf(facts.name) })),
})

export const pathOf = (plugin: string) => `./plugins/${plugin}`

const codexMarketplace = ({ name, owner, placed }: MarketplaceContent) => ({
  ...{ name, interface: { displayName: owner } },
  plugins: placed
    .filter(({ isForCodex }) => isForCodex)
    .map(({ facts }) => ({
      ...{ name: facts.name, source: { source: 'local', path: pathOf(facts.name) } },
      policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
      category: 'Productivity',
    })),
})

function readmeOf({ owner, placed, left }: MarketplaceContent): string {
  const bounds = `At most ${MAX_ITEMS} items are here, the best ones, with 20 MiB and ${MAX_FILES} files together.`
  const names = left.map(({ facts, reason }) => `- ${facts.name}: ${reason}`)
  const missing = names.length > 0 ? ['## Left out', '', ...names, ''] : []
  return [
    ...[
      `# ${about(owner)}`,
      '',
      'A marketplace of plugins for Claude Code, Copilot CLI and Codex, made by a server of Guildhall.',
      '',
    ],
    ...[
      bounds,
      `There are ${placed.length} plugins. Each is an item of the library, in the version that it shows there.`,
      '',
    ],
    ...missing,
  ].join('\n')
}
