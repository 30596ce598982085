// A download as a file. The file appears when its bytes are checked.
import { chunksOf } from './chunks.ts'
import type { Download } from './download.ts'
import { writeWhole } from './replace-file.ts'

/** Writes a download to `path`, in place of what is there. After an error the path is as it was. */
export async function saveDownload(download: Download, path: string): Promise<void> {
  await writeWhole(path, async (file) => {
    for await (const chunk of chunksOf(download.body)) await file.writeFile(chunk)
  })
}
