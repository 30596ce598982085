// A connection that sends one request at a time, and reads of a response its status, its body and where it ends: with a whole
// HTTP client it would be the client that is measured.
import { connect, type Socket } from 'node:net'

export interface WireResponse {
  status: number
  body: Buffer
}

const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = '0\r\n\r\n'

/** The response in these bytes, if it is there to its end. The body of a chunked one keeps the lengths of its chunks. */
function responseIn(bytes: Buffer): WireResponse | undefined {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const body = bytes.subarray(end + HEAD_END.length)
  const length = /^content-length: *(\d+)/im.exec(head)?.[1]
  const isWhole =
    length !== undefined
      ? body.length >= Number(length)
      : status === 204 || status === 304 || body.toString('latin1', body.length - LAST_CHUNK.length) === LAST_CHUNK
  return isWhole ? { status, body } : undefined
}

export class Wire {
  readonly #socket: Socket
  /** Resolves when the connection is open, or cannot be opened. */
  readonly opened: Promise<void>
  #received: Buffer[] = []
  #waiting: PromiseWithResolvers<WireResponse> | undefined

  /** From this local address: all of 127.0.0.0/8 is this machine, so that clients can come from many networks. */
  constructor(port: number, localAddress: string) {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    this.#socket.on('data', (bytes: Buffer) => this.#take(bytes))
    this.#socket.on('error', () => {})
    this.opened = new Promise((resolve) => this.#socket.once('connect', resolve).once('close', () => resolve()))
    this.#socket.on('close', () => this.#waiting?.reject(new Error('The connection was closed')))
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && !this.#socket.readableEnded
  }

  /** Rejects when the connection is closed before there is a response. */
  send(request: string): Promise<WireResponse> {
    this.#waiting = Promise.withResolvers()
    if (this.isOpen) this.#socket.write(request)
    else this.#waiting.reject(new Error('The connection was closed'))
    return this.#waiting.promise
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    this.#received.push(bytes)
    const response = responseIn(this.#received.length === 1 ? bytes : Buffer.concat(this.#received))
    if (!response) return
    this.#received = []
    this.#waiting?.resolve(response)
    this.#waiting = undefined
  }
}
