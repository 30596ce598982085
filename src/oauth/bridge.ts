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
      const response = new ServerResponse(request)
      collect(response, resolve)
      Promise.resolve(handler(request, response)).catch(reject)
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
function collect(response: ServerResponse, done: (answer: Answer) => void): void {
  const chunks: Buffer[] = []
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk))
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  response.write = (chunk: unknown) => {
    keep(chunk)
    return true
  }
  response.end = ((chunk: unknown) => {
    keep(chunk)
    const headers = new Headers()
    for (const [name, value] of Object.entries(response.getHeaders())) {
      for (const one of Array.isArray(value) ? value : [value]) headers.append(name, String(one))
    }
    done({ status: response.statusCode, headers, text: Buffer.concat(chunks).toString() })
    response.emit('finish')
    return response
  }) as ServerResponse['end']
}
