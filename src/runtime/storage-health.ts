// The one place that receives every outage: it writes the log line, counts for the metrics, and remembers lasting outages.

import { pairsOf } from './counts.ts'
import type { Log } from './log.ts'
import { type Outage, outageKinds, outageOf, storeNames } from './outage.ts'

/** The same outage is logged once in this time, regardless of the number of requests; the line contains their number. */
const QUIET_MILLISECONDS = 5_000

export class StorageHealth {
  readonly #log: Log
  readonly #logged = new Map<string, { at: number; count: number }>()
  /** How often each was met, by `store|kind`. */
  readonly counts = new Map(pairsOf(storeNames, outageKinds).map((key) => [key, 0]))
  #full = false

  constructor(log: Log) {
    this.#log = log
  }

  /** Whether a write failed because there was no room, and none has succeeded since. */
  get isFull(): boolean {
    return this.#full
  }

  /** Something was written again. */
  clearFull(): void {
    if (this.#full) this.#log.info('the disk has room again')
    this.#full = false
  }

  /** Returns whether an error is an outage; if so, logs and counts it. `context` is added to the line. */
  report(error: unknown, context: Record<string, unknown> = {}): Outage | undefined {
    const outage = outageOf(error)
    if (outage) this.note(outage, { err: error, ...context })
    return outage
  }

  /** Logs and counts an outage. */
  note(outage: Outage, context: Record<string, unknown> = {}): void {
    const { store, kind, reason } = outage
    const key = `${store}|${kind}`
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
    if (kind === 'full') this.#full = true
    const last = this.#logged.get(key)
    if (last && performance.now() - last.at < QUIET_MILLISECONDS) {
      last.count++
      return
    }
    this.#logged.set(key, { at: performance.now(), count: 0 })
    const more = last?.count ? { notLoggedMeanwhile: last.count } : {}
    const level = kind === 'broken' || kind === 'malformed' ? 'fatal' : 'error'
    this.#log[level]({ ...context, store, kind, reason, ...more }, `${wordsFor(outage)}: ${reason}`)
  }
}

const names: Record<Outage['store'], string> = {
  database: 'the database',
  files: 'the store of files',
  mail: 'the mail server',
}

function wordsFor({ store, kind }: Outage): string {
  if (kind === 'full') return `the disk is full (${names[store]})`
  if (kind === 'away') return `${names[store]} does not answer`
  if (kind === 'busy') return `${names[store]} is busy`
  if (kind === 'malformed') {
    return store === 'database' ? 'the database is malformed: restore from a backup' : 'a stored file is damaged'
  }
  return store === 'database' ? 'the disk failed: writes are disabled until a restart' : `${names[store]} failed`
}
