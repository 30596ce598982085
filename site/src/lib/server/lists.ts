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
    ? (text.includes('|') ? withoutTables(text) : text)
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/^\s*(?:#{1,6}|[-*+>]|\d+\.)\s+(\[[ xX]\]\s)?/gm, (_, task) => (task ? taskMark(task) : ''))
        .replace(/(\*\*|__|[*`])/g, '')
        .replace(/\s+/g, ' ')
        .slice(0, MOST_GLIMPSED)
    : text.slice(0, MOST_GLIMPSED)

/** Rows of tables become their words; the rule below the first is left out. */
function withoutTables(text: string): string {
  const lines = text.slice(0, MOST_GLIMPSED * 4).split('\n')
  let within = false
  const isRule = (line: string | undefined) => line?.includes('|') && RULE.test(line)
  return lines
    .flatMap((line, at) => {
      within = line.includes('|') && (within || ROW.test(line) || isRule(lines[at + 1]) === true)
      if (!within) return line
      return isRule(line) ? [] : line.replaceAll('|', ' ')
    })
    .join('\n')
}

const taskMark = (task: string) => (task[1] === ' ' ? '☐ ' : '☑ ')
const RULE = /^[ \t]*[|:-][ \t|:…-]*$/
const ROW = /^\s*\|/
const MOST_GLIMPSED = 240
/** Most texts have none. */
const MARKS = /[*`_#[>]|\n|^\s*(?:[-+]|\d+\.)\s/
