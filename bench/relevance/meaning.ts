// What a machine that says what texts mean adds to similar things: the questions of a collection are asked as titles, by their words alone and
// with the machine. It is asked within the tokens of a day and the titles of an hour, and about nothing twice.
import type { Guildhall } from '../../src/app.ts'
import { AT_ONCE, TITLES } from '../../src/community/assistant/meanings.ts'
import { beginningOf } from '../../src/contract/storable.ts'
import { type Collection, type Run, scoresOf } from '../parts/collection.ts'
import { figure } from '../parts/figures.ts'
import { cookie } from '../parts/fill-accounts.ts'
import { appAt, ask, type Opened, queryOf } from './asking.ts'
import type { MeaningMachine } from './machine.ts'

/** Fewer than the collection takes in a day, since things have half of them. */
export const DAILY_TOKENS = 500_000
const DAY_MS = 86_400_000
const MOST_DAYS = 10
const MAX_TITLE = 100

interface Judging {
  collection: Collection
  machine: MeaningMachine
  /** The numbers of the documents by the ids of their posts. */
  numbers: ReadonlyMap<string, number>
}

/** Has the whole collection understood, day after day, and prints what that took. */
async function understand(
  app: Guildhall,
  { collection: { documents }, machine }: Judging,
  nextDay: () => void,
): Promise<void> {
  let [busiest, requests, texts, days] = [0, 0, 0, 0]
  while (texts < documents.length && days < MOST_DAYS) {
    await app.understand()
    const asked = machine.asked()
    busiest = Math.max(busiest, asked.tokens)
    requests += asked.requests
    texts += asked.texts
    days++
    nextDay()
  }
  await app.understand()
  figure('meaning: days until all is understood', days, '', { atLeast: 2 })
  figure('meaning: tokens for texts on the busiest day, of half a day', busiest / (DAILY_TOKENS / 2), '', { atMost: 1 })
  figure('meaning: requests for texts', requests, '', { atMost: Math.ceil(documents.length / AT_ONCE) + days - 1 })
  figure('meaning: texts that were asked about, of all', texts / documents.length, '', { atLeast: 1 })
  figure('meaning: texts that were asked about again', texts - documents.length + machine.asked().texts, '', {
    atMost: 0,
  })
}

async function similarTo(app: Guildhall, { collection: { queries }, numbers }: Judging, signedIn?: string) {
  const run: number[][] = []
  for (const query of queries) {
    const path = `/search/similar?${queryOf({ type: 'post', title: beginningOf(query, MAX_TITLE) })}`
    const { items } = await ask<{ items: { id: string }[] }>(app, path, signedIn ? { cookie: signedIn } : {})
    run.push(items.map(({ id }) => numbers.get(id) ?? 0))
  }
  return run
}

/** How many questions have a worse answer. */
const worse = ({ judgements }: Collection, without: Run, meant: Run): number =>
  judgements.filter((judged, at) => {
    const of = (run: Run) => scoresOf([run[at] ?? []], { judgements: [judged] }).map
    return of(meant) < of(without)
  }).length

/** Prints how good similar things are by words alone, and with what they mean, which must not be worse. */
export async function judgeMeaning(dependencies: Opened, judging: Judging): Promise<void> {
  const { collection, machine } = judging
  let passed = 0
  const clock = { now: () => dependencies.clock.now() + passed, elapsed: () => dependencies.clock.elapsed() }
  const app = appAt({ ...dependencies, config: { ...dependencies.config, rateLimits: true } }, clock)
  await understand(app, judging, () => {
    passed += DAY_MS
  })
  const without = await similarTo(app, judging)
  figure('meaning: titles asked about for who is not signed in', machine.asked().texts, '', { atMost: 0 })
  const meant = await similarTo(app, judging, cookie)
  figure('meaning: titles asked about in an hour', machine.asked().texts, '', { atMost: TITLES.tries })
  const again = await similarTo(app, judging, cookie)
  figure('meaning: titles asked about again', machine.asked().texts, '', { atMost: 0 })
  const differing = again.filter((found, at) => String(found) !== String(meant[at])).length
  figure('meaning: answers that differ the second time', differing, '', { atMost: 0 })
  const [words, both] = [scoresOf(without, collection), scoresOf(meant, collection)]
  figure('similar by words: mean average precision, of five', words.map, '')
  figure('similar by words: nDCG@10, of five', words.ndcg, '')
  figure('similar by meaning too: mean average precision, of five', both.map, '', { atLeast: words.map })
  figure('similar by meaning too: nDCG@10, of five', both.ndcg, '', { atLeast: words.ndcg })
  figure('  questions with a worse answer than by words alone', worse(collection, without, meant), '')
}
