// Reads the versions of an item a page at a time, newest first, until the wanted one is found.
import { setImmediate as pause } from 'node:timers/promises'
import { Problem } from '../../contract/problem.ts'
import type { Db } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { findVersion } from '../items/queries.ts'
import { choose, exactOf, type VersionChoice, wantedOf } from './choosing.ts'
import { listVersionPage, type NamedVersion } from './queries.ts'

const PAGE = 500

export class ItemVersions {
  readonly #db: Db
  readonly #itemId: string
  readonly #pages: (readonly NamedVersion[])[] = []
  #read = 0
  /** Concurrent callers share a page that is being read. */
  #reading: Promise<boolean> | undefined
  #isComplete = false

  /** `newest` are versions that were read already, newest first. */
  constructor(db: Db, itemId: string, newest: readonly NamedVersion[] = []) {
    this.#db = db
    this.#itemId = itemId
    if (newest.length > 0) this.#pages.push(newest)
    this.#read = newest.length
    this.#isComplete = newest.at(-1)?.number === 1
  }

  /** The version that a name or range selects. */
  async choose(wanted: VersionChoice): Promise<NamedVersion | undefined> {
    for (let at = 0; ; at++) {
      if (at === this.#pages.length && !(await this.#next())) return choose(this.#pages.flat(), wanted)
      const chosen = choose(required(this.#pages[at]), wanted, { isPart: true })
      if (chosen) return chosen
    }
  }

  #next(): Promise<boolean> {
    this.#reading ??= this.#readOn().finally(() => (this.#reading = undefined))
    return this.#reading
  }

  /** Reads another page; false where there is none. Yields to other requests first. */
  async #readOn(): Promise<boolean> {
    if (this.#isComplete) return false
    if (this.#read > 0) await pause()
    const page = await listVersionPage(this.#db, this.#itemId, { limit: PAGE, offset: this.#read })
    this.#isComplete = page.length < PAGE
    this.#read += page.length
    if (page.length > 0) this.#pages.push(page)
    return page.length > 0
  }
}

/** The version that a field of a request names; throws `invalid_request` for what is neither version nor range, and `not_found`. */
export async function getChosen(
  db: Db,
  itemId: string,
  { field, asked }: { field: string; asked: string },
): Promise<{ choice: VersionChoice; version: NamedVersion }> {
  const choice = wantedOf(asked)
  if (!choice) throw new Problem('invalid_request', `${field}: must be a version, a range such as ^1.4, or latest`)
  const exact = exactOf(choice)
  const version =
    exact === undefined ? await new ItemVersions(db, itemId).choose(choice) : await findVersion(db, itemId, exact)
  if (!version) throw new Problem('not_found', `No version of this item is ${asked}`)
  return { choice, version }
}
