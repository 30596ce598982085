// `backup --continuous`: every change within half a second, until a signal stops it. The stream of changes never waits for a backup: it goes on
// while one is taken, and over a restart as long as the log still has what came between. Restoring reads a backup and all that goes on from
// it, so another one is taken when that has become long.
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { LogHold } from '@guildhall/durable-sqlite/following'
import type { Config } from '../config/config.ts'
import { refuseUnready } from '../database/existing.ts'
import { isPostgres } from '../runtime/addresses.ts'
import { noteBackup } from '../runtime/backup-times.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import { reasonOf } from '../runtime/outage.ts'
import { openBlobs } from '../storage/open-blobs.ts'
import { Mark } from './mark.ts'
import type { Progress } from './output.ts'
import type { Repository } from './repository.ts'
import { Shipper } from './shipper.ts'
import { nameOfTime, type Snapshot } from './snapshot.ts'
import { findLastPart } from './states.ts'
import { numberAfter, readPart } from './stream.ts'
import { takeBackup } from './taking.ts'
import { type LogStart, WalTail } from './wal-tail.ts'

const EVERY_MILLISECONDS = 500
/** An hour in which something changes twice a second. */
const LONGEST_STREAM = 7_200
/** How often the time until which all is shipped is noted. */
const NOTED_MILLISECONDS = 5_000
/** When a target did not take a pass or a backup. */
const AGAIN_MILLISECONDS = { pass: 2_000, backup: 60_000 }

export interface ShippingOptions {
  config: Config
  repository: Repository
  /** What names the repository. */
  place: string
  /** Ends it after the changes of that moment. */
  signal: AbortSignal
  progress: Progress
  complain: (sentence: string) => void
  /** A backup is complete, and the stream goes on from it. */
  onBackup: (snapshot: Snapshot) => Promise<void>
  /** After so many parts another backup is taken. */
  longest?: number
}

/** Resolves after `signal`. Rejects when the database is gone. */
export async function ship(shipping: ShippingOptions): Promise<void> {
  const { config, place } = shipping
  const path = config.databaseUrl
  if (isPostgres(path)) {
    throw new Error('--continuous is for SQLite: PostgreSQL archives its own log (continuous archiving in its manual)')
  }
  await refuseUnready(path)
  // Before the lock: a server that sees it no longer holds the log.
  const hold = new LogHold(path)
  try {
    hold.renew()
    const mark = new Mark(path, place)
    await shipMarked(shipping, { hold, mark }).finally(() => mark.close())
  } finally {
    hold.close()
  }
}

interface MarkedLog {
  hold: LogHold
  mark: Mark
}

async function shipMarked(shipping: ShippingOptions, held: MarkedLog): Promise<void> {
  const { config, complain } = shipping
  const path = config.databaseUrl
  const blobs = await openBlobs(config.blobUrl)
  try {
    const { tail, ...from } = await goOn(shipping, held)
    const { ino } = statSync(path)
    const isThere = () => statSync(path, { throwIfNoEntry: false })?.ino === ino
    const repository = shipping.repository.beside()
    const shipper = new Shipper({ repository, blobs, tail, mark: held.mark, isThere, complain }, from)
    await shipAll(shipping, { shipper, isThere, backups: new Backups(shipping, shipper, from.begun) }).finally(() =>
      tail.close(),
    )
  } finally {
    blobs.close()
  }
}

interface StreamContinuation {
  tail: WalTail
  stream: string
  number: number
  /** The part that its last backup goes on from; undefined when the stream has none. */
  begun: number | undefined
}

/** Where the stream of before goes on, or a new one begins. */
async function goOn(
  { config, repository, complain }: ShippingOptions,
  { hold, mark }: MarkedLog,
): Promise<StreamContinuation> {
  const last = await findLastPart(repository)
  const stream = last?.snapshot.stream
  const tail = new WalTail({ path: config.databaseUrl, hold }, last && (await placeOf(repository, mark, last)))
  if (!tail.isContinued || !stream) {
    if (stream)
      complain('The log started over while nothing read it: changes are safe again when a new backup is complete.')
    return { tail, stream: nameOfTime(timestamp(systemClock.now())), number: 0, begun: undefined }
  }
  return { tail, stream: stream.name, number: numberAfter(last.key), begun: stream.needed }
}

/** Where a stream goes on; undefined when that is not known. */
async function placeOf(
  repository: Repository,
  mark: Mark,
  { snapshot, key }: { snapshot: Snapshot; key: string },
): Promise<LogStart | undefined> {
  const left = mark.left()
  const isOfStream = left?.stream === snapshot.stream?.name
  if (left && isOfStream && left.number >= numberAfter(key))
    return { position: left.position, left, ended: left.position }
  const { position } = await readPart(repository, key)
  return position && { position, ended: isOfStream ? left?.position : undefined }
}

interface Parts {
  shipper: Shipper
  isThere: () => boolean
  backups: Backups
}

async function shipAll(shipping: ShippingOptions, { shipper, isThere, backups }: Parts): Promise<void> {
  const { config, progress, complain, signal } = shipping
  let said = ''
  let pause = EVERY_MILLISECONDS
  let notedAt = 0
  const pass = async () => {
    try {
      const begun = systemClock.now()
      const isWhole = await shipper.pass()
      if (isWhole && begun - notedAt >= NOTED_MILLISECONDS) {
        noteBackup(config.dataDir, { changes: timestamp(begun) })
        notedAt = begun
      }
      said = ''
      pause = EVERY_MILLISECONDS
      return isWhole
    } catch (error) {
      if (said !== reasonOf(error))
        complain(`The last changes are not in the backup, and are tried again: ${reasonOf(error)}`)
      said = reasonOf(error)
      pause = AGAIN_MILLISECONDS.pass
      refuseLongLog(shipper.logBytes, config)
      return false
    }
  }
  while (!signal.aborted) {
    backups.takeIfDue()
    await sleep(pause, undefined, { signal }).catch(() => {})
    if (backups.failure) throw backups.failure
    const isGone = !isThere()
    const isWhole = await pass()
    if (isGone) {
      const what = isWhole ? 'what it had is in the backup' : 'the backup has what it had but for the last changes'
      throw new Error(`${config.databaseUrl} is gone: ${what}`)
    }
    progress(`${shipper.number} parts`)
  }
  await backups.end()
  if (!(await pass())) throw new Error('the last changes are not in the backup')
}

/** The target is away, and holding the log any longer would fill the disk of the server. */
function refuseLongLog(bytes: number, { backupLogBytes }: Config): void {
  if (bytes <= backupLogBytes) return
  throw new Error(
    `the log of the database has more than BACKUP_LOG_MB (${backupLogBytes / 1024 ** 2}) that is not in the backup`,
  )
}

/** Takes backups beside the stream, one at a time. */
class Backups {
  readonly #shipping: ShippingOptions
  readonly #shipper: Shipper
  /** How many parts the stream had in the last one; undefined before the first. */
  #begun: number | undefined
  #taking: Promise<void> | undefined
  #notBefore = 0
  #failure: Error | undefined

  constructor(shipping: ShippingOptions, shipper: Shipper, begun: number | undefined) {
    this.#shipping = shipping
    this.#shipper = shipper
    this.#begun = begun
  }

  /** Why the first one failed: without it the stream is of no use. */
  get failure(): Error | undefined {
    return this.#failure
  }

  takeIfDue(): void {
    const { longest = LONGEST_STREAM } = this.#shipping
    const isDue = this.#begun === undefined || this.#shipper.number - this.#begun >= longest
    if (!isDue || this.#taking || performance.now() < this.#notBefore) return
    this.#taking = this.#take()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#taking = undefined
      })
  }

  /** Resolves when none is taken any more. */
  async end(): Promise<void> {
    await this.#taking
    if (this.#failure) throw this.#failure
  }

  async #take(): Promise<void> {
    const { config, repository, progress, signal, onBackup } = this.#shipping
    const shipper = this.#shipper
    const from = shipper.number
    shipper.forgetKept()
    const snapshot = await takeBackup({
      ...{ config, repository, progress },
      stream: async () => {
        await shipper.whole(signal)
        return { name: shipper.stream, from, needed: shipper.number }
      },
    })
    this.#begun = shipper.number
    await onBackup(snapshot)
  }

  #fail(error: unknown): void {
    if (this.#begun === undefined) this.#failure = new Error('the first backup failed', { cause: error })
    else this.#shipping.complain(`A backup failed, and is tried again: ${reasonOf(error)}`)
    this.#notBefore = performance.now() + AGAIN_MILLISECONDS.backup
  }
}
