// The library with 100,000 items and 300,000 versions: lists, items and search.
import { openDatabase } from '../src/database/open.ts'
import { findItems } from '../src/library/finding/search.ts'
import { type Both, figure, figures, type Limits } from './parts/figures.ts'
import { cookie } from './parts/fill-accounts.ts'
import { COMMON, fillLibrary, kindOf, rareWord, slugOfItem } from './parts/fill-library.ts'
import { load, type RunningServer, startBare, startServer } from './parts/load.ts'
import { median } from './parts/median.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces } from './parts/places.ts'
import { against, perCpuSecond } from './parts/slices.ts'

const ITEMS = rowsOr(100_000)
const ROUNDS = 3

/** The path for an index, and the least a CPU-second has to answer. */
interface Measured {
  path: (index: number) => string
  limits: Limits
}

const measured: Record<string, Measured> = {
  'list page of 24': { path: (index) => `?page=${index + 1}`, limits: { sqlite: { atLeast: 2_500 } } },
  'list page of 24, of a kind, by votes': {
    path: (index) => `?sort=popular&kind=workflow&page=${index + 1}`,
    limits: { sqlite: { atLeast: 2_500 } },
  },
  'item by slug': {
    path: (index) => `/${kindOf((index * 499) % ITEMS)}/${slugOfItem((index * 499) % ITEMS)}`,
    limits: { sqlite: { atLeast: 5_000 } },
  },
}

/** Of anonymous users, whose responses are cached, and of members; against a bare server that sends the first of them. */
async function lists(server: RunningServer, folder: string): Promise<void> {
  for (const [name, { path, limits }] of Object.entries(measured)) {
    const paths = Array.from({ length: 200 }, (_, index) => `/api/library/items${path(index)}`)
    const bare = await startBare(server, paths[0]!, { port: 4204, folder })
    const get = (from: RunningServer, headers: Record<string, string> = {}) =>
      load(from, { connections: 16, requests: paths.map((path) => ({ method: 'GET', path, headers })), seconds: 2 })
    const taken: Record<'bare' | 'anonymous' | 'member', Both[]> = { bare: [], anonymous: [], member: [] }
    for (let round = 0; round < ROUNDS; round++) {
      taken.bare.push((await get(bare)).cost)
      taken.anonymous.push((await get(server)).cost)
      taken.member.push((await get(server, { cookie })).cost)
    }
    await bare.stop()
    figures(name, perCpuSecond(taken.anonymous), 'a CPU-second', limits)
    figures(`${name}, against a bare server`, against(taken.bare, taken.anonymous), 'x', { postgres: { atLeast: 0.5 } })
    figures(`${name}, signed in`, perCpuSecond(taken.member), 'a CPU-second')
  }
}

interface LibraryQuery {
  name: string
  q?: string
  tag?: string
  sort?: 'latest' | 'popular'
  /** From 0. */
  page?: number
  atMost?: number
}

const asked: LibraryQuery[] = [
  { name: 'search for a word of one item', q: rareWord(54_321 % ITEMS), atMost: 1 },
  { name: 'search for what no item has', q: 'wxyzwxyz', atMost: 1 },
  { name: 'search for a word of a quarter of all items', q: COMMON, atMost: 10 },
  { name: 'search for the same, by votes', q: COMMON, sort: 'popular', atMost: 10 },
  { name: 'search for the same, the last page there is', q: COMMON, page: 40 },
  { name: 'a tag of a quarter of all items', tag: 'common', atMost: 10 },
  { name: 'a tag of a quarter of all items, 500 pages in', tag: 'common', page: 500, atMost: 5 },
  { name: 'the same, the last page, by votes', tag: 'common', page: 1_041, sort: 'popular', atMost: 5 },
  { name: 'all items but skills, the page in the middle', page: 2_083, atMost: 10 },
  { name: 'search for two characters', q: 'ma' },
  { name: 'search for two characters that no item has', q: '~~' },
]

async function searches(url: string): Promise<void> {
  const { db } = await openDatabase(url)
  const stops: number[] = []
  // Ends what is kept.
  const commit = () => db.updateTable('libraryItem').set({ commentCount: 1 }).where('rowId', '=', 1).execute()
  for (const { name, q = '', tag = '', sort = 'latest', page = 0, atMost } of asked) {
    const filters = { scope: 'public' as const, kind: undefined, without: ['skill'] as const, ownerId: '' }
    const find = () => watched(() => findItems(db, { filters, wanted: { q, tag }, sort, page, per_page: 24 }))
    const rounds: { took: number; again: number; stopped: number }[] = []
    for (let round = 0; round < 15; round++) {
      await commit()
      const first = await find()
      rounds.push({ ...first, again: (await find()).took })
    }
    figure(name, median(rounds.map(({ took }) => took)), 'ms', atMost === undefined ? undefined : { atMost })
    figure('  again, before the next commit', median(rounds.map(({ again }) => again)), 'ms')
    stops.push(median(rounds.map(({ stopped }) => stopped)))
  }
  figure('the longest stop of the event loop in any of these', Math.max(...stops), 'ms', { atMost: 20 })
  await db.destroy()
}

/** Milliseconds that something took, and the longest time in which nothing else had its turn. */
async function watched(run: () => Promise<unknown>): Promise<{ took: number; stopped: number }> {
  let stopped = 0
  let last = performance.now()
  const started = last
  let beating = true
  const beat = () => {
    const now = performance.now()
    stopped = Math.max(stopped, now - last)
    last = now
    if (beating) setImmediate(beat)
  }
  setImmediate(beat)
  await run()
  const took = performance.now() - started
  beating = false
  await new Promise((next) => setTimeout(next, 2))
  return { took, stopped }
}

await inPlaces(async (make) => {
  const { url, folder, environment } = await make('library')
  await fillLibrary(url, { items: ITEMS, versionsEach: 3, users: 2_000 })
  const server = await startServer(['src/main.ts'], 4200, '/healthz', { ...environment, LOG_LEVEL: 'warn' })
  await lists(server, folder)
  await server.stop()
  await searches(url)
})
