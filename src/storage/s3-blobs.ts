// The store that several processes share: a bucket of an S3-compatible service, with an optional prefix.
// Bytes are signed by their hash on the way in and checked against it on the way out; only finished uploads are visible.
import { type FileHandle, open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { machineClock } from '../runtime/clock.ts'
import { detailsOf } from '../runtime/untyped.ts'
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
import { openStaging, refuse, type Staging, strayBefore } from './staging.ts'

// The least S3 takes for a part that is not the last; one part at a time is in memory, so that it can be sent again.
const partBytes = 5 * 1024 * 1024
const readBytes = 512 * 1024
const resumptions = 3

/**
 * A bucket; `prefix` is empty or ends in a slash, `staging` is a local directory, and `timeoutMilliseconds` is how long it may be silent
 * at each of three attempts.
 */
interface Bucket {
  bucket: string
  prefix: string
  endpoint?: string
  region?: string
  staging: string
  timeoutMilliseconds: number
}

/** Opens a bucket as a store; nothing is sent yet. @throws BlobError unavailable when there is no place for staging */
export async function openS3Blobs({ timeoutMilliseconds, ...given }: Bucket): Promise<Blobs> {
  const { bucket, prefix, endpoint, region, staging } = given
  const client = new S3Client({
    region: region ?? (endpoint ? 'us-east-1' : undefined),
    endpoint,
    forcePathStyle: endpoint !== undefined,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: Math.min(3000, timeoutMilliseconds), socketTimeout: timeoutMilliseconds },
    // Requests carry the SHA-256 of their body in the signature; newer checksums are not understood by every service.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const local = await openStaging(staging)
  const at = (folder: string) => new Folder(client, bucket, `${prefix}${folder}/`)
  const artifacts = at('artifacts')
  return {
    artifacts: s3Artifacts(artifacts, local),
    objects: s3Objects(at('objects')),
    sweep: async (now = new Date(machineClock.now())) =>
      (await local.sweep(now)) + (await artifacts.abortUploads(strayBefore(now))),
    close: () => client.destroy(),
  }
}

function s3Artifacts(folder: Folder, staging: Staging): Artifacts {
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

type Source = { file: FileHandle; sha256: string }
type Answer = { body: Readable; etag: string | undefined; contentType: string; modified: Date }

/** The part of a bucket below one prefix, with the errors of the store: undefined for a missing object, BlobError otherwise. */
class Folder {
  #client: S3Client
  #bucket: string
  #prefix: string

  constructor(client: S3Client, bucket: string, prefix: string) {
    this.#client = client
    this.#bucket = bucket
    this.#prefix = prefix
  }

  #at(key: string) {
    return { Bucket: this.#bucket, Key: this.#prefix + key }
  }

  async head(key: string) {
    const found = await this.#client.send(new HeadObjectCommand(this.#at(key))).catch(missing)
    return found && { size: found.ContentLength ?? 0, modified: found.LastModified ?? new Date(0) }
  }

  async get(key: string, range?: { start: number; end?: number }, etag?: string): Promise<Answer | undefined> {
    const Range = range && `bytes=${range.start}-${range.end ?? ''}`
    const found = await this.#client
      .send(new GetObjectCommand({ ...this.#at(key), Range, IfMatch: etag }))
      .catch(missing)
    if (!found) return undefined
    const { ContentType: contentType = 'application/octet-stream', LastModified: modified = new Date(0) } = found
    return { body: found.Body as Readable, etag: found.ETag, contentType, modified }
  }

  /** The chunks of a response; when the connection breaks, resumes at the next byte, a few times. */
  async *resuming(
    key: string,
    first: Answer,
    range: { start: number; end?: number } = { start: 0 },
  ): AsyncGenerator<Buffer> {
    let { start } = range
    let body: Readable | undefined = first.body
    for (let left = resumptions; body; left--) {
      try {
        for await (const chunk of body) {
          start += chunk.length
          yield chunk
        }
        return
      } catch (cause) {
        if (left === 0) throw unavailable(cause)
        body = (await this.get(key, { ...range, start }, first.etag))?.body
      }
    }
    throw new BlobError('unavailable', 'The object went away while it was read')
  }

  async put(key: string, Body: Uint8Array, ContentType: string): Promise<void> {
    await this.#client.send(new PutObjectCommand({ ...this.#at(key), Body, ContentType })).catch(fail)
  }

  async delete(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#at(key))).catch(missing)
  }

  /** Sends a file, in one piece or in parts; if it cannot be finished, what was sent is taken back. */
  async upload(key: string, { file, sha256 }: Source): Promise<void> {
    const bytes = file.createReadStream({ autoClose: false, highWaterMark: readBytes })
    const Body = Readable.from(verified(read(bytes), sha256), { objectMode: false })
    const params = { ...this.#at(key), Body, ContentType: 'application/octet-stream' }
    await new Upload({ client: this.#client, params, queueSize: 1, partSize: partBytes }).done().catch(fail)
  }

  /** Aborts unfinished uploads that began before a moment; returns their number. */
  async abortUploads(before: Date): Promise<number> {
    let aborted = 0
    let page: ListMultipartUploadsOutput | undefined
    do {
      const after = { KeyMarker: page?.NextKeyMarker, UploadIdMarker: page?.NextUploadIdMarker }
      const query = new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: this.#prefix, ...after })
      page = await this.#client.send(query).catch(fail)
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (!Initiated || Initiated >= before) continue
        const abort = new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId })
        await this.#client.send(abort).catch(fail)
        aborted++
      }
    } while (page.IsTruncated)
    return aborted
  }

  async *list(below: string) {
    const query = { Bucket: this.#bucket, Prefix: this.#prefix + below }
    const pages = paginateListObjectsV2({ client: this.#client }, query)[Symbol.asyncIterator]()
    for (let page = await pages.next().catch(fail); !page.done; page = await pages.next().catch(fail)) {
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.value.Contents ?? []) {
        yield { key: Key.slice(this.#prefix.length), size: Size, modified: LastModified }
      }
    }
  }
}

async function* read(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* file
  } catch (cause) {
    refuse(cause)
  }
}

function unavailable(cause: unknown): BlobError {
  if (cause instanceof BlobError) return cause
  const { name, $metadata } = detailsOf(cause)
  if (name === 'InvalidRange' || $metadata?.httpStatusCode === 416) {
    return new BlobError('invalid_range', 'The range is outside of the object', { cause })
  }
  if ($metadata?.httpStatusCode === 507) return new BlobError('full', 'The object storage is full', { cause })
  return new BlobError('unavailable', `The object storage does not answer as it should (${name})`, { cause })
}

function fail(cause: unknown): never {
  throw unavailable(cause)
}

function missing(cause: unknown): undefined {
  if (cause instanceof Error && (cause.name === 'NoSuchKey' || cause.name === 'NotFound')) return undefined
  throw unavailable(cause)
}
