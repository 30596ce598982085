// A service of the operator for tests: a real http server on this machine, at an address that is known before a world is made.
import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Arrived } from './webhook-receiver.ts'

export interface Service {
  url: string
  /** As PRIVATE_SERVICES names it. */
  host: string
  arrived: Arrived[]
  answer: (request: IncomingMessage, response: ServerResponse) => void
}

/** Starts a service that listens as long as the process has something else to do. */
export async function startService(path: string): Promise<Service> {
  const service: Service = { url: '', host: '', arrived: [], answer: (_, response) => response.writeHead(500).end() }
  const server = createServer(async (request, response) => {
    service.arrived.push({ path: request.url ?? '', headers: request.headers, body: await text(request) })
    service.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  service.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  service.url = `http://${service.host}${path}`
  server.unref()
  return service
}

/** A machine that members can ask, which always says the same, with the settings that name it. */
export async function startMachine() {
  const service = await startService('/v1/chat/completions')
  answerBy(service, 'It was said so.')
  const settings = { AI_URL: service.url, AI_MODEL: 'small-1', AI_KEY: 'sk-secret', PRIVATE_SERVICES: service.host }
  return { service, settings }
}

/** The dimensions of vectors of the machine here. */
const DIMENSIONS = 64

/**
 * What a text means to the machine here: each word points somewhere, and words of one group (`['tray', 'shelf']`) to the same place. Texts
 * with the same words are the same.
 */
export function embeddingOf(text: string, groups: readonly (readonly string[])[] = []): number[] {
  const sum = new Array<number>(DIMENSIONS).fill(0)
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const group = groups.find((one) => one.includes(word))
    const bytes = hash('sha512', group?.[0] ?? word, 'buffer')
    for (let at = 0; at < DIMENSIONS; at++) sum[at] = (sum[at] ?? 0) + (bytes[at] ?? 0) / 128 - 1
  }
  return sum.some((number) => number !== 0) ? sum : sum.fill(1)
}

/** From now on a machine says what texts mean; it uses up a token for each. */
export function meanBy(service: Service, groups: readonly (readonly string[])[] = []): void {
  service.answer = (_, response) => {
    const { input } = JSON.parse(service.arrived.at(-1)?.body ?? '') as { input: string[] }
    // In another order than they were asked.
    const data = input.map((text, index) => ({ index, embedding: embeddingOf(text, groups) })).reverse()
    response.writeHead(200).end(JSON.stringify({ data, usage: { total_tokens: input.length } }))
  }
}

/** From now on each question to a machine is answered so. */
export function answerBy(service: Service, content: string, tokens = 100): void {
  const completion = { choices: [{ message: { role: 'assistant', content } }], usage: { total_tokens: tokens } }
  service.answer = (_, response) => response.writeHead(200).end(JSON.stringify(completion))
}
