// What a query asks of the index: its words as an expression of terms. Pure.
import { MAX_QUERY } from '../contract/fields.ts'
import { inTitle } from './document.ts'
import { stemOf } from './stem.ts'
import { saysLittle, wordsIn } from './words.ts'

/** A term, or several of which one must be there, or all, or all but one. */
export type Expression =
  | string
  | { any: readonly Expression[] }
  | { all: readonly Expression[] }
  | { most: readonly Expression[] }

/** A word of a query: whole, and its parts where it has some. */
export interface Unit {
  whole: string
  parts: readonly string[]
}

/** Further words are left out. */
export const MAX_WORDS = 8
/** So many words of a sentence count, where some of them are enough. */
export const MAX_SENTENCE = 32
/** So many parts of all words: what is written without spaces has one for each character, and each is looked up. */
export const MAX_LOOKED_UP = 256

/** The words of a query, each once, at most `most`. Words that say little are left out where there are others. */
export function unitsOf(query: string, most = MAX_WORDS): Unit[] {
  const units = new Map<string, Unit>()
  for (const { whole, parts } of wordsIn(query.slice(0, MAX_QUERY).toWellFormed())) units.set(whole, { whole, parts })
  const all = [...units.values()]
  const telling = all.filter(({ whole }) => !saysLittle(whole))
  return withFewParts((telling.length > 0 ? telling : all).slice(0, most))
}

function withFewParts(units: readonly Unit[]): Unit[] {
  let left = MAX_LOOKED_UP
  return units.flatMap(({ whole, parts }) => {
    const some = parts.slice(0, left)
    left -= some.length
    return some.length > 0 ? [{ whole, parts: some }] : []
  })
}

/** Every word that an expression is made of, whole words and parts. */
export const surfacesOf = (units: readonly Unit[]): string[] => [
  ...new Set(units.flatMap(({ whole, parts }) => [whole, ...parts])),
]

/** The terms that match a word beside its own: of longer words that it begins, of corrections. */
export type Alternatives = ReadonlyMap<string, readonly string[]>

const termsFor = (word: string, alternatives: Alternatives): Expression => {
  const own = stemOf(word)
  const terms = [...new Set([own, ...(alternatives.get(word) ?? [])])]
  return terms.length === 1 ? own : { any: terms }
}

/** A word is there as a whole or in all its parts. */
export function expressionOf({ whole, parts }: Unit, alternatives: Alternatives): Expression {
  const asWhole = termsFor(whole, alternatives)
  if (parts.length === 1 && parts[0] === whole) return asWhole
  return { any: [asWhole, { all: parts.map((part) => termsFor(part, alternatives)) }] }
}

/** The words of a sentence, each by itself: of several forms of a word one. */
export function wordsOf(units: readonly Unit[], alternatives: Alternatives): Expression[] {
  const words = new Map(surfacesOf(units).map((word) => [stemOf(word), termsFor(word, alternatives)]))
  return [...words.values()]
}

export function allOf(expressions: readonly Expression[]): Expression {
  const [first, ...others] = expressions
  return first !== undefined && others.length === 0 ? first : { all: expressions }
}

/** What an expression is made of; none for a term. */
export function partsOf(expression: Expression): readonly Expression[] {
  if (typeof expression === 'string') return []
  return 'any' in expression ? expression.any : 'all' in expression ? expression.all : expression.most
}

/** All of several but one, or all of them. Halved again and again: it must not be as long as the square of their number. */
export function mostOf(expressions: readonly Expression[]): Expression {
  if (expressions.length <= 2) return { any: expressions }
  const half = expressions.length >> 1
  const [left, right] = [expressions.slice(0, half), expressions.slice(half)]
  const mostOfLeft = half === 1 ? allOf(right) : allOf([mostOf(left), allOf(right)])
  return { any: [mostOfLeft, allOf([allOf(left), mostOf(right)])] }
}

/** The same of titles alone. */
export function inTitles(expression: Expression): Expression {
  if (typeof expression === 'string') return inTitle(expression)
  const parts = partsOf(expression).map(inTitles)
  return 'any' in expression ? { any: parts } : 'all' in expression ? { all: parts } : { most: parts }
}

export const termsIn = (expression: Expression): string[] =>
  typeof expression === 'string' ? [expression] : partsOf(expression).flatMap(termsIn)

/** FTS5's query syntax. Terms have letters, digits, dots and equals signs only. */
export const toMatch = (expression: Expression): string =>
  written(expression, { term: (term) => `"${term}"`, or: ' OR ', and: ' AND ' })

/** PostgreSQL's, of `tsquery`. */
export const toTsquery = (expression: Expression): string =>
  written(expression, { term: (term) => `'${term}'`, or: ' | ', and: ' & ' })

function written(expression: Expression, syntax: { term(term: string): string; or: string; and: string }): string {
  if (typeof expression === 'string') return syntax.term(expression)
  if ('most' in expression) return written(mostOf(expression.most), syntax)
  const [parts, joint] = 'any' in expression ? [expression.any, syntax.or] : [expression.all, syntax.and]
  return `(${parts.map((part) => written(part, syntax)).join(joint)})`
}

/** How many documents an expression finds, about, where terms are spread by chance; `counts` are of `total` documents. */
export function estimate(expression: Expression, counts: ReadonlyMap<string, number>, total: number): number {
  if (total === 0) return 0
  if (typeof expression === 'string') return Math.min(counts.get(expression) ?? 0, total)
  if ('most' in expression) return estimate(mostOf(expression.most), counts, total)
  if ('any' in expression) {
    return Math.min(
      total,
      expression.any.reduce((sum, one) => sum + estimate(one, counts, total), 0),
    )
  }
  return expression.all.reduce((left, one) => (left * estimate(one, counts, total)) / total, total)
}

/** How many entries of the index are read to evaluate an expression, about: of several words that must be there those of the rarest. */
export function effort(expression: Expression, counts: ReadonlyMap<string, number>): number {
  if (typeof expression === 'string') return counts.get(expression) ?? 0
  if ('most' in expression) return effort(mostOf(expression.most), counts)
  if ('any' in expression) return expression.any.reduce((sum, one) => sum + effort(one, counts), 0)
  return Math.min(...expression.all.map((one) => effort(one, counts))) * expression.all.length
}
