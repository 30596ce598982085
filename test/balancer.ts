// What a proxy does in front of several servers.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestServer } from './server.ts'

const LOOK_MILLISECONDS = 50
/** So long a request waits where no server is ready. */
const PATIENCE_MILLISECONDS = 10_000

/** It looks at each server often, and sends to those that are ready, in turn. One that takes no connection any more gets no request. */
export class Balancer {
  readonly #servers = new Map<TestServer, boolean>()
  /** The last answers of servers that were not ready, with their moments. */
  readonly #refusals = new Map<TestServer, string>()
  #turn = 0
  #gaps = 0
  #isOver = false

  add(server: TestServer): void {
    this.#servers.set(server, true)
    void this.#watch(server)
  }

  async #watch(server: TestServer): Promise<void> {
    while (!this.#isOver && this.#servers.has(server)) {
      const isReady = await fetch(`${server.url}/readyz`).then(
        async (response) => response.ok || this.#note(server, `${response.status} ${await response.text()}`),
        (error: Error) => this.#note(server, String(error.cause ?? error)),
      )
      if (this.#servers.has(server)) this.#servers.set(server, isReady)
      await sleep(LOOK_MILLISECONDS)
    }
  }

  #note(server: TestServer, answer: string): false {
    this.#refusals.set(server, `${new Date().toISOString()} ${server.url}: ${answer}`)
    return false
  }

  remove(server: TestServer): void {
    this.#servers.delete(server)
  }

  close(): void {
    this.#isOver = true
  }

  async fetch(path: string, init?: RequestInit): Promise<Response> {
    const server = await this.#ready()
    try {
      return await fetch(server.url + path, init)
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } }
      if (cause?.code !== 'ECONNREFUSED' || !this.#servers.has(server)) throw error
      this.#servers.set(server, this.#note(server, 'takes no connection'))
      return this.fetch(path, init)
    }
  }

  /** How many requests found no server ready, and what the servers said. */
  get gaps(): string[] {
    return this.#gaps === 0 ? [] : [`${this.#gaps} requests`, ...this.#refusals.values()]
  }

  async #ready(): Promise<TestServer> {
    const end = performance.now() + PATIENCE_MILLISECONDS
    for (let look = 0; ; look++) {
      const ready = [...this.#servers].filter(([, isReady]) => isReady).map(([server]) => server)
      const server = ready[this.#turn++ % ready.length]
      if (server) return server
      if (look === 0) this.#gaps++
      assert.ok(performance.now() < end, `none is ready\n${[...this.#refusals.values()].join('\n')}`)
      await sleep(LOOK_MILLISECONDS)
    }
  }
}
