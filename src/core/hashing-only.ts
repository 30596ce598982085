// Uploads that are only hashed, to compare a form with one that was accepted before.
import { createHash } from 'node:crypto'
import type { Artifacts } from '../storage/blobs.ts'
import { BlobError } from '../storage/blobs.ts'

/** The same store, but it discards uploads after hashing them. */
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
