// A download as a file. The file appears when its bytes are checked.
import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { chunksOf } from './chunks.ts'
import type { Download } from './download.ts'

/** Writes a download to `path`, in place of what is there. After an error the path is as it was. */
export async function saveDownload(download: Download, path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`
  try {
    const file = await open(draft, 'wx')
    try {
      for await (const chunk of chunksOf(download.body)) await file.writeFile(chunk)
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
