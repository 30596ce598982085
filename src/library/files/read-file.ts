// What an uploaded file says. Small texts are read at once; others, and archives, in a thread of their own: see file.ts.
import type { ItemKind } from '../../contract/item-kinds.ts'
import type { FileContent, Refusal } from '../../formats/file-content.ts'
import { FormatError } from '../../formats/format-error.ts'
import { formatOf } from '../../formats/kinds/list.ts'

/** What a file says, or what is wrong with it; anything else that goes wrong is thrown. */
export async function readContent({ kind, path }: { kind: ItemKind; path: string }): Promise<FileContent | Refusal> {
  const { read } = await formatOf(kind)
  try {
    return await read(path)
  } catch (error) {
    if (error instanceof FormatError) return { refused: error.message }
    throw error
  }
}
