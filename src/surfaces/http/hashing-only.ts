// Uploads that are only hashed: to tell whether a form is the same as one that was taken before.
import { createHash } from 'node:crypto'
import type { Artifacts } from '../../storage/blobs.ts'
import { BlobError } from '../../storage/blobs.ts'

/** The same store, which reads an upload to its end and keeps nothing of it. */
export const hashingOnly = (artifacts: Artifacts): Artifacts => ({
  ...artifacts,
  async stage(stream, { maxBytes }) {
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of stream) {
      size += chunk.byteLength
      if (size > maxBytes) throw new BlobError('too_large', `The file is larger than ${maxBytes} bytes`)
      hash.update(chunk)
    }
    return { path: '', sha256: hash.digest('hex'), size }
  },
  async discard() {},
})
