// A file that is replaced as a whole.
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'

/** The file at `path` has the old content or the new one, whatever happens, and never another mode than this. */
export async function replaceFile(path: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  await writeWhole(path, (file) => file.writeFile(content), mode)
}

/** The same with what `write` writes. The content is on the disk before the file has its name. */
export async function writeWhole(
  path: string,
  write: (file: FileHandle) => Promise<void>,
  mode = 0o666,
): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`
  try {
    const file = await open(draft, 'wx', mode)
    try {
      await write(file)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
