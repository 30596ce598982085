// The connections for reads outside of transactions. Statements are pipelined: each is sent at once and PostgreSQL answers them in
// order, so that few connections serve many readers.
import type { Client, ClientBase, QueryResult } from 'pg'

interface Reader {
  client: Client
  connected: Promise<unknown>
  /** Statements without a response. */
  waiting: number
}

interface Options {
  /** Rejects if a client may not be used. */
  admit?(client: Client): Promise<void>
  /** Called with the time that an answer took. */
  onAnswer?(milliseconds: number): void
}

export class Readers {
  readonly #create: () => Client
  readonly #most: number
  readonly #options: Options
  #readers: Reader[] = []
  #isClosed = false

  /** At most `most` clients of `create`; they pipeline and are not connected yet. */
  constructor(create: () => Client, most: number, options: Options = {}) {
    this.#create = create
    this.#most = most
    this.#options = options
  }

  /** Statements without a response. */
  get waiting(): number {
    return this.#readers.reduce((sum, { waiting }) => sum + waiting, 0)
  }

  async query(text: string, values: readonly unknown[]): Promise<QueryResult> {
    const reader = this.#leastBusy()
    reader.waiting++
    try {
      await reader.connected
      const sentAt = performance.now()
      const result = await reader.client.query(text, [...values])
      this.#options.onAnswer?.(performance.now() - sentAt)
      return result
    } finally {
      reader.waiting--
    }
  }

  /** Gives up every statement without a response. */
  giveUp(): void {
    for (const { client } of this.#readers.splice(0)) cutOff(client)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#readers.map(({ client }) => client.end().catch(() => {})))
  }

  #leastBusy(): Reader {
    this.#readers = this.#readers.filter(({ client }) => isUsable(client))
    let least = this.#readers[0]
    for (const reader of this.#readers) if (least === undefined || reader.waiting < least.waiting) least = reader
    if (least && (least.waiting === 0 || this.#readers.length >= this.#most)) return least
    return this.#open()
  }

  #open(): Reader {
    if (this.#isClosed) throw new Error('The database is closed')
    const client = this.#create()
    const reader: Reader = { client, connected: client.connect().then(() => this.#options.admit?.(client)), waiting: 0 }
    const drop = () => {
      this.#readers = this.#readers.filter((other) => other !== reader)
    }
    reader.connected.catch(drop)
    client.on('error', drop)
    client.on('end', drop)
    this.#readers.push(reader)
    return reader
  }
}

/** Whether a client has not met an error of its connection yet. */
export const isUsable = (client: ClientBase): boolean => Reflect.get(client, '_queryable') !== false

/** Closes the connection of a client that does not respond; its statements are rejected. */
export function cutOff(client: ClientBase): void {
  // Its types leave the connection out.
  Reflect.get(client, 'connection').stream.destroy()
}
