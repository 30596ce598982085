// What a marketplace of plugins has, without touching the world: kinds, names, and how much fits.
import { createHash } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import { partsOff } from '../../contract/parts.ts'

// The kinds of items that can be plugins of agents.

const pluginKinds = ['skill', 'mcp-server'] as const
export type PluginKind = (typeof pluginKinds)[number]

/** Those whose part is on. */
export const kindsOn = (config: Pick<Config, 'partsOff'>): PluginKind[] =>
  pluginKinds.filter((kind) => !partsOff(config).kinds.has(kind))

/** Of the best of the library. */
export const MAX_ITEMS = 100
/** Of all files together, as they are unpacked, and of those of one item. */
export const MAX_BYTES = 20 * 1024 * 1024
export const MAX_ITEM_BYTES = 4 * 1024 * 1024
export const MAX_FILES = 5_000
export const MAX_ITEM_FILES = 500
/** What agents take as a name, of a plugin and of a marketplace. */
const MAX_NAME = 64
/** What they take as a description. */
const MAX_DESCRIPTION = 1024

const hashOf = (text: string, digits: number) => createHash('sha256').update(text).digest('hex').slice(0, digits)

/**
 * A text as a name of letters, digits and single hyphens. Different texts have different names, so that no item gets a name that was another's: one
 * that had to be changed, or that looks like that, ends in a part of its hash.
 */
export function kebabName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (name === text && name.length <= MAX_NAME && !/-(?:[0-9a-f]{8}|[0-9a-f]{16})$/.test(name)) return name
  const digits = name.length + 9 <= MAX_NAME ? 8 : 16
  return `${name.slice(0, MAX_NAME - digits - 1).replace(/-$/, '')}-${hashOf(text, digits)}`
}

export const pluginName = ({ kind, slug }: { kind: string; slug: string }): string => kebabName(`${kind}-${slug}`)

/** One for each instance: an agent knows a marketplace by its name. */
export const marketplaceName = (baseUrl: string): string =>
  kebabName(`guildhall-${new URL(baseUrl).host.replace(/[^a-z0-9]+/g, '-')}`)

export const shortened = (text: string): string =>
  text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION - 1).toWellFormed()}…` : text

export interface PluginSize {
  files: number
  bytes: number
}

/** What is left of the room for files, which those that come first get. */
export class Room {
  #files = MAX_FILES
  #bytes = MAX_BYTES

  /** Whether something fits; then it has its place. */
  take({ files, bytes }: PluginSize): boolean {
    if (files > this.#files || bytes > this.#bytes) return false
    this.#files -= files
    this.#bytes -= bytes
    return true
  }
}
