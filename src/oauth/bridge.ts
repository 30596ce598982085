// Calls a handler for Node's request and response with a web Request, in process and without a socket.
import { type IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown

export interface Call {
  method: 'GET' | 'POST'
  /** Absolute; the handler sees its origin as the server's, regardless of the real request. */
  url: URL
  headers?: Readonly<Record<string, string>>
  body?: string
}

export interface Answer {
  status: number
  headers: Headers
  text: string
}

/** `mount` is the path prefix of the handler's own routes. `mark` sees the request first and can attach data to it. */
export function bridge(handler: NodeHandler, mount: string) {
  return (call: Call, mark?: (request: IncomingMessage) => void): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = requestOf(call, mount)
      mark?.(request)
      Promise.resolve(handler(request, new Collector(request, resolve))).catch(reject)
    })
}

function requestOf({ method, url, headers, body }: Call, mount: string): IncomingMessage {
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const target = url.pathname + url.search
  // What the library reads of Node's own request.
  const request = Readable.from(bytes ? [bytes] : [], { objectMode: false }) as IncomingMessage
  return Object.assign(request, {
    method,
    url: target.slice(mount.length) || '/',
    originalUrl: target,
    headers: { ...headers, host: url.host, ...(bytes && { 'content-length': String(bytes.length) }) },
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    socket: { encrypted: url.protocol === 'https:', remoteAddress: '127.0.0.1' },
  })
}

/** Collects the handler's response. */
class Collector extends ServerResponse {
  readonly #chunks: Buffer[] = []
  readonly #done: (answer: Answer) => void

  constructor(request: IncomingMessage, done: (answer: Answer) => void) {
    super(request)
    this.#done = done
  }

  override write(chunk: unknown): boolean {
    if (typeof chunk === 'string') this.#chunks.push(Buffer.from(chunk))
    else if (chunk instanceof Uint8Array) this.#chunks.push(Buffer.from(chunk))
    return true
  }

  override end(chunk?: unknown): this {
    this.write(chunk)
    const headers = new Headers()
    for (const [name, value] of Object.entries(this.getHeaders())) {
      for (const one of [value].flat()) headers.append(name, String(one))
    }
    this.#done({ status: this.statusCode, headers, text: Buffer.concat(this.#chunks).toString() })
    this.emit('finish')
    return this
  }
}
