// What is read of the files of items, by the code of the server: in the bundle (build.js), because it is written for a newer Node.
import type { Permission } from '../../src/formats/permissions.ts'
import type { ItemName } from './home.ts'

interface ItemFiles {
  /** What a file may do, told from the file alone; anything, if it cannot be read. */
  readPermissions(file: { kind: ItemName['kind']; path: string }): Promise<Permission[]>
}

/** The source while developing, the bundle in the package. */
const MODULE = import.meta.url.endsWith('.ts') ? '../validators/files.ts' : './files.js'

export const itemFiles = (): Promise<ItemFiles> => import(MODULE) as Promise<ItemFiles>
