// The store that several processes share: a bucket of an S3-compatible service, with an optional prefix.
// Bytes are signed by their hash on the way in and checked against it on the way out; only finished uploads are visible.
import { open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { S3Client } from '@aws-sdk/client-s3'
import { machineClock } from '../runtime/clock.ts'
import {
  type Artifacts,
  BlobError,
  type Blobs,
  isObjectKey,
  isSha256,
  type NamedObjects,
  type StagedFile,
  verified,
} from './blobs.ts'
import { Folder } from './s3-folder.ts'
import { openStaging, refuse, type Staging, strayBefore } from './staging.ts'

/**
 * A bucket; `prefix` is empty or ends in a slash, `staging` is a local directory, and `timeoutMilliseconds` is how long it may be silent
 * at each of three attempts.
 */
interface Bucket {
  bucket: string
  prefix: string
  endpoint?: string
  region?: string
  /** Where readers get files from the bucket itself; undefined where they do not. */
  readers?: { endpoint?: string }
  staging: string
  timeoutMilliseconds: number
}

/** Opens a bucket as a store; nothing is sent yet. @throws BlobError unavailable when there is no place for staging */
export async function openS3Blobs({ timeoutMilliseconds, ...given }: Bucket): Promise<Blobs> {
  const { bucket, prefix, endpoint, region, readers, staging } = given
  const reachedAt = (address: string | undefined) => ({
    region: region ?? (address ? 'us-east-1' : undefined),
    endpoint: address,
    forcePathStyle: address !== undefined,
    // Requests carry the SHA-256 of their body in the signature; newer checksums are not understood by every service.
    requestChecksumCalculation: 'WHEN_REQUIRED' as const,
    responseChecksumValidation: 'WHEN_REQUIRED' as const,
  })
  const client = new S3Client({
    ...reachedAt(endpoint),
    maxAttempts: 3,
    requestHandler: { connectionTimeout: Math.min(3000, timeoutMilliseconds), socketTimeout: timeoutMilliseconds },
  })
  const local = await openStaging(staging)
  const at = (folder: string) => new Folder(client, bucket, `${prefix}${folder}/`)
  const artifacts = at('artifacts')
  const signer = readers && new S3Client(reachedAt(readers.endpoint))
  const shared = signer && new Folder(signer, bucket, `${prefix}artifacts/`)
  return {
    artifacts: s3Artifacts(artifacts, local, shared),
    objects: s3Objects(at('objects')),
    sweep: async (now = new Date(machineClock.now())) =>
      (await local.sweep(now)) + (await artifacts.abortUploads(strayBefore(now))),
    close: () => {
      client.destroy()
      signer?.destroy()
    },
  }
}

/** `shared` is the same folder as readers reach it, if they do. */
function s3Artifacts(folder: Folder, staging: Staging, shared: Folder | undefined): Artifacts {
  const find = async (sha256: string) => {
    const found = isSha256(sha256) ? await folder.head(sha256) : undefined
    return found && { sha256, ...found }
  }

  return {
    stage: (stream, limits) => staging.stage(stream, limits),
    discard: (staged) => staging.discard(staged),
    stat: find,

    commit: (staged) => keep(folder, staged),

    async read(sha256, range) {
      const first = isSha256(sha256) ? await folder.get(sha256, range) : undefined
      if (!first) return undefined
      const chunks = folder.resuming(sha256, first, range)
      const out = Readable.from(range ? chunks : verified(chunks, sha256), { objectMode: false })
      // A reader that disconnects before its first chunk never starts the generators, and would leave the response open.
      return out.once('close', () => first.body.destroy())
    },

    async path() {
      return undefined
    },

    async address(sha256, as) {
      return isSha256(sha256) ? shared?.addressOf(sha256, as) : undefined
    },

    async delete(sha256, only) {
      const found = await find(sha256)
      if (!found || (only && found.modified >= only.olderThan)) return false
      await folder.delete(sha256)
      return true
    },

    async *list() {
      for await (const { key, size, modified } of folder.list('')) {
        if (isSha256(key)) yield { sha256: key, size, modified }
      }
    },
  }
}

async function keep(folder: Folder, { path, sha256, size }: StagedFile): Promise<void> {
  const isKept = async () => {
    const found = await folder.head(sha256)
    // An older copy is uploaded again, which renews its date and repairs it.
    return found?.size === size && found.modified > strayBefore(new Date(machineClock.now()))
  }
  let isSent = false
  try {
    if (await isKept()) return
    const file = await open(path).catch(refuse)
    isSent = true
    await folder.upload(sha256, { file, sha256 }).finally(() => file.close())
  } catch (cause) {
    await rm(path, { force: true }).catch(() => {})
    if (!isSent) throw cause
    // The answer to a completion may be lost although it happened, and then sending it again finds no such upload.
    if (cause instanceof BlobError && cause.code === 'unavailable' && (await isKept().catch(() => false))) return
    throw cause
  }
}

function s3Objects(folder: Folder): NamedObjects {
  return {
    async put(key, bytes, contentType) {
      if (!isObjectKey(key)) throw new BlobError('invalid_key', `No object can be called ${JSON.stringify(key)}`)
      await folder.put(key, bytes, contentType)
    },

    async get(key) {
      const found = isObjectKey(key) ? await folder.get(key) : undefined
      if (!found) return undefined
      const chunks = folder.resuming(key, found)
      return { bytes: await buffer(chunks), contentType: found.contentType, modified: found.modified }
    },

    async delete(key) {
      if (isObjectKey(key)) await folder.delete(key)
    },

    async *list(below) {
      if (below !== undefined && !isObjectKey(below)) {
        throw new BlobError('invalid_key', `No folder can be called ${JSON.stringify(below)}`)
      }
      for await (const entry of folder.list(below ? `${below}/` : '')) if (isObjectKey(entry.key)) yield entry
    },
  }
}
