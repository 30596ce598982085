// How much a text is about a query: BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, 3.4). A word that a text has
// more often says more, each time less; a long text says less by each. Pure.
import { type Expression, partsOf, termsIn } from './query.ts'
import { stemOf } from './stem.ts'
import { wordsIn } from './words.ts'

/** How soon a word that is there again says nothing new, and how much a long text loses. */
const SATURATION = 1.6
const LENGTH = 0.75
/** A word in a title counts as often. */
const IN_TITLE = 2
/** So much of a text is read, in characters. */
const MAX_READ = 2_048

export interface RelevanceQuery {
  /** The words of the query, each as the terms that it may be. */
  expressions: readonly Expression[]
  /** How much each of them says. */
  weights: readonly number[]
}

export interface RelevanceText {
  title: string
  /** Other names, one a line. */
  names: string
  body: string
}

/** How much each of these texts is about the query. Their average length is what is long or short. */
export function relevancesOf(texts: readonly RelevanceText[], { expressions, weights }: RelevanceQuery): number[] {
  const countsIn = counterOf(new Set(expressions.flatMap(termsIn)))
  const counted = texts.map(({ title, names, body }) => {
    const [named, said] = [countsIn(`${title}\n${names}`), countsIn(body.slice(0, MAX_READ))]
    return {
      length: named.length + said.length,
      times: expressions.map((one) => IN_TITLE * timesIn(one, named.counts) + timesIn(one, said.counts)),
    }
  })
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length)
  return counted.map(({ length, times }) => {
    const slowness = SATURATION * (1 - LENGTH + (LENGTH * length) / Math.max(1, average))
    return times.reduce((sum, n, at) => sum + (weights[at]! * n * (SATURATION + 1)) / (n + slowness), 0)
  })
}

/** Which of these words each text has, as far as it is read. */
export function wordsOfEach(
  texts: readonly RelevanceText[],
  expressions: readonly Expression[],
): ((at: number) => boolean)[] {
  const countsIn = counterOf(new Set(expressions.flatMap(termsIn)))
  return texts.map(({ title, names, body }) => {
    const { counts } = countsIn(`${title}\n${names}\n${body.slice(0, MAX_READ)}`)
    return (at) => timesIn(expressions[at]!, counts) > 0
  })
}

const beginningOf = (word: string) => word.slice(0, 2)

/** Counts how often each of these terms is in a text, and how many words it has. A stem begins as its word does, so few words are stemmed. */
function counterOf(terms: ReadonlySet<string>) {
  const beginnings = new Set([...terms].map(beginningOf))
  return (text: string): { counts: ReadonlyMap<string, number>; length: number } => {
    const counts = new Map<string, number>()
    const add = (word: string) => {
      const term = beginnings.has(beginningOf(word)) ? stemOf(word) : ''
      if (terms.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
    }
    let length = 0
    for (const { whole, parts } of wordsIn(text)) {
      length++
      add(whole)
      if (parts.length > 1 || parts[0] !== whole) parts.forEach(add)
    }
    return { counts, length }
  }
}

function timesIn(expression: Expression, counts: ReadonlyMap<string, number>): number {
  if (typeof expression === 'string') return counts.get(expression) ?? 0
  const times = partsOf(expression).map((part) => timesIn(part, counts))
  return 'any' in expression ? Math.max(...times) : Math.min(...times)
}
