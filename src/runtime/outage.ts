// The database, stored files or mail can be unavailable, full or damaged. Such an error is distinguished from a programming error by
// its shape alone, and the response is 503 everywhere.
import { isOverQuota, kindOfCode, reasonOf, SqliteFault } from '@guildhall/durable-sqlite/fault'
import { pairsOf } from './counts.ts'
import type { Log } from './log.ts'
import { detailsOf, type ErrorDetails, toError } from './untyped.ts'

// The one place that receives every outage: it writes the log line, counts for the metrics, and remembers lasting outages.

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

export { reasonOf }

/**
 * `broken` and `malformed` last until the operator acts; `full`, `away` and `busy` pass.
 * broken: the disk reported an error. malformed: the database's pages contradict each other.
 */
export type OutageKind = 'broken' | 'malformed' | 'full' | 'away' | 'busy'
export type Store = 'database' | 'files' | 'mail'

interface Outage {
  store: Store
  kind: OutageKind
  /** For the operator: the messages of the error and its causes. */
  reason: string
}

/** An error that names the outage itself. */
export class OutageError extends Error {
  readonly outage: Outage

  constructor({ store, kind, reason }: Outage, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'OutageError'
    this.outage = { store, kind, reason }
  }
}

const RETRY_SECONDS: Record<OutageKind, number> = { broken: 120, malformed: 120, full: 60, away: 15, busy: 5 }
/** When the same request may succeed: becomes `Retry-After`. */
export const retryAfterSeconds = ({ kind }: Outage): number => RETRY_SECONDS[kind]

/** Every store and kind of outage, as the metrics count them. */
const storeNames = ['database', 'files', 'mail'] as const satisfies readonly Store[]
const outageKinds = Object.keys(RETRY_SECONDS) as OutageKind[]

const sentences: Record<Store, Record<OutageKind, string>> = {
  database: {
    broken: 'Nothing can be written right now: the disk failed. The operator has been told; try again later',
    malformed: 'The database is damaged. The operator has been told; try again later',
    full: 'Nothing can be written right now: the disk is full. Try again later',
    away: 'The database does not answer right now; try again in a moment',
    busy: 'The database is busy; try again in a moment',
  },
  files: {
    broken: 'Stored files cannot be read or written right now; try again later',
    malformed: 'This file is damaged. The operator has been told',
    full: 'The file cannot be stored right now: the disk is full. Try again later',
    away: 'Stored files cannot be reached right now; try again in a moment',
    busy: 'Stored files cannot be reached right now; try again in a moment',
  },
  mail: {
    broken: 'Mail cannot be sent right now; try again later',
    malformed: 'Mail cannot be sent right now; try again later',
    full: 'Mail cannot be sent right now; try again later',
    away: 'Mail cannot be sent right now; try again in a moment',
    busy: 'Mail cannot be sent right now; try again in a moment',
  },
}
/** For the caller: only the unavailable component. */
export const sentenceOf = ({ store, kind }: Outage): string => sentences[store][kind]

/** The outage behind an error or its causes; undefined for every other error. */
export function outageOf(error: unknown): Outage | undefined {
  for (let depth = 0, at = error; depth < 5 && at instanceof Error; depth++, at = at.cause) {
    if (at instanceof OutageError) return at.outage
    if (at instanceof SqliteFault) return { store: 'database', kind: at.kind, reason: at.message }
    const found = sqliteOutage(at) ?? postgresOutage(at) ?? filesOutage(at)
    if (found) return { ...found, reason: reasonOf(error) }
  }
  return undefined
}

type OutageCause = Omit<Outage, 'reason'>

function sqliteOutage(error: unknown): OutageCause | undefined {
  const kind = kindOfCode(error)
  return kind && { store: 'database', kind }
}

/** By SQLSTATE, its class or the whole of it (PostgreSQL, Appendix A). */
const postgresKinds: [RegExp, OutageKind][] = [
  [/^53100$/, 'full'],
  [/^(58030|XX00[12])$/, 'broken'],
  [/^(55P03|57014|53|25P0[34]|40001|40P01)/, 'busy'],
  [/^(08|57P|25006|28|3D000)/, 'away'],
]

/** The messages of `pg` for a lost connection. */
const GONE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Connection ended|The server does not support SSL)/

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

function postgresOutage({ code, severity, message = '', syscall }: ErrorDetails): OutageCause | undefined {
  if (typeof code === 'string' && severity !== undefined) {
    const kind = postgresKinds.find(([pattern]) => pattern.test(code))?.[1]
    return kind && { store: 'database', kind }
  }
  // Of all network services, only errors of the database are not wrapped in our own.
  const isNetwork = typeof code === 'string' && NETWORK.has(code) && (syscall !== undefined || code === 'ECONNREFUSED')
  const isOutOfSockets = isOutOfDescriptors(code) && syscall === 'connect'
  return isNetwork || isOutOfSockets || GONE.test(message) ? { store: 'database', kind: 'away' } : undefined
}

/** The process, or the system, has as many files and connections open as it may have. */
const isOutOfDescriptors = (code: unknown) => code === 'EMFILE' || code === 'ENFILE'

const filesKinds: Record<string, OutageKind> = { full: 'full', unavailable: 'away' }

function filesOutage(error: ErrorDetails): OutageCause | undefined {
  const { name, code, syscall } = error
  if (name === 'BlobError') {
    const kind = filesKinds[String(code)]
    return kind && { store: 'files', kind }
  }
  if (syscall === undefined) return undefined
  if (hasNoRoom(error)) return { store: 'files', kind: 'full' }
  if (isOutOfDescriptors(code)) return { store: 'files', kind: 'busy' }
  return code === 'EIO' || code === 'EROFS' ? { store: 'files', kind: 'broken' } : undefined
}

/** Whether a call to the system failed because the disk is full or a quota is used up. */
export const hasNoRoom = (error: unknown): boolean => detailsOf(error).code === 'ENOSPC' || isOverQuota(error)

/** The sentence for an error that ends a program. */
export function whyItFailed(error: unknown): string {
  const { message } = toError(error)
  const outage = outageOf(error)
  if (outage?.kind === 'full') return `the disk is full (${message}); make room on it, then try again`
  // The sentence about stored files is for callers; the operator needs what the disk or the bucket said.
  return outage?.store === 'files' ? outage.reason : message
}

/**
 * A promise that fails while nothing waits for it ends the process. When a database goes, all reads fail at once, and one of them may
 * be such a promise: it is reported as every outage is, and the process goes on. Any other error ends it as before.
 */
export function surviveOutages(health: Pick<StorageHealth, 'report'>): void {
  process.on('unhandledRejection', (error) => {
    if (!health.report(error, { awaited: false })) throw error
  })
}
