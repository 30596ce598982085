// The kinds of items that can be plugins of agents.
import type { Config } from '../../config/config.ts'
import { partsOff } from '../../contract/parts.ts'

const pluginKinds = ['skill', 'mcp-server'] as const
export type PluginKind = (typeof pluginKinds)[number]

/** Those whose part is on. */
export const kindsOn = (config: Pick<Config, 'partsOff'>): PluginKind[] =>
  pluginKinds.filter((kind) => !partsOff(config).kinds.has(kind))
