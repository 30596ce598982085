// Pictures that people upload: only the output of our own encoder is stored, and every error states its reason.
import { open, readFile } from 'node:fs/promises'
import type { UploadedFile } from '../contract/files.ts'
import { Problem } from '../contract/problem.ts'
import { formatOf, type Image, ImageError, NO_PICTURE, readImage } from '../storage/images.ts'
import type { QueueOwner } from '../workers/queue.ts'

/** Refuses what is no picture by its first bytes: before expensive work, and before any lookup. */
export async function requirePicture({ path }: UploadedFile): Promise<void> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0)
    if (!formatOf(buffer.subarray(0, bytesRead))) throw new Problem('invalid_request', NO_PICTURE)
  } finally {
    await file.close()
  }
}

/**
 * Decodes a picture that an account uploaded and writes it again, no larger than `maxEdge` px where that is given; throws what its sender
 * should know.
 */
export async function readPicture(file: UploadedFile, by: QueueOwner, maxEdge?: number): Promise<Image> {
  try {
    return await readImage(() => readFile(file.path), { by, maxEdge })
  } catch (error) {
    if (!(error instanceof ImageError)) throw error
    throw new Problem('invalid_request', error.message)
  }
}
