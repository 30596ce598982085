// Says what is wrong with an input, in a sentence that names the field. And numbers as sentences have them.
import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** `field.path: what is expected`, for the first thing that is wrong with what was given. */
export function explain(error: z.core.$ZodError, given: unknown): string {
  const [issue] = error.issues
  if (!issue) return 'is not valid'
  const sentence = sentenceOf(issue, issue.path.reduce(fieldOf, given))
  return issue.path.length > 0 ? `${issue.path.join('.')}: ${sentence}` : sentence
}

/** Issues do not hold what was given. */
const fieldOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/** `value` is what is wrong; undefined where it is missing. */
function sentenceOf(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined ? 'is required' : `must be ${article(issue.expected)}`
    case 'invalid_union':
      return issue.message === UNSAID ? ofUnion(issue, value) : issue.message
    case 'too_small':
      return `must ${measure(issue.origin)} at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`
    case 'too_big':
      return `must ${measure(issue.origin)} at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`
    default:
      return issue.message
  }
}

/** What the library says of a union that says nothing itself. */
const UNSAID = 'Invalid input'

/** Values and types that a union takes are said together. Where it is about a field within, its first form is explained. */
function ofUnion({ errors }: z.core.$ZodIssueInvalidUnion, value: unknown): string {
  if (value === undefined) return 'is required'
  const first = errors.flatMap(([issue]) => issue ?? [])
  const values = first.flatMap((issue) => (issue.code === 'invalid_value' ? issue.values : []))
  const types = first.flatMap((issue) => (issue.code === 'invalid_type' ? article(issue.expected) : []))
  const other = first.find(
    ({ code, path }) => path.length > 0 || !(code === 'invalid_value' || code === 'invalid_type'),
  )
  if (other) return [...other.path.map(String), sentenceOf(other, other.path.reduce(fieldOf, value))].join(': ')
  return `must be ${[...(values.length > 0 ? [oneOf(values)] : []), ...new Set(types)].join(' or ')}`
}

const oneOf = (values: readonly unknown[]) => `${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`

/** The words of JSON for what the library calls otherwise. */
const types: Record<string, string> = { int: 'integer', record: 'object' }

function article(expected: string): string {
  if (expected === 'null') return expected
  const type = types[expected] ?? expected
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

const measure = (origin: string) => (origin === 'string' || origin === 'array' ? 'have' : 'be')

function unit(origin: string, count: number | bigint): string {
  const noun = { string: 'character', array: 'entry' }[origin]
  if (!noun) return ''
  return ` ${count === 1 ? noun : noun.replace(/y$/, 'ie').concat('s')}`
}

// Numbers in sentences of contracts, which are English. Pure.

/** A number with commas, 200,000, as `toLocaleString('en')` writes it. The first use of Intl takes 20 ms, and contracts are read at each start. */
export const withCommas = (count: number): string => {
  const [whole = '', ...fraction] = String(count).split('.')
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.')
}
