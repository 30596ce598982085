// Counts the calls of a store of files for /metrics. Errors are counted by kind elsewhere (runtime/storage-health.ts).
import { type BlobOperation, blobCounts } from '../runtime/counts.ts'
import type { Blobs } from './blobs.ts'

async function counted<Result>(operation: BlobOperation, work: Promise<Result>): Promise<Result> {
  try {
    const result = await work
    blobCounts.add(operation, 'done')
    return result
  } catch (error) {
    blobCounts.add(operation, 'failed')
    throw error
  }
}

/** The same store, with its calls counted. */
export function countBlobs(blobs: Blobs): Blobs {
  const { artifacts, objects } = blobs
  return {
    artifacts: {
      stage: (stream, limits) => counted('stage', artifacts.stage(stream, limits)),
      commit: (staged) => counted('commit', artifacts.commit(staged)),
      discard: (staged) => artifacts.discard(staged),
      read: (sha256, range) => counted('read', artifacts.read(sha256, range)),
      path: (sha256) => counted('path', artifacts.path(sha256)),
      stat: (sha256) => counted('stat', artifacts.stat(sha256)),
      delete: (sha256, only) => counted('delete', artifacts.delete(sha256, only)),
      list: () => artifacts.list(),
    },
    objects: {
      put: (key, bytes, contentType) => counted('put', objects.put(key, bytes, contentType)),
      get: (key) => counted('get', objects.get(key)),
      delete: (key) => counted('remove', objects.delete(key)),
      list: (folder) => objects.list(folder),
    },
    sweep: (now) => blobs.sweep(now),
    close: () => blobs.close(),
  }
}
