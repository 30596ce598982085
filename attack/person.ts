// A user with a browser: a cookie jar, an address, perhaps a network of their own. Every request is written by hand.
import { createHash, randomBytes } from 'node:crypto'
import { type Place, type Reply, type Sent, sendRequest } from './request.ts'

export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'Content-Type': 'application/json' }

export interface Upload {
  field: string
  filename?: string
  content: string | Uint8Array
  type?: string
}

export class Person {
  readonly place: Place
  /** What X-Forwarded-For says; the limited server believes it. */
  network: string | undefined
  readonly cookies = new Map<string, string>()
  token: string | undefined
  email = ''
  password = ''
  id = ''

  constructor(place: Place, network?: string) {
    this.place = place
    this.network = network
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

  get(path: string, headers?: Record<string, string>): Promise<Reply> {
    return this.send({ path, ...(headers && { headers }) })
  }

  /** Sends JSON; `body` that is text goes out as it is. */
  json(method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return this.send({ method, path, headers: { ...JSON_BODY, ...headers }, body: text })
  }

  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply> {
    return this.json('POST', path, body, headers)
  }

  /** Sends a form of a page, as a browser without script does. */
  form(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> {
    const body = new URLSearchParams(fields).toString()
    return this.send({ method: 'POST', path, headers: { ...FORM, ...headers }, body })
  }

  /** Sends multipart/form-data. */
  upload(
    path: string,
    parts: readonly Upload[],
    { method = 'POST', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<Reply> {
    const boundary = `b${randomBytes(12).toString('hex')}`
    const type = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }
    return this.send({ method, path, headers: { ...type, ...headers }, body: multipart(parts, boundary) })
  }

  /** The same person in another browser, not signed in. */
  elsewhere(network = this.network): Person {
    const other = new Person(this.place, network)
    Object.assign(other, { email: this.email, password: this.password, id: this.id })
    return other
  }

  signIn(password = this.password): Promise<Reply> {
    return this.post('/api/auth/sign-in/email', { email: this.email, password })
  }

  /** Whether the cookie still belongs to a session. */
  async isSignedIn(): Promise<boolean> {
    const session = (await this.get('/api/auth/get-session')).json()
    return Boolean(session?.['user'])
  }
}

/** A multipart body. */
export function multipart(parts: readonly Upload[], boundary: string): Buffer {
  const chunks = parts.flatMap(({ field, filename, content, type }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n${
        filename === undefined ? '' : `Content-Type: ${type ?? 'application/octet-stream'}\r\n`
      }\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
}

/** A PKCE pair. */
export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** An address that no other run of the program uses. */
export const freshEmail = (name = 'attack'): string => `${name}-${randomBytes(6).toString('hex')}@example.com`

/** A password that is on no list. */
export const freshPassword = (): string => `long ${randomBytes(9).toString('base64url')} phrase`
