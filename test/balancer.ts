// What a proxy does in front of several servers.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestServer } from './server.ts'

const LOOK_MILLISECONDS = 50

/** It looks at each server often, and sends to those that are ready, in turn. */
export class Balancer {
  readonly #servers = new Map<TestServer, boolean>()
  /** The last answers of servers that were not ready, with their moments. */
  readonly #refusals = new Map<TestServer, string>()
  #turn = 0
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
    const ready = [...this.#servers].filter(([, isReady]) => isReady).map(([server]) => server)
    const server = ready[this.#turn++ % ready.length]
    assert.ok(server, `one is always ready\n${[...this.#refusals.values()].join('\n')}`)
    return fetch(server.url + path, init)
  }
}
