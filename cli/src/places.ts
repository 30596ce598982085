// Where files of items are put beside the library's own folder: what is asked for, and what is kept of it.
import type { McpClient } from '../../src/formats/kinds/mcp-server/clients.ts'
import type { ItemName } from './home.ts'
import type { LockedItem } from './lock-file.ts'

/** The folders that agents read skills from, below that of the project, or below that of the user. */
export const skillFolders = { claude: '.claude/skills', codex: '.codex/skills', copilot: '.github/skills' } as const
export type Agent = keyof typeof skillFolders
export const agents = Object.keys(skillFolders) as Agent[]

/** What a person asks for; what the lock says otherwise. */
export interface PlaceRequest {
  agents?: readonly Agent[] | undefined
  /** A folder that skills are put into, each in a folder of its own. */
  dir?: string | undefined
  /** The agents that an MCP server is put into the configuration of. */
  clients?: readonly McpClient[] | undefined
}

/** Something that is put beside the file of an item, or taken away. */
export interface Place {
  /** Paths with something that is not what was put there: it would be lost. */
  lost: string[]
  change(): Promise<void>
}

export interface Places {
  list: Place[]
  /** What the lock keeps of them. */
  locked: Pick<LockedItem, 'folders' | 'clients'>
}

export const nowhere: Places = { list: [], locked: {} }

export interface PlaceStep {
  target: ItemName
  entry: LockedItem | undefined
  /** The file that is installed now, if it is the one of the lock. */
  before: string | undefined
  /** The new one, perhaps the same. */
  file: string
}
