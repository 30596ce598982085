// A process of its own that sends requests at a rate, by a schedule that does not wait for responses (an open loop). How long a
// request takes is counted from the moment it was due, so that a server that stands still is seen by all whom it keeps waiting.
import { createHistogram } from 'node:perf_hooks'
import type { Offer, Offered } from './offered.ts'
import { Wire } from './wire.ts'

const LONGEST_MICROSECONDS = 600_000_000
/** What is still under way when the schedule ends gets so long. */
const GRACE_MILLISECONDS = 30_000
const NETWORKS = 250
const OPENED_AT_ONCE = 50
/** A course of so many requests is told one by one. */
const TOLD = 1_000

/** A place for one request at a time. */
interface Lane {
  wire: Wire | undefined
  address: string
  /** What the next request carries over from the last response. */
  carried: string
}

class Sender {
  readonly #offer: Offer
  readonly #took = createHistogram({ lowest: 1, highest: LONGEST_MICROSECONDS, figures: 3 })
  readonly #lanes: Lane[]
  readonly #free: Lane[]
  /** Requests by number that are due and have no lane. */
  readonly #waiting: number[] = []
  #started = 0
  readonly #count = { sent: 0, answered: 0, inTime: 0, shed: 0, refused: 0, failed: 0, unsent: 0 }
  readonly #course: Offered['course'] = []
  #due = 0
  #underWay = 0
  #isStopped = false

  constructor(offer: Offer) {
    this.#offer = offer
    const { connections, carry } = offer
    this.#lanes = Array.from({ length: carry?.values.length ?? connections }, (_, n) => ({
      ...{ wire: undefined, address: `127.${1 + (n % NETWORKS)}.0.1`, carried: carry?.values[n] ?? '' },
    }))
    this.#free = [...this.#lanes]
  }

  stop(): void {
    this.#isStopped = true
  }

  async run(): Promise<Offered> {
    await this.#open()
    this.#started = performance.now()
    const total = this.#offer.rate * this.#offer.seconds
    const dueAt = (n: number) => this.#started + (n * 1000) / this.#offer.rate
    while (this.#due < total && !this.#isStopped) {
      for (const now = performance.now(); this.#due < total && dueAt(this.#due) <= now; this.#due++)
        this.#begin(this.#due)
      await new Promise((next) => setTimeout(next, 1))
    }
    const seconds = (performance.now() - this.#started) / 1000
    for (const end = performance.now() + GRACE_MILLISECONDS; this.#underWay > 0 && performance.now() < end; ) {
      await new Promise((next) => setTimeout(next, 5))
    }
    const at = (percent: number) => this.#took.percentile(percent) / 1000
    const latency = { p50: at(50), p99: at(99), p999: at(99.9), most: this.#took.max / 1000 }
    const carried = this.#lanes.map((lane) => lane.carried)
    return {
      offered: this.#due,
      carried,
      course: this.#course,
      seconds,
      ...this.#count,
      unanswered: this.#underWay,
      latency,
    }
  }

  /** Some at a time: a burst of new connections is an overload of its own, and waits for retransmissions of TCP. */
  async #open(): Promise<void> {
    const { port } = this.#offer
    for (let from = 0; from < this.#lanes.length; from += OPENED_AT_ONCE) {
      const lanes = this.#lanes.slice(from, from + OPENED_AT_ONCE)
      for (const lane of lanes) lane.wire = new Wire(port, lane.address)
      await Promise.all(lanes.map(({ wire }) => wire?.opened))
    }
  }

  #begin(n: number): void {
    const lane = this.#free.pop()
    if (lane) void this.#send(n, lane)
    else if (this.#offer.whenBusy === 'give up') this.#count.unsent++
    else this.#waiting.push(n)
  }

  async #send(n: number, lane: Lane): Promise<void> {
    this.#underWay++
    this.#count.sent++
    const { requests, rate, seconds, carry, port } = this.#offer
    if (!lane.wire?.isOpen) lane.wire = new Wire(port, lane.address)
    try {
      const { status, body } = await lane.wire.send(written(requests[n % requests.length]!, lane.carried))
      const now = performance.now()
      const milliseconds = now - this.#started - (n * 1000) / rate
      if (rate * seconds <= TOLD) this.#course[n] = { status, milliseconds }
      if (status === 503) this.#count.shed++
      else if (status >= 300) this.#count.refused++
      else {
        this.#count.answered++
        if (now <= this.#started + seconds * 1000) this.#count.inTime++
        this.#took.record(Math.max(1, Math.round(milliseconds * 1000)))
        if (carry) lane.carried = carriedIn(body, carry.field)
      }
    } catch {
      this.#count.failed++
      if (rate * seconds <= TOLD) this.#course[n] = { status: 599, milliseconds: 0 }
    }
    this.#underWay--
    const next = this.#waiting.shift()
    if (next === undefined) this.#free.push(lane)
    else void this.#send(next, lane)
  }
}

function carriedIn(body: Buffer, field: string): string {
  const found = new RegExp(`"${field}":"([^"]*)"`).exec(body.toString())?.[1]
  if (found === undefined) throw new Error(`The response has no ${field}`)
  return found
}

function written(
  { method = 'GET', path, headers = {}, body = '' }: Offer['requests'][number],
  carried: string,
): string {
  const content = body.replace('{carried}', carried)
  const length = body === '' ? {} : { 'content-length': Buffer.byteLength(content) }
  const lines = Object.entries({ host: '127.0.0.1', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${content}`
}

const sender = new Sender(JSON.parse(process.argv[2]!))
process.on('message', () => sender.stop())
process.send!(await sender.run())
