// What stays resident under ten minutes of a mix at half of what the server can do, and when the mix and the notifications that it brought
// are done: reads by members and anonymous users, pages of the site, searches, votes, comments, tools of MCP, uploads and webhooks.
// MINUTES sets how long.
import { setTimeout as sleep } from 'node:timers/promises'
import { receiving } from '../test/webhook-receiver.ts'
import { automationOf, upload } from './parts/artifact.ts'
import { cpuNow, peakMegabytes, residentMegabytes } from './parts/cpu.ts'
import { figure } from './parts/figures.ts'
import { addAccounts, cookieOf, SESSIONS } from './parts/fill-accounts.ts'
import { addBugs } from './parts/fill-bugs.ts'
import { fillDatabase } from './parts/filling.ts'
import { load, type RunningServer, startServer } from './parts/load.ts'
import { moment } from './parts/made-up.ts'
import { addWebhooks, mixOf } from './parts/mix.ts'
import { offer } from './parts/offered.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces } from './parts/places.ts'

const PORT = 4181
const ENTRIES = rowsOr(200_000)
const MINUTES = Number(process.env['MINUTES'] ?? 10)
const CONNECTIONS = 64
/** So many groups of the mix are written into the command line of the process that sends them. */
const GROUPS = 25
const WEBHOOKS = 2
const UPLOAD_BYTES = 1_000_000
const UPLOAD_MILLISECONDS = 3_000
const MEMORY_LIMIT = 400

/** Waits until a process has used less than a twentieth of a core for a quarter of a minute; returns the seconds until then. */
async function untilIdle(pid: number): Promise<number> {
  const begun = performance.now()
  for (let before = cpuNow({ pid }).server, idle = 0; idle < 3; ) {
    await sleep(5_000)
    const now = cpuNow({ pid }).server
    idle = now - before < 0.25 ? idle + 1 : 0
    before = now
  }
  return (performance.now() - begun) / 1_000 - 15
}

/** Requests of the mix a second, as fast as the server answers a few connections. */
async function capacityOf(server: RunningServer): Promise<number> {
  const requests = mixOf(GROUPS, ENTRIES, 0).map(({ method = 'GET', ...rest }) => ({
    method: method as 'GET',
    ...rest,
  }))
  return (await load(server, { connections: 8, requests, seconds: 20 })).perSecond
}

/** Uploads one automation after another until it is stopped, each by another member; gives how many. */
async function uploadUntil(server: RunningServer, isStopped: () => boolean): Promise<number> {
  let uploads = 0
  for (; !isStopped(); uploads++) {
    const due = performance.now() + UPLOAD_MILLISECONDS
    await upload(server, automationOf(UPLOAD_BYTES, uploads), cookieOf(uploads % SESSIONS))
    await sleep(Math.max(0, due - performance.now()))
  }
  return uploads
}

/** The mix, a minute at a time. */
async function mix(server: RunningServer): Promise<void> {
  const rate = Math.round((await capacityOf(server)) / 2)
  let isStopped = false
  const uploading = uploadUntil(server, () => isStopped)
  // It is awaited when the mix ends.
  uploading.catch(() => undefined)
  for (let minute = 1; minute <= MINUTES; minute++) {
    const requests = mixOf(GROUPS, ENTRIES, minute)
    const sent = { port: PORT, rate, seconds: 60, requests, connections: CONNECTIONS, whenBusy: 'wait' } as const
    const { answered, refused, failed, shed, latency } = await offer({ ...sent })
    const megabytes = residentMegabytes(server.pid).toFixed(0)
    console.log(
      `  minute ${minute}: ${rate} a second, ${megabytes} MB, p99 ${latency.p99.toFixed(0)} ms, ${shed + failed} not answered`,
    )
    if (refused > 0 || answered === 0) throw new Error(`${refused} requests were refused, ${answered} answered`)
  }
  isStopped = true
  console.log(`  ${await uploading} uploads`)
}

await inPlaces(async (make) => {
  const { url, environment } = await make('endurance')
  await fillDatabase(url, async (into) => {
    const verified = { emailVerifiedAt: moment(0), emailVerifiedBy: 'code' }
    await addAccounts(into, 2_000, (index) => ({ ...verified, role: index === 0 ? 'admin' : 'member' }))
    await addBugs(into, { bugs: ENTRIES, votes: 0, users: 2_000 })
  })
  const server = await startServer(['bench/parts/serve-reaching-home.ts'], PORT, '/readyz', {
    ...environment,
    ...{ TRUST_PROXY: '1', LOG_LEVEL: 'warn', RATE_LIMITS: 'off' },
  })
  console.log(`  ${residentMegabytes(server.pid).toFixed(0)} MB before`)
  await receiving(async (receiver) => {
    let events = 0
    receiver.answer = (_request, response) => {
      events++
      receiver.arrived.length = 0
      response.writeHead(204).end()
    }
    await addWebhooks(server, receiver.url, WEBHOOKS)
    await mix(server)
    const seconds = await untilIdle(server.pid)
    figure('events that a webhook got', events, 'events', { atLeast: 1 })
    figure('until its notifications are sent', seconds, 's')
  })
  figure('resident at most', peakMegabytes(server.pid), 'MB', { atMost: MEMORY_LIMIT })
  figure('resident after that', residentMegabytes(server.pid), 'MB', { atMost: 200 })
  await server.stop()
})
