// Compares two files in a thread, so the server itself never loads the archive readers.
import { FormatError } from '../../formats/format-error.ts'
import { compareFiles, type ItemComparison } from '../../formats/kinds/item-comparison.ts'

/** What changes between two files, or what is wrong with one of them. */
export async function compareInThread(
  files: Parameters<typeof compareFiles>[0],
): Promise<ItemComparison | { refused: string }> {
  try {
    return await compareFiles(files)
  } catch (error) {
    if (error instanceof FormatError) return { refused: error.message }
    throw error
  }
}
