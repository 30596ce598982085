// A receiver of webhooks: a real https server on this machine, which a test reaches by `home`, and a verifier of its own.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

const fixture = (name: string) => readFileSync(new URL(`./fixtures/loopback/${name}`, import.meta.url), 'utf8')
const ca = fixture('certificate.pem')

/** Allows this machine alone. */
export const home = { isAllowed: (address: string) => /^(127\.|::1$)/.test(address), ca }

export interface Arrived {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Receiver {
  url: string
  arrived: Arrived[]
  /** What the next requests are answered; 204 unless set. */
  answer: (request: IncomingMessage, response: ServerResponse) => void
}

/** Runs with a receiver that listens, and closes it. */
export async function receiving(run: (receiver: Receiver) => Promise<void>): Promise<void> {
  const receiver: Receiver = { url: '', arrived: [], answer: (_request, response) => response.writeHead(204).end() }
  const server = createServer({ key: fixture('key.pem'), cert: ca }, async (request, response) => {
    const body = await text(request)
    receiver.arrived.push({ path: request.url ?? '', headers: request.headers, body })
    receiver.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `https://localhost:${(server.address() as AddressInfo).port}/hook`
  try {
    await run(receiver)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Whether one of the signatures is that of a secret, as the specification describes it (Standard Webhooks 1.0.0). */
export function isSigned({ headers, body }: Arrived, secret: string | null): boolean {
  const key = Buffer.from((secret ?? '').replace('whsec_', ''), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(expected)
}
