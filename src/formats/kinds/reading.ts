// What an uploaded file may do (permissions.ts), read from disk. A file that breaks its format may do anything: it is refused elsewhere.
import type { ItemKind } from '../../contract/item-kinds.ts'
import { FormatError } from '../format-error.ts'
import { anything } from '../permission-set.ts'
import type { Permission } from '../permissions.ts'
import { formatOf } from './list.ts'

/** The permissions of a file of a kind; see `permissionsOf`. */
export async function readPermissions({ kind, path }: { kind: ItemKind; path: string }): Promise<Permission[]> {
  try {
    return await (await formatOf(kind)).permissions(path)
  } catch (error) {
    if (error instanceof FormatError) return [...anything]
    throw error
  }
}
