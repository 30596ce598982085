// What a proxy does in front of several servers.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestServer } from './server.ts'

const LOOK_MILLISECONDS = 50

/** It looks at each server often, and sends to those that are ready, in turn. */
export class Balancer {
  readonly #servers = new Map<TestServer, boolean>()
  #turn = 0
  #isOver = false

  add(server: TestServer): void {
    this.#servers.set(server, true)
    void this.#watch(server)
  }

  async #watch(server: TestServer): Promise<void> {
    while (!this.#isOver && this.#servers.has(server)) {
      const isReady = await fetch(`${server.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
      if (this.#servers.has(server)) this.#servers.set(server, isReady)
      await sleep(LOOK_MILLISECONDS)
    }
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
    assert.ok(server, 'one is always ready')
    return fetch(server.url + path, init)
  }
}
