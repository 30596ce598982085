// What a new text refers to by `#128`: the history of that thing says so.
import type { Transaction } from '../../database/schema.ts'
import { UNSAID } from '../notifications/rules.ts'
import { noteReferences } from './queries.ts'

/** Of one text. */
const MAX_NUMBERS = 10
/** The same as the site links (site/src/lib/server/markdown-parser.ts). */
const NUMBER = /(?<![\p{L}\p{N}_@#&/.-])#([1-9]\d{0,8})(?![\p{L}\p{N}_])/gu
/** What has a history. */
const TYPES = ['bug', 'feature', 'post'] as const

/** The first numbers after a # that are not in code or in a quote. */
export function numbersSaid(text: string): number[] {
  if (!text.includes('#')) return []
  const numbers = new Set<number>()
  for (const [, number] of text.replace(UNSAID, ' ').matchAll(NUMBER)) {
    numbers.add(Number(number))
    if (numbers.size === MAX_NUMBERS) break
  }
  return [...numbers]
}

type ReferencingText = Omit<Parameters<typeof noteReferences>[1], 'numbers' | 'types'>

/** Tells what a text refers to; everybody sees the thing that has the text. */
export async function tellReferences(db: Transaction, text: string, said: ReferencingText): Promise<void> {
  const numbers = numbersSaid(text)
  if (numbers.length > 0) await noteReferences(db, { ...said, numbers, types: TYPES })
}
