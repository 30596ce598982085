// How good the search is for sentences: mean average precision and nDCG@10 of a collection that others judged, beside what others found in
// it. RELEVANCE names its folder. Documents become posts. Fails where the best of the others is better.
import { createApp, type Guildhall } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { openDependencies } from '../src/start/open-dependencies.ts'
import { type Collection, DEPTH, readCollection, scoresOf } from './parts/collection.ts'
import { figure } from './parts/figures.ts'
import { addAccounts, cookie } from './parts/fill-accounts.ts'
import { fillDatabase } from './parts/filling.ts'
import { inPlaces, type Place } from './parts/places.ts'

const BASE_URL = 'http://localhost:3000'
const MAX_TITLE = 100
const MAX_TEXT = 2_000

async function ask<Answer>(app: Guildhall, path: string, body?: object): Promise<Answer> {
  const headers = { Cookie: cookie, Origin: BASE_URL, 'Content-Type': 'application/json' }
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
  const response = await app.fetch(new Request(`${BASE_URL}/api${path}`, request))
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

/** The numbers of the documents by the ids of their posts. */
async function post(app: Guildhall, { documents }: Collection): Promise<Map<string, number>> {
  const numbers = new Map<string, number>()
  for (const [at, { title, text }] of documents.entries()) {
    const body = (text.startsWith(title) ? text : `${title} ${text}`).slice(0, MAX_TEXT) || '-'
    const { id } = await ask<{ id: string }>(app, '/community/posts', { title: title.slice(0, MAX_TITLE) || '-', body })
    numbers.set(id, at + 1)
  }
  return numbers
}

async function runOf(app: Guildhall, { queries, ...collection }: Collection): Promise<number[][]> {
  const numbers = await post(app, { queries, ...collection })
  const run: number[][] = []
  for (const query of queries) {
    const { items } = await ask<{ items: { id: string }[] }>(
      app,
      `/search?type=post&per_page=${DEPTH}&q=${encodeURIComponent(query)}`,
    )
    run.push(items.map(({ id }) => numbers.get(id) ?? 0))
  }
  return run
}

async function run(collection: Collection, { url, environment }: Place): Promise<void> {
  await fillDatabase(url, (into) => addAccounts(into, 1))
  const settings = { ...environment, BASE_URL, LOG_LEVEL: 'silent', RATE_LIMITS: 'off' }
  const dependencies = await openDependencies(readConfig(settings))
  const found = await runOf(createApp(dependencies), collection)
  await dependencies.close()
  const others = [...collection.runs].map(([name, other]) => ({ name, ...scoresOf(other, collection) }))
  for (const { name, map, ndcg } of others) {
    figure(`${name}: mean average precision`, map, '')
    figure(`${name}: nDCG@10`, ndcg, '')
  }
  const ours = scoresOf(found, collection)
  figure('mean average precision', ours.map, '', { atLeast: Math.max(0, ...others.map(({ map }) => map)) })
  figure('nDCG@10', ours.ndcg, '', { atLeast: Math.max(0, ...others.map(({ ndcg }) => ndcg)) })
  figure('queries that find nothing', found.filter(({ length }) => length === 0).length, '', { atMost: 0 })
}

const folder = process.env['RELEVANCE']
if (folder) {
  const collection = readCollection(folder)
  await inPlaces(async (make) => run(collection, await make('relevance')))
} else console.log('RELEVANCE names no folder with a collection: nothing was measured.')
