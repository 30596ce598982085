// A resource that a subscriber waits for: read as the subscriber reads it, and only when a commit may have changed it. So it tells nothing
// that its subscriber could not read at that moment.
import type { Changes } from '../../database/commit-cache.ts'
import { sha256 } from '../../runtime/hash.ts'
import { type Caller, callOperation } from './call.ts'
import { candidatesOf, type ResourceOptions } from './resources.ts'

/** Two looks are so far apart at least. */
const REST_MILLISECONDS = 400

/** What the subscriber reads when there is nothing, or nothing for it. */
const ABSENT = 'absent'

export interface WatchOptions extends ResourceOptions {
  caller: Caller
  /** Without it, every look reads. */
  changes: Changes | undefined
}

export class WatchedResource {
  readonly uri: string
  readonly #watching: WatchOptions
  /** A hash of what was read. */
  #seen: string | undefined
  #moment = 0
  #tables: ReadonlySet<string> = new Set()
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(uri: string, watching: WatchOptions) {
    this.uri = uri
    this.#watching = watching
  }

  /** Whether it may have changed; `at` is in milliseconds from any moment. */
  isDue(at: number): boolean {
    if (at - this.#lookedAt < REST_MILLISECONDS) return false
    return !this.#watching.changes?.isCurrent(this.#moment, this.#tables)
  }

  /** Reads it. True when it reads differently than the last time. */
  async look(at: number): Promise<boolean> {
    const { changes } = this.#watching
    const tables = new Set<string>()
    const moment = changes?.moment() ?? 0
    const seen = await (changes ? changes.collecting(tables, () => this.#read()) : this.#read())
    this.#lookedAt = at
    // The server is busy: it is due again.
    if (seen === undefined) return false
    const isOther = this.#seen !== undefined && this.#seen !== seen
    this.#seen = seen
    this.#moment = moment
    this.#tables = tables
    return isOther
  }

  /** Undefined where an error of the server says nothing of the resource. */
  async #read(): Promise<string | undefined> {
    const { caller, core, resources } = this.#watching
    const { baseUrl } = core.dependencies.config
    // The first time it is a call of the agent, and counts as one.
    const looking = this.#seen === undefined ? {} : ({ isLooking: true } as const)
    for (const { bound, input } of candidatesOf(this.uri, { resources, baseUrl })) {
      const outcome = await callOperation({ bound, input }, { core, caller, ...looking })
      if ('result' in outcome) return sha256(outcome.result.text)
      const status = 'refused' in outcome ? outcome.refused.status : 400
      if (status >= 500 || status === 429) return undefined
    }
    return ABSENT
  }
}
