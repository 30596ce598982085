// How jobs go, for operators, and letting one run again that failed or was given up. It is read from the table and the declarations, so it needs
// no process that runs them.
import type { Db, JobTable } from '../../database/schema.ts'
import { outageOf, reasonOf } from '../../runtime/outage.ts'
import type { DeclaredJob, WaitingKey } from './job.ts'
import { listOfEachKind, updateRetried } from './queries.ts'

/** No more of a kind is counted or listed. */
export const MOST = 1_000

export interface FailedJob {
  key: string
  state: 'failing' | 'given_up'
  attempts: number
  error: string | null
  /** When it was given up, or when it is tried again. */
  at: string
}

export interface JobReport {
  kind: string
  summary: string
  /** What wakes it. */
  wake: string
  /** What is not done yet, also what runs: what `find` gives, or 1 of a job that is due. A queue counts as 1. */
  waiting: number
  /** Whether more than `MOST` wait. */
  hasMore: boolean
  /** Since when the oldest waits; null where nothing does, or that is not known. */
  oldestAt: string | null
  /** Which processes work on. */
  running: number
  /** Which failed last and are tried again. */
  failing: number
  givenUp: number
  /** Of what fails or was given up, the newest. */
  lastError: string | null
  /** When a process takes the next one. */
  nextAt: string | null
  /** What was given up, then what fails. */
  failed: FailedJob[]
}

/** The jobs in their order. One query for the table, and one for what waits of each kind. */
export async function reportOn(db: Db, jobs: readonly DeclaredJob[], now: string): Promise<JobReport[]> {
  const rows = Map.groupBy(await listOfEachKind(db, MOST), ({ kind }) => kind)
  return Promise.all(jobs.map((job) => reportOnOne(job, rows.get(job.kind) ?? [], now)))
}

async function reportOnOne(job: DeclaredJob, rows: JobTable[], now: string): Promise<JobReport> {
  const { keys, complaint } = await lookFor(job, rows, now)
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const waiting = keys.filter(({ key }) => (byKey.get(key)?.failedAt ?? null) === null)
  const isRunning = ({ leasedUntil }: JobTable) => leasedUntil > now
  // What fails has a row until its cause is gone and a clean-up comes: `find` knows which causes are there.
  const isThere = keysThere(job, complaint === undefined && keys.length <= MOST ? keys : undefined)
  const givenUp = rows.filter(({ failedAt }) => failedAt !== null)
  const failing = rows.filter((row) => isFailing(row) && isThere(row.key))
  const failed = [...givenUp, ...failing].map(shown)
  const { kind, summary, wake } = job
  return {
    ...{ kind, summary, wake: wakeOf(job) },
    waiting: Math.min(MOST, waiting.length),
    hasMore: waiting.length > MOST,
    oldestAt: leastOf(waiting.flatMap(({ since = [] }) => since)),
    running: rows.filter(isRunning).length,
    failing: failing.length + (complaint === undefined ? 0 : 1),
    givenUp: givenUp.length,
    lastError: complaint ?? lastErrorOf(failed),
    nextAt: leastOf(
      ('every' in wake ? [''] : waiting.map(({ key }) => key)).flatMap((key) => {
        const row = byKey.get(key)
        if (row && isRunning(row)) return []
        return row && row.runAt > now ? row.runAt : now
      }),
    ),
    failed,
  }
}

/** What waits. A `find` that fails says why: its job does nothing, and no row tells of that. */
async function lookFor(
  { wake }: DeclaredJob,
  rows: readonly JobTable[],
  now: string,
): Promise<{ keys: readonly WaitingKey[]; complaint?: string }> {
  if ('inEachProcess' in wake) return { keys: [] }
  if ('find' in wake) {
    try {
      return { keys: await wake.find({ now, limit: MOST + 1 }) }
    } catch (error) {
      if (outageOf(error)) throw error
      return { keys: [], complaint: `what waits cannot be read: ${reasonOf(error)}` }
    }
  }
  const key = 'once' in wake ? wake.once : ''
  const row = rows.find((one) => one.key === key)
  if (!row) return { keys: [{ key }] }
  if ('once' in wake) return { keys: row.doneAt === null ? [{ key }] : [] }
  return { keys: row.runAt <= now && row.leasedUntil <= now ? [{ key, since: row.runAt }] : [] }
}

const isFailing = ({ attempts, failedAt, doneAt }: JobTable) => attempts > 0 && failedAt === null && doneAt === null

/** Whether there is still something to do of a key; `found` is everything that waits, where that is known. */
function keysThere({ wake }: DeclaredJob, found: readonly WaitingKey[] | undefined): (key: string) => boolean {
  if ('once' in wake) return (key) => key === wake.once
  if (!('find' in wake) || !found) return () => true
  const keys = new Set(found.map(({ key }) => key))
  return (key) => keys.has(key)
}

const shown = ({ key, attempts, error, failedAt, runAt }: JobTable): FailedJob => ({
  ...{ key, attempts, error },
  ...(failedAt === null ? { state: 'failing', at: runAt } : { state: 'given_up', at: failedAt }),
})

const leastOf = (moments: readonly string[]): string | null =>
  moments.reduce<string | null>((least, moment) => (least === null || moment < least ? moment : least), null)

const lastErrorOf = (failed: readonly FailedJob[]): string | null =>
  failed.toSorted((one, other) => (one.at < other.at ? 1 : -1)).find(({ error }) => error !== null)?.error ?? null

const secondsOf = (seconds: number) => (seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`)

function wakeOf({ wake }: DeclaredJob): string {
  if ('every' in wake) return `every ${secondsOf(wake.every)}`
  if ('inEachProcess' in wake) return `each process, every ${secondsOf(wake.inEachProcess)}`
  return 'once' in wake ? 'once' : 'what waits'
}

/** Lets one run now, with all its attempts; false where it has not failed, or a process works on it. */
export const retryJob = (
  { db, now }: { db: Db; now: string },
  { kind, retry }: DeclaredJob,
  key: string,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const isRetried = await updateRetried(transaction, { kind, key, now })
    if (isRetried) await retry?.(transaction, key)
    return isRetried
  })
