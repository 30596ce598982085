// What is read of the files of items, by the code of the server: in the bundle (build.js), because it is written for a newer Node.
import type { McpClient, ServerFileChange, ServerFileRequest } from '../../src/formats/kinds/mcp-server/clients.ts'
import type { Permission } from '../../src/formats/permissions.ts'
import type { Hunk } from '../../src/formats/text-diff.ts'
import type { ItemName } from './home.ts'

/** The library takes no larger file (interface.md, section 8). */
export const MAX_FILE_BYTES = 20 * 1024 * 1024

interface NamedPart {
  name: string
  type: string
}

/** What changes from one file of an item to another. */
export interface Changes {
  permissions: Record<'added' | 'removed' | 'kept', Permission[]>
  files: {
    added: { path: string }[]
    removed: { path: string }[]
    changed: { path: string; diff: Hunk[] | null }[]
    unchanged: number
  }
  steps: Record<'added' | 'removed' | 'changed', NamedPart[]>
  nodes: Record<'added' | 'removed' | 'changed', NamedPart[]>
  truncated: boolean
}

interface ItemFiles {
  /** What a file may do, told from the file alone; anything, if it cannot be read. */
  readPermissions(file: { kind: ItemName['kind']; path: string }): Promise<Permission[]>
  /** The files of a skill by their paths, and its name, which is that of its folder. */
  readSkillFiles(path: string): Promise<{ name: string; files: Map<string, Uint8Array> }>
  /** Where the configuration of each client is. */
  clientFiles: Readonly<Record<McpClient, { path: string }>>
  /** The configuration of a client with a server in it, or without. Throws FormatError. */
  serverFileChange(request: ServerFileRequest): ServerFileChange
  /** What changes from one file to another. */
  compareFiles(files: { kind: ItemName['kind']; from: string; to: string }): Promise<Changes>
}

/** The source while developing, the bundle in the package. */
const MODULE = import.meta.url.endsWith('.ts') ? '../validators/files.ts' : './files.js'

export const itemFiles = (): Promise<ItemFiles> => import(MODULE) as Promise<ItemFiles>
