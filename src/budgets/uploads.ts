// What uploads hold while they are read: a place and bytes on the disk of this process, for an account, a network and in all. Counted
// in memory, because what is held ends with the process.
import { Problem } from '../contract/problem.ts'
import type { Clock } from '../runtime/clock.ts'
import { shareOfNetwork } from '../runtime/network-share.ts'

/** Uploads of one account that are read at once. */
export const PLACES = { verified: 4, unverified: 1 }
/** How long a further one waits for a place. */
export const WAIT_SECONDS = 30
/** What a form has around its files, which nothing is stored of. */
const FRAME_BYTES = 16 * 1024
/** The largest upload of all must find room in the share of a network. */
const LEAST_SHARE = 32 * 1_048_576
const TICK_MILLISECONDS = 500

/** How much an account may hold, or a group of them, and the refusal of more. */
export interface Room {
  /** The owner, or one of the groups. */
  of: string
  bytes: number
  refuse(): Problem
}

export interface Upload {
  /** The account, or a network without one. */
  owner: string
  network: string
  /** Whose bytes are counted together, besides. */
  groups: readonly string[]
  places: number
  /** The length of its body as its head says it, at most that of its files; 0 where it does not say it. */
  declared: number
  findRooms(): Promise<Room[]>
}

/** An upload that is read. */
export interface OpenUpload {
  /** Counts what came. Throws once it is more than there is room for. */
  arrived(bytes: number): void
  release(): void
}

interface Share {
  open: number
  bytes: number
}

interface QueuedUpload {
  upload: Upload
  since: number
  settle: { resolve(): void; reject(problem: Problem): void }
}

/** Where budgets are lifted. */
const unlimited: OpenUpload = { arrived() {}, release() {} }

export class Uploads {
  readonly #clock: Pick<Clock, 'elapsed'>
  /** Bytes in all; undefined where budgets are lifted. */
  readonly #mostNow: () => number | undefined
  /** By owner and by group. */
  readonly #owners = new Map<string, Share>()
  readonly #networks = new Map<string, Share>()
  readonly #all: Share = { open: 0, bytes: 0 }
  #waiting: QueuedUpload[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(clock: Pick<Clock, 'elapsed'>, mostNow: () => number | undefined) {
    this.#clock = clock
    this.#mostNow = mostNow
  }

  /** Waits for a place; throws `rate_limited` or `unavailable` when there was none in time, and what `findRooms` refuses. */
  async open(upload: Upload): Promise<OpenUpload> {
    if (this.#mostNow() === undefined) return unlimited
    let held = Math.max(0, upload.declared - FRAME_BYTES)
    await this.#place(upload, held)
    let received = 0
    const release = () => {
      this.#count(upload, { open: -1, bytes: -held })
      this.#admit()
    }
    try {
      const rooms = await upload.findRooms()
      const requireRoom = () => {
        const full = rooms.find(({ of, bytes }) => shareIn(this.#owners, of).bytes > bytes)
        if (full) throw full.refuse()
      }
      requireRoom()
      return {
        arrived: (bytes) => {
          received += bytes
          const more = received - FRAME_BYTES - held
          if (more <= 0) return
          if (!this.#hasBytes(upload, more)) throw full()
          held += more
          this.#count(upload, { open: 0, bytes: more })
          requireRoom()
        },
        release: once(release),
      }
    } catch (error) {
      release()
      throw error
    }
  }

  #place(upload: Upload, bytes: number): Promise<void> | undefined {
    const isBehind = this.#waiting.some(({ upload: { owner } }) => owner === upload.owner)
    if (!isBehind && this.#take(upload, bytes)) return undefined
    return new Promise((resolve, reject) => {
      this.#waiting.push({ upload, since: this.#clock.elapsed(), settle: { resolve, reject } })
      this.#timer ??= setInterval(() => this.#giveUp(), TICK_MILLISECONDS).unref()
    })
  }

  #take(upload: Upload, bytes: number): boolean {
    if (!this.#hasPlace(upload) || !this.#hasBytes(upload, bytes)) return false
    this.#count(upload, { open: 1, bytes })
    return true
  }

  #hasPlace({ owner, places }: Upload): boolean {
    return shareIn(this.#owners, owner).open < places
  }

  #hasBytes({ network }: Upload, bytes: number): boolean {
    const most = this.#mostNow() ?? Number.POSITIVE_INFINITY
    const share = Math.max(shareOfNetwork(most), LEAST_SHARE)
    return this.#all.bytes + bytes <= most && shareIn(this.#networks, network).bytes + bytes <= share
  }

  /** The one that waits longest goes first, unless there is no room for that one alone. */
  #admit(): void {
    this.#waiting = this.#waiting.filter(({ upload, settle }) => {
      if (!this.#take(upload, Math.max(0, upload.declared - FRAME_BYTES))) return true
      settle.resolve()
      return false
    })
    this.#rest()
  }

  #giveUp(): void {
    const before = this.#clock.elapsed() - WAIT_SECONDS * 1000
    this.#waiting = this.#waiting.filter(({ upload, since, settle }) => {
      if (since > before) return true
      settle.reject(this.#hasPlace(upload) ? full() : tooMany(upload.places))
      return false
    })
    this.#rest()
  }

  #rest(): void {
    if (this.#waiting.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #count({ owner, network, groups }: Upload, added: Share): void {
    this.#all.open += added.open
    this.#all.bytes += added.bytes
    for (const one of [owner, ...groups]) add(this.#owners, one, added)
    add(this.#networks, network, added)
  }
}

const shareIn = (shares: ReadonlyMap<string, Share>, key: string): Share => shares.get(key) ?? { open: 0, bytes: 0 }

function add(shares: Map<string, Share>, key: string, added: Share): void {
  const share = shareIn(shares, key)
  const open = share.open + added.open
  if (open === 0) shares.delete(key)
  else shares.set(key, { open, bytes: share.bytes + added.bytes })
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

const tooMany = (places: number) =>
  new Problem('rate_limited', `Uploads of one account at once: at most ${places}`, {
    retryAfterSeconds: WAIT_SECONDS,
    standings: [{ policy: 'uploads-at-once', quota: places, remaining: 0 }],
  })

const full = () =>
  new Problem('unavailable', 'Too much is uploaded right now; try again in a moment', {
    retryAfterSeconds: WAIT_SECONDS,
  })
