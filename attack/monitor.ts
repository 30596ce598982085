// Loaded into the attacked server before anything else: tells by IPC how long its event loop was kept busy and how much memory it
// holds, and lets its clock be set forward. Counted is CPU time of the main thread, so that a busy machine is not blamed on it.
import { JobRunner } from '../src/core/jobs/runner.ts'
import { publicInternet } from '../src/outgoing/guarded-request.ts'
import { DatabaseTime, systemClock } from '../src/runtime/clock.ts'

export interface Report {
  /** The most milliseconds of CPU that the main thread took between two turns of its event loop since the last report. */
  longestTurn: number
  /** Resident memory in bytes, the most since the last report. */
  memory: number
}

const TICK_MILLISECONDS = 5

let longestTurn = 0
let memory = 0
let before = cpuMilliseconds()

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

setInterval(() => {
  const now = cpuMilliseconds()
  longestTurn = Math.max(longestTurn, now - before)
  before = now
}, TICK_MILLISECONDS).unref()
setInterval(() => {
  memory = Math.max(memory, process.memoryUsage.rss())
}, 50).unref()

let aheadMilliseconds = 0
const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [RealDate.now() + aheadMilliseconds] : given) as [number]))
  }
  static override now(): number {
    return RealDate.now() + aheadMilliseconds
  }
} as DateConstructor

// A process on PostgreSQL has the time of the database: that is ahead as far.
const timeOfDatabase = DatabaseTime.prototype.at
DatabaseTime.prototype.at = function (elapsed) {
  const time = timeOfDatabase.call(this, elapsed)
  return time === undefined ? undefined : time + aheadMilliseconds
}

/** The jobs of the server: its clean-ups are run when asked for, and not only every few minutes. */
let jobs: JobRunner | undefined
const startJobs = JobRunner.prototype.start
JobRunner.prototype.start = function () {
  jobs = this
  startJobs.call(this)
}

async function cleanUp(): Promise<number> {
  const kinds = [...(jobs?.kinds.keys() ?? [])].filter((kind) => kind.startsWith('cleanUp.'))
  await jobs?.run(...kinds)
  return kinds.length
}

const isPublic = publicInternet.isAllowed

/** Requests go to this machine alone, to who has a certificate of this authority; with null to the internet again. */
function reachHome(ca: string | null): void {
  publicInternet.isAllowed = ca === null ? isPublic : (address) => /^(127\.|::1$)/.test(address)
  if (ca === null) delete publicInternet.ca
  else publicInternet.ca = ca
}

type Message = { ask: 'report' | 'cleanUp' | 'time' } | { aheadSeconds: number } | { ca: string | null }

process.on('message', (message: Message) => {
  if ('ca' in message) {
    reachHome(message.ca)
    process.send!({ done: 1 })
    return
  }
  if ('aheadSeconds' in message) {
    aheadMilliseconds = message.aheadSeconds * 1000
    process.send!({ aheadSeconds: message.aheadSeconds })
    return
  }
  if (message.ask === 'cleanUp') {
    cleanUp().then(
      (done) => process.send!({ done }),
      (error: unknown) => process.send!({ done: 0, error: String(error) }),
    )
    return
  }
  if (message.ask === 'time') {
    process.send!({ now: systemClock.now() })
    return
  }
  memory = Math.max(memory, process.memoryUsage.rss())
  process.send!({ longestTurn, memory } satisfies Report)
  longestTurn = 0
  memory = 0
})
process.channel?.unref()
