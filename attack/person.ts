// A user with a browser: a cookie jar, a network, and the published client, which has both. What no client sends is written by hand.
import { randomBytes } from 'node:crypto'
import { type Client, createClient, type Fetch, type FetchResponse } from '../client/src/main-node.ts'
import { contentType, encode, type Part } from '../test/multipart.ts'
import { type Place, type Reply, type Sent, sendRequest } from './request.ts'

export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'Content-Type': 'application/json' }
/** The key that the client makes for each write. */
const OWN_KEY = /^"[0-9a-f]{32}"$/

export class Person {
  readonly place: Place
  /** What X-Forwarded-For says; the limited server believes it. */
  network: string | undefined
  readonly cookies = new Map<string, string>()
  token: string | undefined
  email = ''
  password = ''
  id = ''
  #api: Client | undefined

  constructor(place: Place, network?: string) {
    this.place = place
    this.network = network
  }

  /** The operations of the server; one that it refuses is a GuildhallError. Each call is sent once. */
  get api(): Client {
    this.#api ??= createClient({ url: this.place.origin, fetch: this.fetch, retries: 0 })
    return this.#api
  }

  /** For functions of the client: sends with what this person has. */
  readonly fetch: Fetch = async (url, init) => {
    const request = new Request(url, init)
    const headers = Object.fromEntries(request.headers)
    // An attacker sends no key, so that only the server keeps a write from being made twice.
    if (OWN_KEY.test(headers['idempotency-key'] ?? '')) delete headers['idempotency-key']
    const { pathname, search } = new URL(url)
    const body = request.body && Buffer.from(await request.arrayBuffer())
    return responseOf(
      await this.send({ method: request.method, path: pathname + search, headers, ...(body && { body }) }),
    )
  }

  /** Sends a request with what this person has; cookies of the answer are kept. */
  async send(sent: Sent): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await sendRequest(this.place, {
      ...sent,
      headers: {
        ...(this.network && { 'X-Forwarded-For': this.network }),
        ...(cookie && { Cookie: cookie }),
        ...(this.token && { Authorization: `Bearer ${this.token}` }),
        ...sent.headers,
      },
    })
    for (const line of reply.cookies) this.#keep(line)
    return reply
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = line.match(/^([^=;]+)=([^;]*)/) ?? []
    if (value === '' || /max-age=0\b|expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.send({ path, headers })
  }

  /** Sends JSON that the client would not send; `body` that is text goes out as it is. */
  post(path: string, body: unknown, headers: Record<string, string> = {}, method = 'POST'): Promise<Reply> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return this.send({ method, path, headers: { ...JSON_BODY, ...headers }, body: text })
  }

  /** Sends a form of a page, as a browser without script does. */
  form(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> {
    const body = new URLSearchParams(fields).toString()
    return this.send({ method: 'POST', path, headers: { ...FORM, ...headers }, body })
  }

  /** Sends files whose names the client would escape. */
  upload(path: string, parts: Part[], type = contentType): Promise<Reply> {
    return this.send({ method: 'POST', path, headers: { 'Content-Type': type }, body: encode(parts) })
  }

  /** The same person in another browser, not signed in. */
  elsewhere(network = this.network): Person {
    const { email, password, id } = this
    return Object.assign(new Person(this.place, network), { email, password, id })
  }

  signIn(password = this.password) {
    return this.api.accounts.signIn({ email: this.email, password })
  }

  /** Whether the cookie still belongs to a session. */
  async isSignedIn(): Promise<boolean> {
    return (await this.api.accounts.getSession()) !== null
  }
}

/** By hand: a server that closed before it had the whole body has the status 0, which is none for the platform. */
const responseOf = ({ status, headers, bytes, text }: Reply): FetchResponse => ({
  ok: status >= 200 && status < 300,
  status,
  headers: new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
  ),
  body: new Response(new Uint8Array(bytes)).body,
  text: async () => text,
  arrayBuffer: async () => new Uint8Array(bytes).buffer,
})

/** An address that no other run of the program uses. */
export const freshEmail = (name = 'attack'): string => `${name}-${randomBytes(6).toString('hex')}@example.com`

/** A password that is on no list. */
export const freshPassword = (): string => `long ${randomBytes(9).toString('base64url')} phrase`
