// The numbers of what a publication closes, as they are written.
import { text } from '../../contract/fields.ts'
import { listOfNumbers } from './rules.ts'

/** Things that one publication closes. */
export const MAX_CLOSED = 50

/** Numbers with commas or spaces between them, with # or without, each once; undefined for anything else. */
export function numbersIn(text: string): number[] | undefined {
  const words = text.split(/[\s,]+/).filter(Boolean)
  const numbers = listOfNumbers(words.map((word) => word.replace(/^#(?=.)/, '')).join(','))
  const each = numbers && [...new Set(numbers)]
  return each && each.length <= MAX_CLOSED ? each : undefined
}

export const NumbersToClose = text(0, 500).transform((numbers, context) => {
  const found = numbersIn(numbers)
  if (!found) context.addIssue(`must be at most ${MAX_CLOSED} numbers with commas between them`)
  return (found ?? []).join()
})
