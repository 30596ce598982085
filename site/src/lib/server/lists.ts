// What an address asks of a list.
import { pageNumber } from './comments.ts'

/** One of `known`, or nothing. */
export const oneOf = <Known extends string>(value: string | null, known: readonly Known[]): Known | undefined =>
  known.find((one) => one === value)

/** Order, page and search words, which every list takes. */
export function listQuery(url: URL) {
  return {
    sort: oneOf(url.searchParams.get('sort'), ['popular']) ?? ('latest' as const),
    page: pageNumber(url),
    q: url.searchParams.get('q')?.trim().slice(0, 200) || undefined,
  }
}

/** Markdown without its marks, for the lines below a title; what stands in code stays. */
export const glimpse = (text: string): string =>
  MARKS.test(text)
    ? text
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/^\s*(#{1,6}|[-*+>]|\d+\.)\s+/gm, '')
        .replace(/(\*\*|__|[*`])/g, '')
        .replace(/\s+/g, ' ')
        .slice(0, MOST_GLIMPSED)
    : text.slice(0, MOST_GLIMPSED)

const MOST_GLIMPSED = 240
/** Most texts have none. */
const MARKS = /[*`_#[>]|\n|^\s*(?:[-+]|\d+\.)\s/
