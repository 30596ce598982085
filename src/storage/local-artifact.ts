// An artifact as a local file, for what reads files: threads and archive readers.
import { BlobError, type Blobs } from './blobs.ts'

/**
 * Runs with the path of a file that holds the artifact: the stored file itself, or a copy from the bucket that goes afterwards. Nothing
 * may write to it.
 * @throws BlobError corrupt when there is no such artifact, too_large when it has more than `size` bytes, unavailable
 */
export async function withArtifactFile<T>(
  { artifacts }: Blobs,
  { sha256, size }: { sha256: string; size: number },
  run: (path: string) => Promise<T>,
): Promise<T> {
  const path = await artifacts.path(sha256)
  if (path !== undefined) return run(path)
  const stream = await artifacts.read(sha256)
  if (!stream) throw new BlobError('corrupt', `Artifact ${sha256} is missing`)
  const staged = await artifacts.stage(stream, { maxBytes: size })
  try {
    return await run(staged.path)
  } finally {
    await artifacts.discard(staged)
  }
}
