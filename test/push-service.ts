// A push service for tests: a real https server on this machine, which a test reaches by `home`. It reads what arrives as a browser does, with the
// reference implementation of the encryption, and checks who sent it.
import assert from 'node:assert/strict'
import { createECDH, type ECDH, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import ece from 'http_ece'
import { importJWK, jwtVerify } from 'jose'
import { required } from '../src/runtime/untyped.ts'

const fixture = (name: string) => readFileSync(new URL(`./fixtures/loopback/${name}`, import.meta.url), 'utf8')
const ca = fixture('certificate.pem')

interface ArrivedPush {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface PushService {
  origin: string
  arrived: ArrivedPush[]
  /** What the next requests are answered; 201 unless set. */
  answer: (request: IncomingMessage, response: ServerResponse) => void
}

/** Runs with a service that listens, and closes it. */
export async function withPushService(run: (service: PushService) => Promise<void>): Promise<void> {
  const service: PushService = { origin: '', arrived: [], answer: (_, response) => response.writeHead(201).end() }
  const server = createServer({ key: fixture('key.pem'), cert: ca }, async (request, response) => {
    service.arrived.push({ path: request.url ?? '', headers: request.headers, body: await buffer(request) })
    service.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  service.origin = `https://localhost:${(server.address() as AddressInfo).port}`
  try {
    await run(service)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** The keys of a browser, and what it gives the site. */
export class PushBrowser {
  readonly #key: ECDH = createECDH('prime256v1')
  readonly #auth = randomBytes(16).toString('base64url')
  readonly path = `/send/${randomBytes(6).toString('hex')}`

  constructor() {
    this.#key.generateKeys()
  }

  /** As `PushSubscription.toJSON` gives it. */
  at({ origin }: Pick<PushService, 'origin'>) {
    const p256dh = this.#key.getPublicKey().toString('base64url')
    return { endpoint: `${origin}${this.path}`, keys: { p256dh, auth: this.#auth } }
  }

  /** What arrived for it, in the order in which it came. */
  read({ arrived }: PushService): { title: string; body: string; url: string; tag: string }[] {
    const keys = { version: 'aes128gcm', privateKey: this.#key, authSecret: this.#auth } as const
    return arrived
      .filter(({ path }) => path === this.path)
      .map(({ body }) => JSON.parse(ece.decrypt(body, keys).toString()))
  }
}

/** The claims of the token that a request came with, signed by the key that it names (RFC 8292). */
export async function vapidOf({ headers }: ArrivedPush) {
  const [, token, point] = required(/^vapid t=([\w.-]+), k=([\w-]+)$/.exec(String(headers.authorization)))
  const bytes = Buffer.from(String(point), 'base64url')
  assert.deepEqual([bytes.length, bytes[0]], [65, 4])
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((half) => half.toString('base64url'))
  const key = await importJWK({ kty: 'EC', crv: 'P-256', x: required(x), y: required(y) }, 'ES256')
  const { payload } = await jwtVerify(String(token), key, { algorithms: ['ES256'], clockTolerance: 10 * 86_400 })
  return { publicKey: point, payload }
}
