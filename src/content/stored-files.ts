// Files that people upload, as named objects: they are stored first and named in the database after, so that a row never
// points at nothing; what then has no row is taken back at once, or by the sweep.
import { Readable } from 'node:stream'
import { Problem } from '../contract/problem.ts'
import type { Dependencies } from '../request/handler.ts'

export interface NewObject {
  key: string
  contentType: string
  /** Reads the bytes; called once, and only one object's are in memory at a time. */
  read(): Promise<Uint8Array>
}

type StoreDependencies = Pick<Dependencies, 'blobs' | 'log'>

/** On every uploaded file; a file's bytes never change under its address (RFC 8246). Nothing in one has power. */
export const uploadedHeaders = {
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
} as const

/** Stores the objects, then does what names them; what is refused leaves none of them behind. */
export async function storeThen<T>(
  storing: StoreDependencies,
  objects: readonly NewObject[],
  name: () => Promise<T>,
): Promise<T> {
  const keys = objects.map(({ key }) => key)
  let naming = false
  try {
    for (const { key, contentType, read } of objects) await storing.blobs.objects.put(key, await read(), contentType)
    naming = true
    return await name()
  } catch (error) {
    // A commit that fails for other reasons may have happened all the same: then only the sweep can know.
    if (!naming || error instanceof Problem) await removeObjects(storing, keys)
    throw error
  }
}

/** Removes what no row names any more. What cannot be removed now is left to the sweep. */
export async function removeObjects({ blobs, log }: StoreDependencies, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await blobs.objects.delete(key).catch((error: unknown) => log.warn({ err: error, key }, 'a file is left behind'))
  }
}

/** Opens a stored file, or a part of it, for an answer. A row may still be read while its file is being removed. */
export async function openObject(
  { objects }: Dependencies['blobs'],
  key: string,
  range?: { start: number; end: number },
): Promise<Readable> {
  const found = await objects.get(key)
  if (!found) throw new Problem('not_found', 'No such file')
  return Readable.from([range ? found.bytes.subarray(range.start, range.end + 1) : found.bytes])
}
