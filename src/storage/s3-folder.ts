// One folder of a bucket, with the errors of the store (s3-blobs.ts).
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { detailsOf } from '../runtime/untyped.ts'
import { BlobError, verified } from './blobs.ts'
import { refuse } from './staging.ts'

// The least S3 takes for a part that is not the last; one part at a time is in memory, so that it can be sent again.
const partBytes = 5 * 1024 * 1024
const readBytes = 512 * 1024
const resumptions = 3
/** How long an address of an artifact can be used: a download that began before goes on. */
const ADDRESS_SECONDS = 300

type Source = { file: FileHandle; sha256: string }
type Answer = { body: Readable; etag: string | undefined; contentType: string; modified: Date }

/** The part of a bucket below one prefix, with the errors of the store: undefined for a missing object, BlobError otherwise. */
export class Folder {
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

  /** Where an object is read without credentials, for some minutes; nothing is sent. */
  addressOf(key: string, { contentType, filename }: { contentType: string; filename: string }): Promise<string> {
    // The names of files are plain: some services sign the quotes of other forms in another way.
    const as = { ResponseContentType: contentType, ResponseContentDisposition: `attachment; filename="${filename}"` }
    const command = new GetObjectCommand({ ...this.#at(key), ...as })
    return getSignedUrl(this.#client, command, { expiresIn: ADDRESS_SECONDS }).catch(fail)
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
