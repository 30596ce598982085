// Finds operations by what people say: by the words of their names, summaries and synonyms, the rarer a word the more it tells. The answer
// has few tokens: the first ones with their input schemas, as many as fit, the others by a line.
import type { BoundOperation } from '../../core/bind.ts'
import { tokensOf } from '../../runtime/width.ts'
import { stemOf } from '../../search/stem.ts'
import { inputSchemaOf, type ObjectSchema } from './schema.ts'
import { descriptionOf } from './tools.ts'

/** An operation that was found: one without a schema is found with it by its name. */
interface OperationLine {
  name: string
  description: string
}
export interface OperationMatch extends OperationLine {
  inputSchema?: ObjectSchema
}

const MAX_FOUND = 6
/** Of an answer, with what stands around the operations. */
const MAX_TOKENS_FOUND = 780
/** What a word tells, by where it stands. */
const WEIGHTS = { name: 3, synonyms: 3, summary: 2, rest: 0.5 } as const
/** Of a synonym that is said whole, for each of its words. */
const PHRASE = 3
/** Words that tell nothing, but for a synonym that is said whole. */
const EMPTY = new Set(
  'a an the of to my on in for is are me it its with and or that this be i you do does can how what'.split(' '),
)
/** People call things by other words than the API. */
const ALSO: Readonly<Record<string, string>> = {
  ...{ issue: 'bug', ticket: 'bug', defect: 'bug', idea: 'feature', suggestion: 'feature', wish: 'feature' },
  ...{ package: 'item', workflow: 'item', automation: 'item', artifact: 'item', library: 'item' },
  ...{
    user: 'account',
    member: 'account',
    person: 'account',
    thread: 'post',
    release: 'release',
    changelog: 'release',
  },
}

const asWord = (word: string) => stemOf(word.toLowerCase())
const wordsOf = (text: string): string[] =>
  (text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').match(/[\p{L}\p{N}]+/gu) ?? []).map(asWord)
const telling = (text: string) => new Set(wordsOf(text).filter((word) => !EMPTY.has(word)))
const also = new Map(Object.entries(ALSO).map(([word, meant]) => [asWord(word), asWord(meant)]))

interface IndexedOperation {
  bound: BoundOperation
  words: Record<keyof typeof WEIGHTS, ReadonlySet<string>>
  phrases: string[][]
}

function knownOf(bound: BoundOperation): IndexedOperation {
  const { summary, description = '', path, synonyms = [] } = bound.operation
  const words = {
    ...{ name: telling(bound.name), summary: telling(summary), synonyms: telling(synonyms.join(' ')) },
    rest: telling(`${description} ${path}`),
  }
  return { bound, words, phrases: synonyms.map(wordsOf) }
}

const places = ['name', 'synonyms', 'summary', 'rest'] as const

/** A function that finds among these operations, the best ones first. */
export function finderOf(operations: readonly BoundOperation[]): (query: string) => BoundOperation[] {
  const known = operations.map(knownOf)
  const counts = new Map<string, number>()
  for (const { words } of known) {
    for (const word of new Set(places.flatMap((place) => [...words[place]])))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const rarity = (word: string) => Math.log(1 + known.length / (counts.get(word) ?? known.length))
  return (query) => {
    const said = wordsOf(query)
    const all = new Set(said.flatMap((word) => [word, also.get(word) ?? word]))
    const wanted = [...all].filter((word) => !EMPTY.has(word))
    const scored = known.map((one) => ({
      one,
      score: scoreOf(one, { wanted, all, rarity }) + (isNamed(one, query) ? 1_000 : 0),
    }))
    const hits = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
    return hits.slice(0, MAX_FOUND).map(({ one }) => one.bound)
  }
}

/** Whether the words are those of its name, and no others. */
const isNamed = ({ bound }: IndexedOperation, query: string) => plainOf(bound.name) === plainOf(query)
const plainOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

interface QueryTerms {
  wanted: readonly string[]
  all: ReadonlySet<string>
  rarity(word: string): number
}

function scoreOf({ words, phrases }: IndexedOperation, { wanted, all, rarity }: QueryTerms): number {
  const heard = wanted.map((word) => {
    const place = places.find((one) => words[one].has(word))
    return place ? WEIGHTS[place] * rarity(word) : 0
  })
  const whole = phrases.filter((phrase) => phrase.every((word) => all.has(word)))
  const best = Math.max(
    0,
    ...whole.map((phrase) => phrase.reduce((sum, word) => sum + PHRASE * (EMPTY.has(word) ? 1 : rarity(word)), 0)),
  )
  // Of two that are alike the one whose name says less else.
  return heard.reduce((sum, one) => sum + one, 0) + best - 0.01 * words.name.size
}

/** Lines for all, and `whole` for the first ones as long as they fit: of a session, which agents do not have, it says so. */
export function fitting<More>(found: readonly BoundOperation[], whole: (bound: BoundOperation) => More) {
  const answer: (OperationLine | More)[] = found.map((bound) => lineOf(bound))
  const fits = () => tokensOf(JSON.stringify({ operations: answer })) <= MAX_TOKENS_FOUND
  for (const [at, bound] of found.entries()) {
    answer[at] = bound.operation.access.credential === 'session' ? lineOf(bound, NOT_BY_AGENTS) : whole(bound)
    // The first one is of use alone.
    while (at === 0 && answer.length > 1 && !fits()) answer.pop()
    if (at === 0 || fits()) continue
    answer[at] = lineOf(bound)
    break
  }
  return answer
}

const NOT_BY_AGENTS = ' Only in a browser, by the account itself: an agent cannot.'
const lineOf = ({ name, operation }: BoundOperation, more = ''): OperationLine => ({
  name,
  description: `${operation.summary}.${more}`,
})

/** As find_operation describes it. */
export const withSchema = ({ name, operation }: BoundOperation): OperationMatch => ({
  name,
  description: descriptionOf(operation),
  inputSchema: inputSchemaOf(operation),
})
