// Which writes a continuous backup has shipped, and when: by reading each part of its stream.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRepository, type Repository } from '../../src/operator/repository.ts'
import { readPart } from '../../src/operator/stream.ts'

const LOOK_MILLISECONDS = 50

/** The title of a write; the digits are all of its number. */
export const titleOf = (number: number): string => `Shipped ${String(number).padStart(8, '0')}.`
const TITLE = /Shipped (\d{8})\./g

/** By its name, which is `streams/20261128t061210.123z/...` (src/operator/snapshot.ts, nameOfTime). */
function timeOfStream(key: string): number {
  const [, year, month, day, ...time] = key.match(/\/(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d\.\d{3})z\//) ?? []
  const begun = Date.parse(`${year}-${month}-${day}T${time.join(':')}Z`)
  if (Number.isNaN(begun)) throw new Error(`${key} does not say when its stream began`)
  return begun
}

export class Shipped {
  /** When the first part that has it got its name, in milliseconds, by the number of the write. */
  readonly at = new Map<number, number>()
  /** When the newest stream began, in milliseconds. What was written before is in its backup. */
  begunAt = 0
  readonly #folder: string
  readonly #repository: Repository
  readonly #known = new Set<string>()
  #isClosed = false
  readonly #looking: Promise<void>

  private constructor(folder: string, repository: Repository) {
    this.#folder = folder
    this.#repository = repository
    this.#looking = this.#look()
  }

  /** Looks at the backups in a folder, which may be empty, until it is closed. */
  static async in(folder: string): Promise<Shipped> {
    return new Shipped(folder, await openRepository(`file:${folder}`, { passphrase: undefined, mayBegin: true }))
  }

  async #look(): Promise<void> {
    for (; !this.#isClosed; await sleep(LOOK_MILLISECONDS)) {
      const keys = (await this.#repository.list('streams')).filter((key) => !this.#known.has(key))
      for (const key of keys) {
        this.#known.add(key)
        this.begunAt = Math.max(this.begunAt, timeOfStream(key))
        // A rename sets this time of a file (storage/file-blobs.ts).
        const at = statSync(join(this.#folder, 'objects', `${key}=`)).ctimeMs
        const { changed } = await readPart(this.#repository, key)
        for (const page of changed?.changed.values() ?? []) this.#note(page.toString('latin1'), at)
      }
    }
  }

  #note(page: string, at: number): void {
    for (const [, digits] of page.matchAll(TITLE)) {
      const number = Number(digits)
      if (!this.at.has(number)) this.at.set(number, at)
    }
  }

  /** Rejects when a part could not be read. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#looking
    this.#repository.close()
  }
}
