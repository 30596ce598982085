// A response of node:http as the client library reads it. The `Response` of Node loads its whole `fetch`, which takes a command longer
// than its own start.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FetchResponse } from '../../client/src/fetch-response.ts'

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

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(await this.#bytes()).buffer
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.#bytes())
  }

  async #bytes(): Promise<Buffer> {
    const chunks: Buffer[] = []
    if (!HAVE_NO_BODY.includes(this.status)) for await (const chunk of this.#message) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  }
}
