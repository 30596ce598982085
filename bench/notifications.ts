// What reading an inbox costs with a million notifications, in milliseconds of CPU a request; how long an event takes to reach 10,000
// followers, and how long other requests wait in the meantime. Fails over a limit.
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, type Guildhall } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { deliverBatch } from '../src/content/delivery/delivery.ts'
import { BATCH } from '../src/content/delivery/telling.ts'
import { openDependencies } from '../src/start/open-dependencies.ts'
import { figure, figures } from './parts/figures.ts'
import { cookie, cookieOf, SESSIONS } from './parts/fill-accounts.ts'
import { bugId } from './parts/fill-bugs.ts'
import { FOLLOWERS, fillNotifications, followedBug, lastCookie } from './parts/fill-notifications.ts'
import { type RunningServer, startServer } from './parts/load.ts'
import { median } from './parts/median.ts'
import { beginOffer, type Offer, offer } from './parts/offered.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces, type Place } from './parts/places.ts'
import { cpuOfEach } from './parts/slices.ts'
import { uncached } from './parts/uncached.ts'

const BASE_URL = 'http://localhost:3000'
const INBOX = '/api/community/notifications'
const NOTIFICATIONS = rowsOr(1_000_000)
const COMMENTS = `/api/community/bugs/${followedBug}/comments`
const json = { 'content-type': 'application/json' }
const said = JSON.stringify({ body: 'It happens here too' })
const CALLS = 400
const INBOX_LIMIT = 1

const inboxes = [
  INBOX,
  `${INBOX}?unread=true`,
  `${INBOX}?before=5000`,
  `${INBOX}?after=0`,
  `${INBOX}?after=5000&unread=true`,
  `${INBOX}/count`,
]

async function inbox(app: Guildhall): Promise<void> {
  for (const path of inboxes) {
    const read = async () => {
      const response = await app.fetch(new Request(BASE_URL + path, { headers: { Cookie: cookie } }))
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    }
    await cpuOfEach(CALLS, read)
    figures(path, await cpuOfEach(CALLS, read), 'ms of CPU', { atMost: INBOX_LIMIT })
  }
}

const BATCH_LIMIT = 10

/** What a transaction of the delivery costs: another one waits for one of them at most. */
async function batches(app: Guildhall, dependencies: Parameters<typeof deliverBatch>[0]): Promise<void> {
  const deliver = () => deliverBatch(dependencies)
  const comment = new Request(`${BASE_URL}${COMMENTS}`, { method: 'POST', headers: { ...json, cookie }, body: said })
  const response = await app.fetch(comment)
  if (!response.ok) throw new Error(`A comment: ${response.status} ${await response.text()}`)
  // The first one tells those who are named, of whom there are none.
  await deliver()
  const cost = await cpuOfEach(FOLLOWERS / BATCH, deliver)
  figures(`telling ${BATCH} followers, in one transaction`, cost, 'ms of CPU', { atMost: BATCH_LIMIT })
  while (await deliver());
}

const PORT = 4181
const ROUNDS = 5
const SECONDS = 12
const DELIVERY_LIMIT = 10_000
const WAITING_LIMIT = 50

/** Members read the feed and their inbox, and one of five requests is a vote. */
const requests: Offer['requests'] = Array.from({ length: 40 }, (_, n) => {
  const headers = { cookie: cookieOf(1 + (n % (SESSIONS - 1))) }
  if (n % 5 !== 0) return { path: n % 2 === 0 ? '/api/community/feed' : INBOX, headers }
  const body = JSON.stringify({ value: n % 10 === 0 ? 1 : -1 })
  const path = `/api/community/bugs/${bugId(1 + n)}/vote`
  return { method: 'POST', path, headers: { ...headers, ...json }, body }
})
const probes = (seconds: number): Offer => ({
  ...{ port: PORT, rate: 50, seconds, requests, connections: 64, whenBusy: 'wait' },
})

async function unreadOfLast({ url }: RunningServer): Promise<number> {
  const response = await fetch(`${url}${INBOX}/count`, { headers: { cookie: lastCookie } })
  return ((await response.json()) as { unread: number }).unread
}

/** Comments on the bug, and gives the milliseconds until the last of its followers was told. */
async function tellAll(server: RunningServer): Promise<number> {
  const before = await unreadOfLast(server)
  const started = performance.now()
  const response = await fetch(server.url + COMMENTS, { method: 'POST', headers: { ...json, cookie }, body: said })
  if (!response.ok) throw new Error(`A comment: ${response.status} ${await response.text()}`)
  while ((await unreadOfLast(server)) === before) {
    if (performance.now() - started > 10 * DELIVERY_LIMIT) throw new Error('The last follower was not told')
    await sleep(20)
  }
  return performance.now() - started
}

/** The longest that a request waits, without an event and while one is delivered, in turn. */
async function delivery(server: RunningServer): Promise<void> {
  await Promise.all([offer(probes(SECONDS / 2)), tellAll(server)])
  const [took, calm, busy]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    calm.push((await offer(probes(2))).latency.most)
    const offering = beginOffer(probes(SECONDS))
    await sleep(500)
    took.push(await tellAll(server))
    offering.stop()
    const { latency, refused, failed } = await offering.done
    if (refused + failed > 0) throw new Error(`${refused} requests were refused, ${failed} failed`)
    busy.push(latency.most)
  }
  const shown = (values: number[]) => values.map((value) => value.toFixed(0)).join(', ')
  console.log(
    `  delivered in ms: ${shown(took)}; longest requests in ms, before: ${shown(calm)}, during: ${shown(busy)}`,
  )
  figure(`${FOLLOWERS} followers are told after`, median(took), 'ms', { atMost: DELIVERY_LIMIT })
  figure('the longest request before', median(calm), 'ms')
  figure('the longest request in the meantime', median(busy), 'ms', { atMost: WAITING_LIMIT })
}

async function run({ url, environment }: Place): Promise<void> {
  const started = performance.now()
  await fillNotifications(url, NOTIFICATIONS)
  console.log(`${NOTIFICATIONS} notifications, filled in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  const settings = { ...environment, LOG_LEVEL: 'error', RATE_LIMITS: 'off' }
  const dependencies = await openDependencies(readConfig({ ...settings, BASE_URL }))
  const app = createApp({ ...dependencies, db: uncached(dependencies.db) })
  await inbox(app)
  await batches(app, dependencies)
  await dependencies.close()
  const server = await startServer(['src/main.ts'], PORT, '/healthz', settings)
  await delivery(server)
  await server.stop()
}

await inPlaces(async (make) => run(await make('notifications')))
