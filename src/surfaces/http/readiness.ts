// Whether Guildhall can do its work: the database answers, the disk takes what is written and has room. Known within a second.
import { statfs } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { DeclaredJob } from '../../core/jobs/job.ts'
import { reportOn } from '../../core/jobs/report.ts'
import { engineOf } from '../../database/engine.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { outageOf, reasonOf } from '../../runtime/outage.ts'

const PATIENCE_MILLISECONDS = 850
/** With less the disk counts as full: SQLite and uploads need room to work in. */
const LEAST_FREE_BYTES = 1024 * 1024
/** So many attempts take about half a minute. */
const OFTEN = 6
const PROBE_BYTES = 256 * 1024

export interface Readiness {
  ready: boolean
  /** A line for each thing that was looked at, for the operator. */
  details: string[]
}

/** Clocks that differ by more are named; by more than `WRONG_MILLISECONDS`, the process leaves its work to others. */
const DIFFERENT_MILLISECONDS = 5_000
const WRONG_MILLISECONDS = 60_000

/**
 * Looks at everything at once. What does not answer in time counts as away. Jobs that fail are named, and the server is ready all the same: it
 * answers requests.
 */
export async function lookAtReadiness(dependencies: Dependencies, jobs: readonly DeclaredJob[]): Promise<Readiness> {
  const broken = dependencies.fault?.()
  const looks: Record<string, Promise<string | undefined>> = {
    writing: Promise.resolve(broken && `${reasonOf(broken)}; restart the server`),
    database: database(dependencies),
    disk: disk(dependencies),
  }
  const failing = jobs.length > 0 ? inTime(failingJobs(dependencies, jobs)) : undefined
  const found = await Promise.all(
    Object.entries(looks).map(async ([name, look]) => [name, await inTime(look)] as const),
  )
  const details = found.map(([name, message]) => `${name}: ${message ?? 'ok'}`)
  if (failing) details.push(`jobs: ${(await failing) ?? 'ok'}`)
  // Without it the primary has all reads.
  for (const replica of dependencies.replicas?.each ?? []) {
    const how = replica.complaint() ?? `ok, ${replica.lagSeconds()?.toFixed(1)} s behind`
    details.push(`replica ${replica.name}: ${how}`)
  }
  const ahead = dependencies.clock.difference?.() ?? 0
  if (Math.abs(ahead) > DIFFERENT_MILLISECONDS) details.push(`clock: ${clockMessage(ahead, dependencies)}`)
  return { ready: found.every(([, message]) => message === undefined) && !isWrong(ahead, dependencies), details }
}

/** On SQLite there is no other process to leave the work to. */
const isWrong = (ahead: number, { db }: Pick<Dependencies, 'db'>) =>
  engineOf(db) === 'postgres' && Math.abs(ahead) > WRONG_MILLISECONDS

function clockMessage(ahead: number, { db }: Pick<Dependencies, 'db'>): string {
  const seconds = `${(Math.abs(ahead) / 1_000).toFixed(1)} s`
  const side = ahead > 0 ? 'ahead of' : 'behind'
  const other = engineOf(db) === 'postgres' ? 'the database, which is right' : 'what is stored: it went back'
  return `this machine is ${seconds} ${side} ${other}`
}

/** The message that a look ends with, or that it did not end. */
async function inTime(look: Promise<string | undefined>): Promise<string | undefined> {
  const late = Promise.withResolvers<string>()
  const timer = setTimeout(() => late.resolve('no answer in time'), PATIENCE_MILLISECONDS)
  return Promise.race([look.catch(reasonOf), late.promise]).finally(() => clearTimeout(timer))
}

async function database({ db, ping, health }: Dependencies): Promise<string | undefined> {
  try {
    await (ping ? ping() : sql`select 1`.execute(db))
    return undefined
  } catch (error) {
    if (!health.report(error, { probe: 'readyz' })) throw error
    return reasonOf(error)
  }
}

/** The kinds of which something was given up, or failed so often that it is no accident. */
async function failingJobs({ db, clock }: Dependencies, jobs: readonly DeclaredJob[]): Promise<string | undefined> {
  const reports = await reportOn(db, jobs, timestamp(clock.now()))
  const named = reports.flatMap(({ kind, givenUp, failed }) => {
    const often = failed.filter(({ state, attempts }) => state === 'failing' && attempts >= OFTEN).length
    const parts = [...(givenUp > 0 ? [`${givenUp} given up`] : []), ...(often > 0 ? [`${often} failing`] : [])]
    return parts.length > 0 ? [`${kind} (${parts.join(', ')})`] : []
  })
  return named.join(', ') || undefined
}

/** Once something found no room, room is there when something is written again. */
async function disk(dependencies: Dependencies): Promise<string | undefined> {
  const { health, config } = dependencies
  const free = await freeBytes(config.dataDir)
  if (free !== undefined && free < LEAST_FREE_BYTES)
    return `the disk is full: ${free} bytes are left in ${config.dataDir}`
  if (!health.isFull) return undefined
  try {
    await dependencies.probe?.()
    const { artifacts } = dependencies.blobs
    await artifacts.discard(
      await artifacts.stage(Readable.from([Buffer.alloc(PROBE_BYTES)]), { maxBytes: PROBE_BYTES }),
    )
    health.clearFull()
    return undefined
  } catch (error) {
    return outageOf(error)?.kind === 'full' ? `the disk is full: ${reasonOf(error)}` : reasonOf(error)
  }
}

/** What this process may still write there; undefined where that is not known. */
async function freeBytes(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined)
  return found && found.blocks > 0 ? found.bavail * found.bsize : undefined
}
