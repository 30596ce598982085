// A file as an answer. Its bytes are hashed as they are read, and reading fails at the end if they are not what they should be.
import { chunksOf } from './chunks.ts'
import { ChecksumError } from './errors.ts'
import type { FetchResponse, ResponseHeaders } from './fetch-response.ts'
import { brokenOff } from './fetching.ts'
import type { Platform } from './platform.ts'

interface ReadOptions {
  platform: Platform
  sha256?: string | undefined
  signal?: AbortSignal | undefined
  /** Called when nothing more is read. */
  done?(): void
}

export class Download {
  readonly headers: ResponseHeaders
  /** The caller has these bytes already (`ifNoneMatch`); there are none to read. */
  readonly notModified: boolean
  readonly contentType: string
  /** In bytes; undefined if the server does not say. */
  readonly size: number | undefined
  /** What the bytes are checked against, in hex; undefined if neither the server nor the caller says. */
  readonly sha256: string | undefined
  /** The version of a library item. */
  readonly version: string | undefined
  readonly filename: string | undefined
  readonly etag: string | undefined
  /** The bytes, as they come. They are good once the stream has ended without an error. */
  readonly body: ReadableStream<Uint8Array>

  constructor(response: FetchResponse, options: ReadOptions) {
    const { headers } = response
    const header = (name: string) => headers.get(name) ?? undefined
    this.headers = headers
    this.notModified = response.status === 304
    this.contentType = header('content-type') ?? 'application/octet-stream'
    const length = header('content-encoding') === undefined ? header('content-length') : undefined
    this.size = this.notModified || length === undefined ? undefined : Number(length)
    this.sha256 = (options.sha256 ?? header('x-content-sha256'))?.toLowerCase()
    this.version = header('x-library-version')
    this.etag = header('etag')
    this.filename = filenameOf(header('content-disposition'))
    this.body = checked(this, response, options)
  }

  /** All bytes, checked. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await (await this.blob()).arrayBuffer())
  }

  /** All bytes, checked. */
  async blob(): Promise<Blob> {
    const chunks: Uint8Array<ArrayBuffer>[] = []
    for await (const chunk of chunksOf(this.body)) chunks.push(chunk as Uint8Array<ArrayBuffer>)
    return new Blob(chunks, { type: this.contentType })
  }

  /** The whole text, checked. */
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes())
  }

  /** The whole text as JSON, checked. */
  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }
}

/** The name in Content-Disposition; the encoded one where there is one (RFC 6266, 4.3). */
function filenameOf(value: string | undefined): string | undefined {
  const encoded = value?.match(/filename\*=UTF-8''([^;]+)/i)?.[1]
  if (encoded) return decodeURIComponent(encoded)
  return value?.match(/filename="([^"]*)"/i)?.[1]
}

function checked(
  { size, sha256, notModified }: Pick<Download, 'size' | 'sha256' | 'notModified'>,
  { body }: FetchResponse,
  { platform, signal, done }: ReadOptions,
): ReadableStream<Uint8Array> {
  const reader = notModified ? undefined : body?.getReader()
  const hash = sha256 === undefined || notModified ? undefined : platform.newHash()
  let count = 0
  async function read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> {
    try {
      return (await reader?.read()) ?? { done: true }
    } catch (error) {
      throw brokenOff(error, signal)
    }
  }
  function check(): void {
    if (notModified) return
    if (size !== undefined && count !== size) throw new ChecksumError('size', String(size), String(count))
    const actual = hash?.hex()
    if (actual !== sha256) throw new ChecksumError('SHA-256', String(sha256), String(actual))
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done: isEnd, value } = await read()
        if (!isEnd && value) {
          count += value.byteLength
          hash?.update(value)
          return controller.enqueue(value)
        }
        check()
        done?.()
        controller.close()
      } catch (error) {
        done?.()
        throw error
      }
    },
    async cancel(reason) {
      done?.()
      await reader?.cancel(reason)
    },
  })
}
