// What a search over a million documents costs: rare and common words, beginnings, typing errors, names, and what is hostile; signed in,
// in milliseconds of CPU a request. Fails over a limit: 20 ms for 99 of 100 queries of each kind.
import { createApp, type Guildhall } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { openDependencies } from '../src/start/open-dependencies.ts'
import { preciseCpuNow } from './parts/cpu.ts'
import { type Both, figures, type Limits } from './parts/figures.ts'
import { cookie } from './parts/fill-accounts.ts'
import { fillSearch, titleOf, wordOf } from './parts/fill-search.ts'
import { random } from './parts/made-up.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces, type Place } from './parts/places.ts'

const BASE_URL = 'http://localhost:3000'
const DOCUMENTS = rowsOr(1_000_000)
const QUERIES = 200
const WARM_UP = 40
const TIMES = 3
const LIMIT = 20

/** Words by how common they are: the n-th is in every n-th document, about. */
const common = (seed: number) => wordOf(random(seed, 30))
const usual = (seed: number) => wordOf(30 + random(seed, 2_000))
const rare = (seed: number) => wordOf(2_030 + random(seed, 40_000))
const wrong = (word: string) => `${word.slice(0, 3)}${word[4] ?? ''}${word[3] ?? ''}${word.slice(5)}`

/** What people ask for, and in which share of the whole. */
const kinds: Record<string, { share: number; query(seed: number): string }> = {
  'a usual word': { share: 15, query: usual },
  'a rare word': { share: 10, query: rare },
  'a common word': { share: 10, query: common },
  'two usual words': { share: 17, query: (seed) => `${usual(seed)} ${usual(seed + 1)}` },
  'six usual words': {
    share: 3,
    query: (seed) => Array.from({ length: 6 }, (_, n) => usual(seed + n)).join(' '),
  },
  'a common and a rare word': { share: 10, query: (seed) => `${common(seed)} ${rare(seed)}` },
  'three common words': { share: 5, query: (seed) => [0, 1, 2].map((n) => common(seed + n)).join(' ') },
  'the beginning of a word': { share: 10, query: (seed) => usual(seed).slice(0, 4) },
  'a title': { share: 10, query: (seed) => titleOf(DOCUMENTS - 1 - random(seed, DOCUMENTS / 4)) },
  'a typing error': { share: 7, query: (seed) => wrong(usual(seed)) },
  'words that are nowhere': { share: 2, query: (seed) => `xq${seed}zzkk vv${seed}ttpp ww${seed}` },
  'twelve common words': {
    share: 1,
    query: (seed) => Array.from({ length: 12 }, (_, n) => wordOf(n + (seed % 9))).join(' '),
  },
}

async function search(app: Guildhall, q: string): Promise<void> {
  const path = `/api/search?q=${encodeURIComponent(q)}`
  const response = await app.fetch(new Request(BASE_URL + path, { headers: { Cookie: cookie } }))
  const text = await response.text()
  if (!response.ok) throw new Error(`${q}: ${response.status} ${text}`)
}

/** The least of several times: the speed of a shared machine changes. */
async function costOf(app: Guildhall, q: string): Promise<Both> {
  const costs: Both[] = []
  for (let time = 0; time < TIMES; time++) {
    const before = preciseCpuNow()
    await search(app, q)
    const now = preciseCpuNow()
    const server = now.server - before.server
    costs.push({ server: server * 1000, all: (server + now.postgres - before.postgres) * 1000 })
  }
  return costs.toSorted((a, b) => a.all - b.all)[0]!
}

const percentile = (costs: readonly Both[], part: number, which: keyof Both) =>
  costs.map((cost) => cost[which]).toSorted((a, b) => a - b)[Math.ceil(costs.length * part) - 1] ?? 0

function show(name: string, costs: readonly Both[], part: number, limits: Limits = {}): void {
  const [server, all] = [percentile(costs, part, 'server'), percentile(costs, part, 'all')]
  figures(name, { server, all }, 'ms of CPU', limits)
}

async function measure(app: Guildhall): Promise<void> {
  const mixed: Both[] = []
  for (const [name, { share, query }] of Object.entries(kinds)) {
    for (let n = 0; n < WARM_UP; n++) await search(app, query(n * 31 + 7))
    const costs: Both[] = []
    for (let n = 0; n < QUERIES; n++) costs.push(await costOf(app, query(n * 17 + 3)))
    show(`${name}: half`, costs, 0.5)
    show(`${name}: 99 of 100`, costs, 0.99, { atMost: LIMIT })
    mixed.push(...costs.slice(0, share * 2))
  }
  show('99 of 100 queries of a mix', mixed, 0.99, { atMost: LIMIT })
}

async function run({ url, environment }: Place): Promise<void> {
  const started = performance.now()
  await fillSearch(url, DOCUMENTS)
  console.log(`${DOCUMENTS} documents, filled in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  const settings = { ...environment, BASE_URL, LOG_LEVEL: 'silent', RATE_LIMITS: 'off' }
  const dependencies = await openDependencies(readConfig(settings))
  await measure(createApp(dependencies))
  await dependencies.close()
}

await inPlaces(async (make) => run(await make('search')))
