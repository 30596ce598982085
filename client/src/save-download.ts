// A download as a file. The file appears when its bytes are checked.
import { chunksOf } from './chunks.ts'
import type { Download } from './download.ts'
import { ChecksumError } from './errors.ts'
import { writeWhole } from './replace-file.ts'

/** Writes a download to `path`, in place of what is there. After an error the path is as it was; more than `maxBytes` is one. */
export async function saveDownload(
  download: Download,
  path: string,
  { maxBytes = Number.POSITIVE_INFINITY }: { maxBytes?: number } = {},
): Promise<void> {
  const tooLong = (size: number) => new ChecksumError('size', `at most ${maxBytes} bytes`, `${size} or more`)
  if (download.size !== undefined && download.size > maxBytes) {
    await download.body.cancel()
    throw tooLong(download.size)
  }
  let size = 0
  await writeWhole(path, async (file) => {
    for await (const chunk of chunksOf(download.body)) {
      size += chunk.byteLength
      if (size > maxBytes) throw tooLong(size)
      await file.writeFile(chunk)
    }
  })
}
