// In which order hits come: one formula for both engines. An exact name, then words in the title, then words in the text; votes and age
// only decide between hits that are about as good. Pure.
import type { SearchType } from '../contract/kinds.ts'
import type { Alternatives, Unit } from './query.ts'
import { stemOf } from './stem.ts'
import { wordsIn } from './words.ts'

/** How a hit was found: all words, words that begin so or are spelt like them, most of the words, some of them. */
export type Closeness = 'exact' | 'close' | 'most' | 'some'

export interface Candidate {
  rowId: number
  type: SearchType
  title: string
  /** Other names, one a line. */
  names: string
  createdAt: string | null
  score: number
  closeness: Closeness
  /** Whether the query is the whole of its title, or of another of its names. */
  isNamed: boolean
  /** Whether it has a word of several parts, such as `find_operation`, as the query writes it. */
  hasWhole: boolean
}

const CLOSENESS: Readonly<Record<Closeness, number>> = { exact: 1, close: 0.4, most: 0, some: 0 }
const NAMED = 4
const IN_TITLE = 2
const WHOLE_TITLE = 0.8
const ALL_IN_TITLE = 0.5
const IN_ORDER = 0.2
const WHOLE_WORD = 0.8
const MAX_VOTE_POINTS = 0.5
const FEWEST_VOTES = -0.3
const NEW = 0.25
const YEAR_MS = 365 * 24 * 3600 * 1000
/** What has a page of its own goes before what is said about it. */
const TYPES: Partial<Readonly<Record<SearchType, number>>> = {
  ...{ org: 0.2, workflow: 0.2, automation: 0.2, person: 0.2, label: 0.1, tag: 0.1, comment: -0.2 },
}

/** How well a word of a query is met by a word of a title: as it is written, in another form, or by another word. */
const QUALITY = { written: 1, stem: 0.9, other: 0.65 }

interface QueryWords {
  units: readonly Unit[]
  alternatives: Alternatives
}

/** The best first; of equals the newest, and of these the one with the lower number. */
export function ranked<Hit extends Candidate>(hits: readonly Hit[], sought: QueryWords, now: number): Hit[] {
  const matcher = matcherOf(sought)
  return hits
    .map((hit) => ({ hit, points: pointsOf(hit, matcher, now) }))
    .sort((a, b) => b.points - a.points || a.hit.rowId - b.hit.rowId)
    .map(({ hit }) => hit)
}

/** What meets which word of a query, and how well: by words as they are written, and by terms. */
interface Matcher {
  written: Map<string, WordMatch[]>
  terms: Map<string, WordMatch[]>
  /** For each unit how many parts it has; the part -1 is the whole. */
  parts: readonly number[]
}

interface WordMatch {
  unit: number
  part: number
  quality: number
}

function matcherOf({ units, alternatives }: QueryWords): Matcher {
  const [written, terms] = [new Map<string, WordMatch[]>(), new Map<string, WordMatch[]>()]
  const add = (to: Map<string, WordMatch[]>, key: string, meeting: WordMatch) =>
    void to.set(key, [...(to.get(key) ?? []), meeting])
  for (const [unit, { whole, parts }] of units.entries()) {
    for (const [at, word] of [whole, ...parts].entries()) {
      const part = at - 1
      add(written, word, { unit, part, quality: QUALITY.written })
      for (const term of alternatives.get(word) ?? []) add(terms, term, { unit, part, quality: QUALITY.other })
      add(terms, stemOf(word), { unit, part, quality: QUALITY.stem })
    }
  }
  return { written, terms, parts: units.map(({ parts }) => parts.length) }
}

function pointsOf(hit: Candidate, matcher: Matcher, now: number): number {
  const votes = Math.max(
    FEWEST_VOTES,
    Math.min(MAX_VOTE_POINTS, (Math.sign(hit.score) * Math.log10(1 + Math.abs(hit.score))) / 5),
  )
  const age = hit.createdAt === null ? 0 : Math.max(0, now - Date.parse(hit.createdAt))
  return (
    CLOSENESS[hit.closeness] +
    (hit.isNamed ? NAMED : 0) +
    (hit.hasWhole ? WHOLE_WORD : 0) +
    titlePoints(hit, matcher) +
    votes +
    NEW * 2 ** (-age / YEAR_MS) +
    (TYPES[hit.type] ?? 0)
  )
}

/** The best of the title and the other names. */
function titlePoints({ title, names }: Candidate, matcher: Matcher): number {
  const points = title === '' ? 0 : namePoints(title, matcher)
  return names === '' ? points : Math.max(points, ...names.split('\n').map((name) => namePoints(name, matcher)))
}

/** How well a part is met, and by which word of the title. */
interface PartMatch {
  quality: number
  at: number
}

function namePoints(name: string, { written, terms, parts }: Matcher): number {
  const met: PartMatch[][] = parts.map(() => [])
  let words = 0
  for (const { whole, parts: pieces } of wordsIn(name)) {
    for (const word of pieces.length === 1 ? pieces : [whole, ...pieces]) {
      for (const found of [written.get(word), terms.get(stemOf(word))]) {
        for (const { unit, part, quality } of found ?? []) {
          const before = met[unit]![part + 1]
          if (!before || before.quality < quality) met[unit]![part + 1] = { quality, at: words }
        }
      }
    }
    words++
  }
  const best = met.map((some, unit) => unitMet(some, parts[unit] ?? 1))
  const quality = best.reduce((sum, one) => sum + one.quality, 0) / best.length
  if (quality === 0) return 0
  const isAll = best.every((one) => one.quality > 0)
  const inOrder = isAll && best.every(({ at }, index) => index === 0 || at[0]! > best[index - 1]!.at[0]!)
  const places = new Set(best.flatMap(({ at }) => at))
  return (
    IN_TITLE * quality +
    WHOLE_TITLE * quality * (places.size / words) +
    (isAll ? ALL_IN_TITLE : 0) +
    (inOrder && best.length > 1 ? IN_ORDER : 0)
  )
}

/** A word of a query as a whole, or in its parts: what is better. */
function unitMet(
  [whole, ...parts]: readonly (PartMatch | undefined)[],
  count: number,
): { quality: number; at: number[] } {
  const there = parts.filter((part) => part !== undefined)
  const quality = there.reduce((sum, one) => sum + one.quality, 0) / count
  return whole && whole.quality >= quality
    ? { quality: whole.quality, at: [whole.at] }
    : { quality, at: there.map(({ at }) => at) }
}
