// A client on a platform whose waits take no time, and answers that a test makes up.
import { createHash, randomBytes } from 'node:crypto'
import { type Client, type ClientOptions, createClientOn } from '../src/create-client.ts'
import type { Platform } from '../src/platform.ts'

export const URL_OF_SERVER = 'https://guildhall.example'

export interface Sent {
  url: string
  method: string
  headers: Headers
  body: unknown
}

/** An answer of a test: a response, or an error that `fetch` rejects with. */
export type Answer = Response | Error

export const jsonAnswer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })

/** What `fetch` rejects with when there is no connection. */
export const noConnection = () => new TypeError('fetch failed')

/** A `fetch` that gives these answers one after the other; a function sees the request. */
export function answering(...answers: (Answer | ((sent: Sent) => Answer | Promise<Answer>))[]) {
  const requests: Sent[] = []
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    init.signal?.throwIfAborted()
    const sent = { url, method: init.method ?? 'GET', headers: new Headers(init.headers), body: init.body }
    requests.push(sent)
    const next = answers[requests.length - 1] ?? new Error(`There is no answer number ${requests.length}`)
    const answer = typeof next === 'function' ? await next(sent) : next
    if (answer instanceof Error) throw answer
    return answer
  }
  return { fetch, requests }
}

/** The client of a test, and how long it waited each time, in milliseconds. */
export function clientWith(options: Partial<ClientOptions>): { client: Client; waits: number[] } {
  const waits: number[] = []
  const platform: Platform = {
    newHash() {
      const hash = createHash('sha256')
      return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') }
    },
    randomBytes: (count) => new Uint8Array(randomBytes(count)),
    async wait(milliseconds, signal) {
      signal?.throwIfAborted()
      waits.push(milliseconds)
    },
  }
  return { client: createClientOn(platform, { url: URL_OF_SERVER, ...options }), waits }
}

/** What a promise rejects with. */
export async function errorOf<T extends Error>(promise: Promise<unknown>): Promise<T> {
  try {
    await promise
  } catch (error) {
    return error as T
  }
  throw new Error('Nothing was thrown')
}
