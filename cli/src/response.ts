// A response of node:http as the client library reads it. The `Response` of Node loads its whole `fetch`, which takes a command longer
// than its own start.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { BoundError } from '../../client/src/errors.ts'
import type { FetchResponse } from '../../client/src/fetch-response.ts'

/** Of what is read as a whole: what becomes a file is read as it comes. */
const MAX_BYTES = 17 * 1024 * 1024
const HAVE_NO_BODY = [204, 205, 304]

export class NodeResponse implements FetchResponse {
  readonly status: number
  readonly #message: IncomingMessage

  constructor(message: IncomingMessage) {
    this.status = message.statusCode ?? 0
    this.#message = message
    if (HAVE_NO_BODY.includes(this.status)) message.resume()
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  readonly headers = {
    get: (name: string): string | null => {
      const value = this.#message.headers[name.toLowerCase()]
      return Array.isArray(value) ? value.join(', ') : (value ?? null)
    },
    has: (name: string): boolean => this.#message.headers[name.toLowerCase()] !== undefined,
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (HAVE_NO_BODY.includes(this.status)) return null
    this.#body ??= Readable.toWeb(this.#message) as ReadableStream<Uint8Array<ArrayBuffer>>
    return this.#body
  }
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined

  get chunks(): AsyncIterable<Uint8Array> {
    return this.#pieces()
  }

  async *#pieces(): AsyncGenerator<Uint8Array> {
    if (!HAVE_NO_BODY.includes(this.status)) for await (const chunk of this.#message) yield chunk as Buffer
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(await this.#bytes()).buffer
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.#bytes())
  }

  async #bytes(): Promise<Buffer> {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of this.#pieces()) {
      size += chunk.byteLength
      if (size > MAX_BYTES) throw new BoundError(`The answer has more than ${MAX_BYTES} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }
}
