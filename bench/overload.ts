// Three times as many requests as the server can answer, over at most 3,000 connections: how much it still answers, how late, how
// much it refuses, how much memory it takes, and when it is back to normal.
import { cpuNow, cpuSince, peakMegabytes, residentMegabytes } from './parts/cpu.ts'
import { figure } from './parts/figures.ts'
import { cookieOf } from './parts/fill-accounts.ts'
import { fill } from './parts/fill-bugs.ts'
import { load, type Outcome, type RunningServer, startServer } from './parts/load.ts'
import { median } from './parts/median.ts'
import { beginOffer, type Offer, type Offered, offer } from './parts/offered.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces } from './parts/places.ts'

const PORT = 4171
const FEED = '/api/community/feed'
const TIMES = 3
const CONNECTIONS = 3_000
/** Who read before and after, each on one connection. */
const MEMBERS = 64
const SECONDS = 15
/** Before and after, requests are due at this rate. */
const PROBES_A_SECOND = 20
const PROBED_SECONDS = 10

/** Members read the feed. Beside a token no answer is kept, and the cookie counts: so each is made for its request. */
const requests = Array.from({ length: MEMBERS }, (_, index) => ({
  path: FEED,
  headers: { cookie: cookieOf(index), authorization: 'Bearer none' },
}))

/** What the server answers a second, and in a CPU-second, when every client waits for its response. */
async function capacityOf(server: RunningServer): Promise<{ perSecond: number; perCpuSecond: number }> {
  const rounds: Outcome[] = []
  for (let round = 0; round < 3; round++) {
    const each = (connection: number) => [requests[connection % MEMBERS]!]
    rounds.push(await load(server, { connections: MEMBERS, requests: each }))
  }
  const of = (rate: 'perSecond' | 'perCpuSecond') => median(rounds.map((round) => round[rate]))
  return { perSecond: of('perSecond'), perCpuSecond: of('perCpuSecond') }
}

const probes = (seconds: number): Offer => ({
  ...{ port: PORT, rate: PROBES_A_SECOND, seconds, requests, connections: 256, whenBusy: 'wait' },
})

/** A response is normal again when it comes within so many milliseconds. */
const normalWithin = (before: Offered) => Math.max(50, 2 * before.latency.p99)

/**
 * Seconds from the end of the overload until every later probe was answered in the normal time. Probes begin with the end, and
 * one that waits for long counts with all of its time.
 */
function secondsUntilNormal({ course }: Offered, within: number): number {
  const last = course.findLastIndex(({ status, milliseconds }) => status >= 300 || milliseconds > within)
  return (last + 1) / PROBES_A_SECOND
}

function show(
  name: string,
  { offered, sent, answered, shed, refused, failed, unsent, unanswered, latency }: Offered,
): void {
  const counts = { due: offered, sent, answered, shed, refused, failed, 'not sent': unsent, unanswered }
  const said = Object.entries(counts).map(([what, count]) => `${what} ${count}`)
  console.log(`  ${name}: ${said.join(', ')}; p50 ${latency.p50.toFixed(0)} ms, most ${latency.most.toFixed(0)} ms`)
}

async function measure(server: RunningServer): Promise<void> {
  const { perSecond: capacity, perCpuSecond } = await capacityOf(server)
  const before = await offer({ ...probes(PROBED_SECONDS) })
  const idle = residentMegabytes(server.pid)
  console.log(
    `  capacity ${capacity.toFixed(0)} a second; ${idle.toFixed(0)} MB before, p99 ${before.latency.p99.toFixed(1)} ms`,
  )
  const rate = Math.round(TIMES * capacity)
  const cpuBefore = cpuNow(server)
  const over = beginOffer({
    ...{ port: PORT, rate, seconds: SECONDS, requests, connections: CONNECTIONS, whenBusy: 'give up' },
  })
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000))
  const [after, overload] = await Promise.all([offer(probes(PROBED_SECONDS)), over.done])
  const spent = cpuSince(cpuBefore, server).server
  show(`${rate} a second for ${SECONDS} s`, overload)
  show('afterwards', after)
  figure('goodput, against the capacity', overload.inTime / overload.seconds / capacity, 'x', { atLeast: 0.8 })
  // What others on the machine take of the clock is not in it; what the server spends on refusals and in its kernel is.
  figure('responses in a CPU-second, against those without overload', overload.answered / spent / perCpuSecond, 'x')
  figure('p99 of what was answered', overload.latency.p99, 'ms', { atMost: 1_000 })
  figure('share of what was sent that was shed with 503', overload.shed / overload.sent, 'x')
  figure('connections that were closed without a response', overload.failed, '')
  figure('most memory that was ever resident', peakMegabytes(server.pid), 'MB', { atMost: 400 })
  figure('back to normal after', secondsUntilNormal(after, normalWithin(before)), 's', { atMost: 5 })
}

await inPlaces(async (make) => {
  const { url, environment } = await make('overload')
  await fill(url, { bugs: rowsOr(200_000), votes: 0, users: 2_000 })
  const server = await startServer(['src/main.ts'], PORT, '/healthz', { ...environment, LOG_LEVEL: 'warn' })
  await measure(server)
  await server.stop()
})
