// How good the search is for people here: 200 queries over the demo, and pairs of titles of which half are duplicates, all judged by hand.
import type { Guildhall } from '../../src/app.ts'
import { fill } from '../../src/demo/demo.ts'
import { figure } from '../parts/figures.ts'
import { engine } from '../parts/options.ts'
import type { MakePlace, Place } from '../parts/places.ts'
import { appAt, ask, type Opened, openPlace, queryOf } from './asking.ts'
import { assertThere, isWanted, type Judged, type Named, readJudged } from './judged.ts'
import { duplicatesIn, rankOf, reciprocalRank, successAt } from './measures.ts'

/** Age counts, so it is always the same time. */
const NOW = Date.parse('2026-11-20T09:00:00.000Z')
const DEPTH = 10

type Texts = { text: string }[]
type Hit = Omit<Named, 'title'> & { title: Texts; text: Texts }
type Similar = Named & { likely: boolean }

interface Answer<Found extends Named = Named> {
  found: Found[]
  /** All that is said, without what differs in every database. */
  whole: string
}

interface Answers {
  queries: Answer[]
  pairs: Answer<Similar>[]
}

const queries = readJudged('queries.txt')
const pairs = readJudged('pairs.txt')

const textOf = (parts: Texts) => parts.map(({ text }) => text).join('')

/** What a new demo answers to all of it. */
async function answersOf(place: Place): Promise<Answers> {
  const dependencies = await openPlace(place)
  await fill(dependencies, { now: NOW, password: 'only for this bench' })
  assertThere([...queries, ...pairs], await thingsOf(dependencies))
  const app = appAt(dependencies, { now: () => NOW, elapsed: () => dependencies.clock.elapsed() })
  const answers: Answers = { queries: [], pairs: [] }
  for (const { text } of queries) answers.queries.push(await search(app, text))
  for (const pair of pairs) answers.pairs.push(await similar(app, pair))
  await dependencies.close()
  return answers
}

/** All that there is; a comment has the title of what it is on. */
async function thingsOf({ db }: Opened): Promise<Named[]> {
  const rows = await db
    .selectFrom('searchDocument as document')
    .leftJoin('searchDocument as parent', 'parent.id', 'document.parentId')
    .leftJoin('user as author', 'author.id', 'document.authorId')
    .select(['document.type', 'document.title', 'parent.title as parentTitle', 'author.username as authorUsername'])
    .execute()
  return rows.map(({ title, parentTitle, ...row }) => ({ ...row, title: parentTitle ?? title }))
}

async function search(app: Guildhall, q: string): Promise<Answer> {
  const { items } = await ask<{ items: Hit[] }>(app, `/search?${queryOf({ q, per_page: DEPTH })}`)
  const found = items.map(({ type, authorUsername, title }) => ({ type, authorUsername, title: textOf(title) }))
  return { found, whole: items.map(({ text }, at) => JSON.stringify([found[at], textOf(text)])).join('\n') }
}

async function similar(app: Guildhall, { text, wanted }: Judged): Promise<Answer<Similar>> {
  const path = `/search/similar?${queryOf({ title: text, type: wanted[0]?.type ?? '' })}`
  const { items } = await ask<{ items: Similar[] }>(app, path)
  return { found: items, whole: items.map(({ type, title, likely }) => `${type} ${title} ${likely}`).join('\n') }
}

/** Fills the demo, asks it everything, and prints how good the answers are; on PostgreSQL also how many SQLite answers in another way. */
export async function judgeDemo(make: MakePlace): Promise<void> {
  const answers = await answersOf(await make('demo'))
  figureQueries(answers.queries)
  figurePairs(answers.pairs)
  if (engine === 'sqlite') return
  const others = await answersOf(await make('demo-sqlite', 'sqlite'))
  for (const which of ['queries', 'pairs'] as const) {
    const differing = answers[which].filter(({ whole }, at) => whole !== others[which][at]?.whole)
    figure(`demo: ${which} with another answer than on SQLite`, differing.length, '', { atMost: 0 })
  }
}

function figureQueries(answers: readonly Answer[]): void {
  const ranks = queries.map((query, at) => rankOf(answers[at]?.found ?? [], (hit) => isWanted(query, hit)))
  for (const group of new Set(queries.map((one) => one.group))) {
    const own = ranks.filter((_, at) => queries[at]?.group === group)
    figure(`demo, ${own.length} of ${group}: mean reciprocal rank`, reciprocalRank(own), '')
  }
  figure(`demo, ${ranks.length} queries: mean reciprocal rank`, reciprocalRank(ranks), '', { atLeast: 0.96 })
  figure('  what was wanted comes first', successAt(ranks, 1), '', { atLeast: 0.94 })
  figure('  among the first 3', successAt(ranks, 3), '', { atLeast: 0.98 })
  figure('  among the first 10', successAt(ranks, DEPTH), '', { atLeast: 0.99 })
}

const limits = {
  shown: { precision: 0.48, recall: 0.9, f1: 0.63 },
  likely: { precision: 0.9, recall: 0.55, f1: 0.7 },
}

/** By whether a thing is shown at all, and by whether it is said to be likely the same. */
function figurePairs(answers: readonly Answer<Similar>[]): void {
  for (const [list, least] of Object.entries(limits)) {
    const verdicts = pairs.map((pair, at) => ({
      isDuplicate: pair.group === 'duplicates',
      isFound: (answers[at]?.found ?? []).some((hit) => (hit.likely || list === 'shown') && isWanted(pair, hit)),
    }))
    const { precision, recall, f1 } = duplicatesIn(verdicts)
    figure(`similar, ${pairs.length} pairs, ${list}: precision`, precision, '', { atLeast: least.precision })
    figure('  recall', recall, '', { atLeast: least.recall })
    figure('  F1', f1, '', { atLeast: least.f1 })
  }
}
