// Says what is wrong with an input, in a sentence that names the field. And numbers as sentences have them.
import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** `field.path: what is expected`, for the first thing that is wrong. */
export function explain(error: z.core.$ZodError): string {
  const [issue] = error.issues
  if (!issue) return 'is not valid'
  const sentence = sentenceOf(issue)
  return issue.path.length > 0 ? `${issue.path.join('.')}: ${sentence}` : sentence
}

function sentenceOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${article(issue.expected)}`
    case 'too_small':
      return `must ${measure(issue.origin)} at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`
    case 'too_big':
      return `must ${measure(issue.origin)} at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    default:
      return issue.message
  }
}

const article = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)
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
