// Opens the store that an address names. A store's module is loaded only when it is opened.
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BlobOperation, blobCounts } from '../runtime/counts.ts'
import type { Blobs } from './blobs.ts'

const TIMEOUT_SECONDS = 10

/**
 * Opens a store by its address. `file:./data/blobs` and `file:///var/lib/blobs` are directories, created if missing.
 * `s3://bucket/optional/prefix?endpoint=...&region=...&staging=...&timeout=...` is a bucket: credentials come from the environment as
 * for any AWS program, an `endpoint` makes addresses path-style, `staging` is the local directory uploads pass through, and `timeout`
 * is how many seconds the service may be silent at each of three attempts. `downloads=redirect` lets the bucket hand files out itself, at
 * the endpoint `public` where readers do not reach `endpoint`.
 * @throws TypeError when the address is none of these; BlobError unavailable, full
 */
export async function openBlobs(url: string): Promise<Blobs> {
  if (url.startsWith('file:')) {
    const { openFileBlobs } = await import('./file-blobs.ts')
    return openFileBlobs(url.startsWith('file:/') ? fileURLToPath(url) : resolve(url.slice('file:'.length)))
  }
  const address = URL.parse(url)
  if (address?.protocol !== 's3:' || !address.hostname) {
    throw new TypeError(`The address of a blob store is file:... or s3://bucket, not ${address?.protocol ?? url}`)
  }
  const { openS3Blobs } = await import('./s3-blobs.ts')
  const query = address.searchParams
  const timeout = Number(query.get('timeout') ?? TIMEOUT_SECONDS)
  if (!(timeout > 0)) throw new TypeError('The timeout of a bucket is a number of seconds, such as 10')
  const downloads = query.get('downloads') ?? 'proxy'
  if (downloads !== 'proxy' && downloads !== 'redirect') {
    throw new TypeError('Downloads of a bucket are proxy or redirect')
  }
  const readers = query.get('public') ?? query.get('endpoint') ?? undefined
  if (query.has('public') && !/^https?:$/.test(URL.parse(readers ?? '')?.protocol ?? '')) {
    throw new TypeError('The public endpoint of a bucket is an address that begins with https:// or http://')
  }
  const prefix = decodeURIComponent(address.pathname).replace(/^\/+|\/+$/g, '')
  return openS3Blobs({
    bucket: address.hostname,
    prefix: prefix ? `${prefix}/` : '',
    endpoint: query.get('endpoint') ?? undefined,
    region: query.get('region') ?? undefined,
    readers: downloads === 'redirect' ? { endpoint: readers } : undefined,
    timeoutMilliseconds: timeout * 1000,
    staging: query.get('staging') ?? join(tmpdir(), `guildhall-staging-${userInfo().username}`),
  })
}

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
      address: (sha256, as) => artifacts.address(sha256, as),
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
