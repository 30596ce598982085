// How good the search is for sentences: mean average precision and nDCG@10 of a collection that others judged, beside what others found in
// it. Documents become posts. Fails where the best of the others is better.
import type { Guildhall } from '../../src/app.ts'
import { type Collection, DEPTH, readCollection, scoresOf } from '../parts/collection.ts'
import { figure } from '../parts/figures.ts'
import { addAccounts, cookie } from '../parts/fill-accounts.ts'
import { fillDatabase } from '../parts/filling.ts'
import type { MakePlace } from '../parts/places.ts'
import { appAt, ask, openPlace, queryOf } from './asking.ts'
import { makeLsi } from './lsi.ts'
import { startMeaningMachine } from './machine.ts'
import { DAILY_TOKENS, judgeMeaning } from './meaning.ts'

const MAX_TITLE = 100
const MAX_TEXT = 2_000
const DIMENSIONS = 120

/** Documents as they are posted. */
const postsOf = ({ documents }: Collection) =>
  documents.map(({ title, text }) => ({
    title: title.slice(0, MAX_TITLE) || '-',
    body: (text.startsWith(title) ? text : `${title} ${text}`).slice(0, MAX_TEXT) || '-',
  }))

/** The numbers of the documents by the ids of their posts. */
async function post(app: Guildhall, collection: Collection): Promise<Map<string, number>> {
  const numbers = new Map<string, number>()
  for (const [at, body] of postsOf(collection).entries()) {
    const { id } = await ask<{ id: string }>(app, '/community/posts', { body, cookie })
    numbers.set(id, at + 1)
  }
  return numbers
}

async function searchAll(app: Guildhall, { queries }: Collection, numbers: ReadonlyMap<string, number>) {
  const run: number[][] = []
  for (const q of queries) {
    const path = `/search?${queryOf({ type: 'post', per_page: DEPTH, q })}`
    const { items } = await ask<{ items: { id: string }[] }>(app, path, { cookie })
    run.push(items.map(({ id }) => numbers.get(id) ?? 0))
  }
  return run
}

function figureSearch(found: number[][], collection: Collection): void {
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

/** Posts the collection of a folder and asks its questions: the search, and then for similar things, with and without what they mean. */
export async function judgeCollection(make: MakePlace, folder: string): Promise<void> {
  const collection = readCollection(folder)
  const place = await make('relevance')
  await fillDatabase(place.url, (into) => addAccounts(into, 1))
  const texts = postsOf(collection).map(({ title, body }) => `${title}\n\n${body}`)
  const machine = await startMeaningMachine(makeLsi(texts, DIMENSIONS))
  const dependencies = await openPlace(place, { ...machine.settings, AI_DAILY_TOKENS: String(DAILY_TOKENS) })
  const app = appAt(dependencies, dependencies.clock)
  const numbers = await post(app, collection)
  figureSearch(await searchAll(app, collection, numbers), collection)
  await judgeMeaning(dependencies, { collection, machine, numbers })
  await dependencies.close()
  machine.close()
}
