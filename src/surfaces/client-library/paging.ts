// How the pages of an operation follow each other, read off its input and its output.
import { z } from 'zod'
import type { Operation } from '../../contract/operation.ts'
import { schemaIn } from '../json-schema.ts'

export interface PageScheme {
  /** pages: a number that counts up. cursor: `next` of an answer is sent as `after`, or as `before`. */
  by: 'page' | 'cursor'
  /** The number of the first page. */
  first?: number
  /** The field of the output with the entries. */
  entries: string
  /** What tells that there are more pages: a field, or a page that is full. */
  more: 'hasMore' | 'total' | 'full'
  /** Entries on a page unless told. */
  size?: number
}

/** How an operation is paged; undefined for one that is no list. */
export function pagingOf({ input, output }: Operation): PageScheme | undefined {
  if (!(output instanceof z.ZodObject)) return undefined
  const lists = Object.keys(output.shape).filter((name) => output.shape[name] instanceof z.ZodArray)
  const entries = lists.find((name) => name === 'items') ?? lists[0]
  if (entries === undefined) return undefined
  if ('next' in output.shape && 'after' in input.shape) return { by: 'cursor', entries, more: 'hasMore' }
  if (!('page' in input.shape)) return undefined
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  const first = z.number().parse(input.shape['page'].parse(undefined))
  if ('hasMore' in output.shape) return { by: 'page', first, entries, more: 'hasMore' }
  if ('total' in output.shape) return { by: 'page', first, entries, more: 'total' }
  // What is more than a list, such as a profile, has a list within.
  if (Object.keys(output.shape).length > 1) return undefined
  return { by: 'page', first, entries, more: 'full', size: z.number().parse(schemaIn(properties['per_page']).default) }
}
