// What is attacked: a server of our own, or one that an operator names. It hands out people, their codes and what else an attack needs.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../test/http-service.ts'
import { freshEmail, freshPassword, Person } from './person.ts'
import { type Place, type Reply, type Sent, sendBytes, sendRequest } from './request.ts'
import type { Local, Mail } from './server.ts'
import { GaveWay, type Need, Skipped } from './verdict.ts'

const MAIL_MILLISECONDS = 10_000
const CODE = /^\d{6}$/m

/** Whether a mail has a code. */
export const hasCode = ({ body }: Mail): boolean => CODE.test(body)

export interface Credentials {
  email: string
  password: string
}

export class Target {
  readonly place: Place
  readonly local: Local | undefined
  readonly offers: ReadonlySet<Need>
  readonly #service: Service | undefined
  readonly #accounts: readonly Credentials[]
  readonly #members = new Map<string, Promise<Person>>()
  readonly #roles = new Set<string>()
  #networks = 0

  constructor({
    place,
    local,
    service,
    offers,
    accounts = [],
  }: {
    place: Place
    local?: Local
    service?: Service
    offers: Iterable<Need>
    accounts?: readonly Credentials[]
  }) {
    this.place = place
    this.local = local
    this.#service = service
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

  /** A service that the operator of the server names in PRIVATE_SERVICES; it says what an attack lets it say. */
  get service(): Service {
    if (!this.#service) throw new Skipped('only against a server of its own')
    return this.#service
  }

  /** The time of the server, in seconds since 1970, as far as it can be known. */
  async seconds(): Promise<number> {
    return Math.floor(((await this.local?.time()) ?? Date.now()) / 1_000)
  }

  /** Does it while the clock of the server is this far ahead. */
  async ahead<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
    await this.own.setAhead(seconds)
    try {
      return await work()
    } finally {
      await this.own.setAhead(0)
    }
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
    const password = freshPassword()
    const person = Object.assign(this.anonymous(network), { email, password })
    const { user } = await person.api.accounts.signUp({ name: 'A member', email, password })
    return Object.assign(person, { id: user.id })
  }

  /** A new account whose address is verified. */
  async verified(options: { email?: string; network?: string } = {}): Promise<Person> {
    const person = await this.newcomer(options)
    await person.api.accounts.verifyEmail({ code: await this.code(person.email) })
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
    if (credentials) {
      const person = Object.assign(this.anonymous(), credentials)
      return Object.assign(person, { id: (await person.signIn()).user.id })
    }
    const person = await (this.local ? this.verified({ email: freshEmail(name) }) : this.newcomer())
    await person.api.profile.setUsername({ username: `${name}-${person.id.slice(-8)}` })
    return person
  }

  /** A member with this role. */
  async withRole(role: 'moderator' | 'admin'): Promise<Person> {
    const person = await this.member(role)
    if (this.#roles.has(role)) return person
    const { code, output } = await this.own.admin('grant', person.email, role)
    if (code !== 0) throw new Error(output)
    this.#roles.add(role)
    return person
  }

  /** The mails to an address, once one of them matches, or more than `after` do. */
  async mails(email: string, wanted: (mail: Mail) => boolean = () => true, after = 0): Promise<Mail[]> {
    for (const until = Date.now() + MAIL_MILLISECONDS; ; await sleep(50)) {
      const mails = await this.own.mails(email)
      if (mails.filter(wanted).length > after) return mails
      if (Date.now() > until) throw new GaveWay(`no such mail came to ${email}; ${mails.length} did`)
    }
  }

  /** The newest code that was mailed to an address; `after` passes over those that were there. */
  async code(email: string, after = 0): Promise<string> {
    const newest = (await this.mails(email, hasCode, after)).findLast(hasCode)
    return newest?.body.match(CODE)?.[0] ?? ''
  }

  /** The code that is mailed to an address because of this. */
  async codeMailedBy(email: string, ask: () => Promise<unknown>): Promise<string> {
    const before = await this.codesMailed(email)
    await ask()
    return this.code(email, before)
  }

  /** How many mails with a code came to an address, once no more are on their way. */
  async codesMailed(email: string): Promise<number> {
    const unsent = 'select "id" from "outbox" where "recipient" = ? and "sentAt" is null'
    const until = Date.now() + MAIL_MILLISECONDS
    do await sleep(300)
    while ((await this.own.query(unsent, email.toLowerCase())).length > 0 && Date.now() < until)
    return (await this.own.mails(email)).filter(hasCode).length
  }
}
