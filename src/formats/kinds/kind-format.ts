// What a kind of item knows of its files (src/formats/kinds/<kind>/format.ts). What is true of it beside that is in src/contract/item-kinds.ts.
import type { FileContent } from '../file-content.ts'
import type { ItemParts } from '../item-parts.ts'
import type { Permission } from '../permission-set.ts'

export interface KindFormat {
  /**
   * Everything that a file says, after all of it was verified.
   *
   * @throws FormatError with what is wrong with it
   */
  read(path: string): Promise<FileContent>
  /** What a file may do; `FormatError` where it cannot be read, so it may do anything. */
  permissions(path: string): Promise<Permission[]>
  /** What a file is made of, for the comparison of two. Throws FormatError for one that cannot be read. */
  parts(path: string): Promise<ItemParts>
}
