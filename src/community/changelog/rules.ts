// What a release closes, as people write it.
import { listOfNumbers } from '../../content/references/rules.ts'

/** Bugs and feature requests that one release closes. */
export const MAX_CLOSED = 50

/** Numbers with commas or spaces between them, with # or without, each once; undefined for anything else. */
export function numbersIn(text: string): number[] | undefined {
  const words = text.split(/[\s,]+/).filter(Boolean)
  const numbers = listOfNumbers(words.map((word) => word.replace(/^#(?=.)/, '')).join(','))
  const each = numbers && [...new Set(numbers)]
  return each && each.length <= MAX_CLOSED ? each : undefined
}
