// What names mean: 50 of them with ranges in one request, among 100,000 items with three versions each.
import { createApp, type Guildhall } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { openDependencies } from '../src/start/open-dependencies.ts'
import { figures } from './parts/figures.ts'
import { fillLibrary, kindOf, slugOfItem } from './parts/fill-library.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces } from './parts/places.ts'
import { cpuOfEach } from './parts/slices.ts'

const ITEMS = rowsOr(100_000)
const NAMES = 50
const WARM_UP = 200
const ROUND = 240

async function resolve(app: Guildhall, versionOf: (index: number) => string, call: number): Promise<void> {
  const items = Array.from({ length: NAMES }, (_, index) => {
    const item = (call * NAMES * 7 + index * 499) % ITEMS
    return { name: `${kindOf(item)}/${slugOfItem(item)}`, version: versionOf(index) }
  })
  const request = new Request('http://localhost:3000/api/library/resolve', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ items }),
  })
  const response = await app.fetch(request)
  const answer = (await response.json()) as { items: { found: boolean }[] }
  if (!answer.items.every(({ found }) => found)) throw new Error(`Not every name was found: ${JSON.stringify(answer)}`)
}

const ranges = ['^1.0.0', '~1.0', '1.x', '>=1.0.0 <2.0.0', '1.0.0 - 1.0.1', 'latest', '<1.0.2']
const asked: Record<string, (index: number) => string> = {
  '50 names with ranges': (index) => ranges[index % ranges.length]!,
  '50 names with a range each of its own': (index) => `>=1.0.0 <1.0.2 || ${index + 3}.x`,
  '50 names with exact versions': (index) => `1.0.${index % 3}`,
}

await inPlaces(async (make) => {
  const { url, environment } = await make('names')
  await fillLibrary(url, { items: ITEMS, versionsEach: 3, users: 2_000 })
  const dependencies = await openDependencies(readConfig({ ...environment, LOG_LEVEL: 'warn' }))
  const app = createApp(dependencies)
  for (const [name, versionOf] of Object.entries(asked)) {
    await cpuOfEach(WARM_UP, (call) => resolve(app, versionOf, call))
    figures(name, await cpuOfEach(ROUND, (call) => resolve(app, versionOf, call + WARM_UP)), 'ms of CPU', { atMost: 5 })
  }
  await dependencies.close()
})
