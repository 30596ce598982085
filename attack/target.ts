// What is attacked: a server of our own, or one that an operator names. It hands out people, their codes and what else an attack needs.
import { freshEmail, freshPassword, Person } from './person.ts'
import { type Place, type Reply, type Sent, sendBytes, sendRequest } from './request.ts'
import type { Local, Mail } from './server.ts'
import { GaveWay, type Need, Skipped } from './verdict.ts'

const MAIL_MILLISECONDS = 10_000

export interface Credentials {
  email: string
  password: string
}

export class Target {
  readonly place: Place
  readonly local: Local | undefined
  readonly offers: ReadonlySet<Need>
  readonly #accounts: readonly Credentials[]
  readonly #members = new Map<string, Promise<Person>>()
  #networks = 0

  constructor({
    place,
    local,
    offers,
    accounts = [],
  }: {
    place: Place
    local?: Local
    offers: Iterable<Need>
    accounts?: readonly Credentials[]
  }) {
    this.place = place
    this.local = local
    this.offers = new Set(offers)
    this.#accounts = accounts
  }

  get origin(): string {
    return this.place.origin
  }

  /** The process and folder behind it. Attacks that call this say that they need them. */
  get own(): Local {
    if (!this.local) throw new Skipped('only against a server of its own')
    return this.local
  }

  send(sent: Sent): Promise<Reply> {
    return sendRequest(this.place, sent)
  }

  bytes(bytes: string | Buffer, milliseconds?: number): Promise<string> {
    return sendBytes(this.place, bytes, milliseconds)
  }

  /** Not signed in; on the limited server from a network of its own. */
  anonymous(network?: string): Person {
    return new Person(this.place, network ?? this.network())
  }

  /** An address of a network that was not used before; undefined where the server does not believe it. */
  network(): string | undefined {
    if (!this.offers.has('networks')) return undefined
    this.#networks++
    return `11.${Math.floor(this.#networks / 250)}.${this.#networks % 250}.7`
  }

  /** A new account, signed in, whose address was never verified. */
  async newcomer({ email = freshEmail(), network }: { email?: string; network?: string } = {}): Promise<Person> {
    const person = this.anonymous(network)
    person.email = email
    person.password = freshPassword()
    const reply = await person.post('/api/auth/sign-up/email', { name: 'A member', email, password: person.password })
    const user = reply.json()?.['user'] as { id: string } | undefined
    if (!user) throw new Error(`No account could be made: ${reply.status} ${reply.text.slice(0, 200)}`)
    person.id = user.id
    return person
  }

  /** A new account whose address is verified. */
  async verified(options: { email?: string; network?: string } = {}): Promise<Person> {
    const person = await this.newcomer(options)
    const reply = await person.post('/api/auth/verify-email', { code: await this.code(person.email) })
    if (reply.status !== 200) throw new Error(`The address could not be verified: ${reply.status} ${reply.text}`)
    return person
  }

  /** The member of this name: made, or signed in to, when first asked for. */
  member(name: string): Promise<Person> {
    let member = this.#members.get(name)
    if (!member) {
      member = this.#makeMember(name)
      this.#members.set(name, member)
    }
    return member
  }

  async #makeMember(name: string): Promise<Person> {
    const credentials = this.local ? undefined : this.#accounts[this.#members.size]
    if (!credentials) {
      const person = await (this.local ? this.verified({ email: freshEmail(name) }) : this.newcomer())
      await person.post('/api/community/username', { username: `${name}-${person.id.slice(-8)}` })
      return person
    }
    const person = Object.assign(this.anonymous(), credentials)
    const reply = await person.signIn()
    const user = reply.json()?.['user'] as { id: string } | undefined
    if (!user) throw new Error(`${credentials.email} could not sign in: ${reply.status}`)
    person.id = user.id
    return person
  }

  /** A member with this role. */
  async withRole(role: 'moderator' | 'admin'): Promise<Person> {
    const person = await this.member(role)
    const { code, output } = await this.own.admin('grant', person.email, role)
    if (code !== 0) throw new Error(output)
    return person
  }

  /** The mails to an address, once one of them matches. */
  async mails(email: string, wanted: (mail: Mail) => boolean = () => true): Promise<Mail[]> {
    const until = Date.now() + MAIL_MILLISECONDS
    for (;;) {
      const mails = await this.own.mails(email)
      if (mails.some(wanted)) return mails
      if (Date.now() > until) throw new GaveWay(`no such mail came to ${email}; ${mails.length} did`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** The code in the newest mail to an address that has one; `after` passes over those that were there. */
  async code(email: string, { after = 0 }: { after?: number } = {}): Promise<string> {
    const hasCode = ({ body }: Mail) => /^\d{6}$/m.test(body)
    const until = Date.now() + MAIL_MILLISECONDS
    for (;;) {
      const codes = (await this.own.mails(email)).filter(hasCode)
      if (codes.length > after) return codes.at(-1)!.body.match(/^\d{6}$/m)![0]
      if (Date.now() > until) throw new GaveWay(`no code was mailed to ${email}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** How many mails with a code came to an address, once no more are on their way. */
  async codesMailed(email: string): Promise<number> {
    const unsent = 'select "id" from "outbox" where "recipient" = ? and "sentAt" is null'
    const until = Date.now() + MAIL_MILLISECONDS
    do await new Promise((resolve) => setTimeout(resolve, 300))
    while ((await this.own.query(unsent, email.toLowerCase())).length > 0 && Date.now() < until)
    return (await this.own.mails(email)).filter(({ body }) => /^\d{6}$/m.test(body)).length
  }
}
