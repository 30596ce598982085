// Uploads to the library, against a server that does nothing else; and what eight uploads at once do to others.
import { join } from 'node:path'
import { automationOf, upload } from './parts/artifact.ts'
import { cpuNow, cpuSince, peakMegabytes } from './parts/cpu.ts'
import { figure } from './parts/figures.ts'
import { cookie } from './parts/fill-accounts.ts'
import { fillLibrary } from './parts/fill-library.ts'
import { type RunningServer, startServer } from './parts/load.ts'
import { median } from './parts/median.ts'
import { beginOffer, type Offered, unansweredShare } from './parts/offered.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces, type Place } from './parts/places.ts'

const ROUNDS = 3
/** More of them: what the disk and the other core do shows in each. */
const UPLOAD_ROUNDS = 7
const MEGABYTE = 1_000_000
const PORT = 4201

async function eightAtOnce(server: RunningServer, files: readonly Buffer[]) {
  const started = performance.now()
  const before = cpuNow(server)
  await Promise.all(files.map((file) => upload(server, file)))
  return { milliseconds: performance.now() - started, cpu: cpuSince(before, server).server }
}

async function uploads(place: Place): Promise<void> {
  const { folder } = place
  const server = await start(place)
  const bare = await startServer(['bench/parts/bare-uploads.ts', join(folder, 'bare')], 4202, '/')
  const ratios: number[] = []
  let seed = 1
  const files = () => Array.from({ length: 8 }, () => automationOf(20 * MEGABYTE, seed++))
  const told = ({ milliseconds, cpu }: { milliseconds: number; cpu: number }) =>
    `${milliseconds.toFixed(0)} ms (${cpu.toFixed(2)} s of CPU)`
  const feed: Offered[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const made = files()
    feed.push(await feedMeanwhile(() => eightAtOnce(server, made)))
  }
  // The first round compiles both and does not count.
  for (let round = 0; round <= UPLOAD_ROUNDS; round++) {
    const same = files()
    const limit = await eightAtOnce(bare, same)
    const published = await eightAtOnce(server, same)
    if (round > 0) ratios.push(published.milliseconds / limit.milliseconds)
    console.log(`  8 x 20 MB: bare ${told(limit)}, published ${told(published)}`)
  }
  figure('8 uploads of 20 MB at once, against a bare server', median(ratios), 'x the time', { sqlite: { atMost: 1.2 } })
  figure('most memory that was ever resident', peakMegabytes(server.pid), 'MB', { sqlite: { atMost: 180 } })
  const [p99, most] = [feed.map(({ latency }) => latency.p99), feed.map(({ latency }) => latency.most)]
  figure('feed requests during them, p99', median(p99), 'ms', { sqlite: { atMost: 100 } })
  figure('the slowest of them', Math.max(...most), 'ms')
  figure('those that were refused', Math.max(...feed.map(unansweredShare)), 'of all', { atMost: 0 })
  await bare.stop()
  await server.stop()
}

/** So many feed requests a second are due while something runs, from the moment it begins until it is done. */
const FEED_RATE = 100

async function feedMeanwhile(work: () => Promise<unknown>): Promise<Offered> {
  const requests = [{ path: '/api/community/feed', headers: { cookie } }]
  const offering = beginOffer({
    port: PORT,
    rate: FEED_RATE,
    seconds: 600,
    requests,
    connections: 64,
    whenBusy: 'wait',
  })
  await work()
  offering.stop()
  return offering.done
}

const start = ({ environment }: Place) =>
  startServer(['src/main.ts'], PORT, '/healthz', { ...environment, LOG_LEVEL: 'warn' })

await inPlaces(async (make) => {
  const place = await make('artifacts')
  await fillLibrary(place.url, { items: rowsOr(100_000), versionsEach: 3, users: 2_000 })
  await uploads(place)
})
