// Ships what is committed as parts of a stream. One rule of order: rows go into the target after every file that they name is kept there. What
// was read stays here until it is shipped, also when something fails in between.
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock, timestamp } from '../runtime/clock.ts'
import { BlobError, type Blobs } from '../storage/blobs.ts'
import type { Mark } from './mark.ts'
import type { Repository } from './repository.ts'
import type { Files } from './snapshot.ts'
import { keyOfPart, type Part, writePart } from './stream.ts'
import { keepArtifact, keepObject } from './taking.ts'
import { joined, type PageChanges, type Position } from './wal-frames.ts'
import type { LogReading, WalTail } from './wal-tail.ts'

/** A file that is not there after this time was lost before, or something else removed it: the rows are shipped without it. */
const PATIENCE_MILLISECONDS = 60_000
/** While the target does not take it, so much is read ahead; the rest stays in the log of the database. */
const MOST_PAGES = 16_384
const AGAIN_MILLISECONDS = 500

export interface ShipperOptions {
  repository: Repository
  blobs: Blobs
  tail: WalTail
  /** Whether the database is still there under its name. */
  mark: Mark
  isThere: () => boolean
  complain: (sentence: string) => void
}

/** What was read, and waits for the files that it names. */
interface PendingPart {
  time: string
  changed: PageChanges | undefined
  position: Position
  hasMore: boolean
}

export class Shipper {
  readonly #from: ShipperOptions
  readonly stream: string
  #number: number
  #unshipped: PendingPart | undefined
  /** Files that rows of it name and that are not kept yet, and since when. */
  #missing = new Map<string, number>()
  #files: Files = { artifacts: [], objects: [] }
  /** On its way, under a name that it keeps: the target may have taken it although it said otherwise. */
  #part: { key: string; part: Part } | undefined
  /** Artifacts that the stream has since the last backup began. */
  #kept = new Set<string>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(from: ShipperOptions, { stream, number }: { stream: string; number: number }) {
    this.#from = from
    this.stream = stream
    this.#number = number
  }

  /** The length of the log. */
  get logBytes(): number {
    return this.#from.tail.bytes
  }

  /** How many parts the stream has. */
  get number(): number {
    return this.#number
  }

  /** A backup lists the files that are there from now on: parts after it name each one again. */
  forgetKept(): void {
    this.#kept.clear()
    this.#from.repository.forget()
  }

  /** Resolves with whether everything is shipped that was committed before. One pass runs at a time; `always` ends with a part. */
  pass(always = false): Promise<boolean> {
    const result = this.#turn.then(() => this.#pass(always))
    this.#turn = result.catch(() => {})
    return result
  }

  /** Resolves when a part says that everything is shipped that was committed before; rejects when that fails after `signal`, or the database is gone. */
  async whole(signal: AbortSignal): Promise<void> {
    while (!(await this.pass(true).catch(() => false))) {
      if (signal.aborted || !this.#from.isThere()) throw new Error('the last changes are not in the backup')
      await sleep(AGAIN_MILLISECONDS)
    }
  }

  async #pass(always: boolean): Promise<boolean> {
    await this.#write()
    this.#from.tail.holdOn()
    this.#read()
    for (const [name, since] of this.#missing) {
      if ((await this.#keep(name)) || !this.#from.tail.isNamed(name)) this.#missing.delete(name)
      else if (performance.now() - since > PATIENCE_MILLISECONDS && this.#from.isThere()) {
        this.#from.complain(`${name} is not there, though a row names it: npm run admin -- verify has more`)
        this.#missing.delete(name)
      }
    }
    if (this.#missing.size > 0) return false
    if (!this.#unshipped && !always) return true
    this.#unshipped ??= this.#readNow(undefined, false)
    const { hasMore, ...read } = this.#unshipped
    const part = { ...read, hasMore, files: this.#files }
    this.#part = { key: keyOfPart(this.stream, this.#number, read.time), part }
    this.#unshipped = undefined
    this.#files = { artifacts: [], objects: [] }
    await this.#write()
    return hasMore ? this.#pass(always) : true
  }

  #readNow(changed: PageChanges | undefined, hasMore: boolean): PendingPart {
    return { time: timestamp(systemClock.now()), changed, position: this.#from.tail.position, hasMore }
  }

  async #write(): Promise<void> {
    if (!this.#part) return
    await writePart(this.#from.repository, this.#part.key, this.#part.part)
    this.#part = undefined
    this.#number++
  }

  #read(): void {
    const { tail, isThere } = this.#from
    if ((this.#unshipped?.changed?.changed.size ?? 0) > MOST_PAGES) return
    const hasMore = this.#take(tail.read())
    if (hasMore || !tail.isLong || !isThere()) return
    tail.startOver((read) => {
      this.#take(read)
      this.#leave()
    })
  }

  /** Returns whether there is more to read now. */
  #take({ changed, names, hasMore }: LogReading): boolean {
    for (const name of names) if (!this.#kept.has(name)) this.#missing.set(name, performance.now())
    const all = joined(this.#unshipped?.changed, changed)
    if (all) this.#unshipped = this.#readNow(all, hasMore)
    return hasMore
  }

  /** Of a log that starts over nothing else has what was not shipped. */
  #leave(): void {
    const { artifacts, objects } = this.#files
    const kept = [...artifacts.map(({ sha256 }) => `artifacts/${sha256}`), ...objects.map(({ key }) => key)]
    this.#from.mark.leave({
      ...{ stream: this.stream, number: this.#number, names: [...kept, ...this.#missing.keys()] },
      ...{ changed: this.#unshipped?.changed, position: this.#from.tail.position },
    })
  }

  /** False when it is not there. */
  async #keep(name: string): Promise<boolean> {
    const { repository, blobs } = this.#from
    const isArtifact = name.startsWith('artifacts/')
    if (isArtifact) {
      const artifact = await unlessDamaged(keepArtifact(repository, blobs, name.slice('artifacts/'.length)))
      if (!artifact) return false
      this.#files.artifacts.push(artifact)
      this.#kept.add(name)
      return true
    }
    const object = await unlessDamaged(keepObject(repository, blobs, name))
    if (object) this.#files.objects.push(object)
    return object !== undefined
  }
}

async function unlessDamaged<Kept>(keeping: Promise<Kept | undefined>): Promise<Kept | undefined> {
  try {
    return await keeping
  } catch (error) {
    if (error instanceof BlobError && error.code === 'corrupt') return undefined
    throw error
  }
}
