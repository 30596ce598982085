// Errors of the API in the reader's language. The API speaks English; the area `refusals` of the catalogue has its sentences, and the English one
// leads to the key. A sentence that the catalogue does not have is said by its status; a test compares them with the code.
import { areas } from '../../../../messages/catalogue.ts'
import type { SiteWords } from './catalogue.ts'

type Name = keyof (typeof areas)['refusals']['en']

interface Pattern {
  name: Name
  expression: RegExp
  variables: string[]
}

const VARIABLE = /\{(\w+)\}/g
const entries = Object.entries(areas.refusals.en) as [Name, string][]
const plain = new Map(entries.filter(([, text]) => !text.includes('{')).map(([name, text]) => [text, name]))

const escaped = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')

/** Longest first: a sentence with more words of its own is meant more exactly. */
const patterns: readonly Pattern[] = entries
  .filter(([, text]) => text.includes('{'))
  .toSorted(([, one], [, other]) => other.length - one.length)
  .map(([name, text]) => ({
    name,
    expression: new RegExp(`^${escaped(text).replace(VARIABLE, '(.{1,300}?)')}$`, 's'),
    variables: [...text.matchAll(VARIABLE)].map(([, variable = '']) => variable),
  }))

/** The name of a sentence of the API in the catalogue, with its variables; undefined for one that it does not have. */
export function refusalNamed(message: string): { name: Name; values: Record<string, string> } | undefined {
  const known = plain.get(message)
  if (known) return { name: known, values: {} }
  for (const { name, expression, variables } of patterns) {
    const found = expression.exec(message)
    if (found)
      return { name, values: Object.fromEntries(variables.map((variable, at) => [variable, found[at + 1] ?? ''])) }
  }
  return undefined
}

/** An error that a page of the authorization server shows: as it is, or in other languages without the name of its field. */
export const errorIn = (t: SiteWords, message: string): string =>
  t.language === 'en' ? message : refusalIn(t, message.replace(/^[a-z]\w*: /, ''))

const confirmed: readonly Name[] = ['otherReaders', 'everyoneReads']

/** Whether a sentence of the API refuses what it takes once it is confirmed. */
export function asksToConfirm(message: string): boolean {
  const name = plain.get(message)
  return name !== undefined && confirmed.includes(name)
}

const STATUSES = [400, 403, 404, 409, 413, 429, 503] as const

/** A sentence of the API, without the name of its field, in the words of a reader. */
export function refusalIn(t: SiteWords, message: string, status?: number): string {
  if (t.language === 'en') return message
  const found = refusalNamed(message.replace(/^it is /, 'is '))
  // The names are those of the catalogue, and their variables those of its texts.
  if (found) return t.text(`refusals.${found.name}`, found.values)
  const known = STATUSES.find((one) => one === status)
  return known ? t.text(`errors.code.${known}`, { message }) : message
}
