// How the pages of an operation follow each other, read off its input and its output.
import { z } from 'zod'
import type { Operation } from './operation.ts'

export interface PageScheme {
  /** cursor: `nextCursor` of an answer is sent as `cursor`. after: `next`, as `after`. */
  by: 'cursor' | 'after'
  /** The field of the output with the entries. */
  entries: string
}

/** How an operation is paged; undefined for one that is no list. */
export function pagingOf({ input, output }: Operation): PageScheme | undefined {
  if (!(output instanceof z.ZodObject)) return undefined
  const lists = Object.keys(output.shape).filter((name) => output.shape[name] instanceof z.ZodArray)
  const entries = lists.find((name) => name === 'items') ?? lists[0]
  if (entries === undefined) return undefined
  if ('cursor' in input.shape && 'nextCursor' in output.shape) return { by: 'cursor', entries }
  return 'after' in input.shape && 'next' in output.shape ? { by: 'after', entries } : undefined
}

/** The field with the entries of a list, paged or whole; undefined for an operation that is no list. */
export function entriesOf(operation: Operation): string | undefined {
  if (operation.method !== 'GET') return undefined
  const { output } = operation
  const paged = pagingOf(operation)
  if (paged) return paged.entries
  return output instanceof z.ZodObject && output.shape['items'] instanceof z.ZodArray ? 'items' : undefined
}
