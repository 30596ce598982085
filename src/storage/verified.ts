// Bytes that prove themselves on the way out.
import { createHash } from 'node:crypto'
import { BlobError } from './blobs.ts'

/**
 * Passes chunks through while hashing them, one chunk behind, so that the last one is only passed on once the whole is verified: a
 * reader that counts bytes never treats damaged ones as complete.
 * @throws BlobError corrupt at the end, when the bytes do not match the digest
 */
export async function* verified(chunks: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let held: Buffer | undefined
  for await (const chunk of chunks) {
    hash.update(chunk)
    if (held) yield held
    held = chunk
  }
  if (hash.digest('hex') !== sha256) throw new BlobError('corrupt', `Artifact ${sha256} is damaged`)
  if (held) yield held
}
