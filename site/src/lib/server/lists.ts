// The query of a list, from a URL.
import { pageNumber } from './page-number.ts'
import { shorten } from './plain-text.ts'

/** `value` if it is one of `known`. */
export const oneOf = <Known extends string>(value: string | null, known: readonly Known[]): Known | undefined =>
  known.find((one) => one === value)

/** Those of `known` that are given, each by itself or with commas between them, as the API takes them. */
export function someOf(given: readonly string[], known: readonly string[]): string | undefined {
  const values = new Set(given.flatMap((text) => text.split(',')))
  return known.filter((one) => values.has(one)).join(',') || undefined
}

/** Order, page and search words, which every list has. */
export function listQuery(url: URL) {
  return {
    sort: oneOf(url.searchParams.get('sort'), ['popular']) ?? ('latest' as const),
    page: pageNumber(url),
    q: url.searchParams.get('q')?.trim().slice(0, 200) || undefined,
  }
}

/** Whether a list shows the beginnings of its texts, or its titles alone. */
export const withTexts = ({ searchParams }: URL): boolean => searchParams.get('view') !== 'titles'

/** The beginning of a Markdown text as plain words, cut at a word; code stays. */
export function glimpse(whole: string): string {
  const text = whole.length > MAX_READ ? `${whole.slice(0, MAX_READ)}…` : whole
  const plain = MARKS.test(text)
    ? (text.includes('|') ? withoutTables(text) : text)
        .replace(/^ {0,3}(?:`{3,}|~{3,}).*$/gm, '')
        .replace(DEFINITION, '')
        .replace(CUT, (_, whole = '', part) => (part === undefined ? `${whole} …` : `${part}…`))
        .replace(NOTE, '')
        .replace(/!?\[([^\]]{0,300})\](?:\([^)]{0,500}\)|\[[^\]]{0,300}\])/g, '$1')
        .replace(/<(https?:[^\s<>]{1,500})>/g, '$1')
        .replace(/^\s*(?:#{1,6}|[-*+>]|\d+\.)\s+(\[[ xX]\]\s)?/gm, (_, task) => (task ? taskMark(task) : ''))
        .replace(/(\*\*|__|~~|[*`])/g, '')
    : text
  // What was cut by the API ends within a word, perhaps.
  return shorten(plain.endsWith('…') ? plain.replace(/\s*\S*…$/, ' …') : plain, MAX_GLIMPSED).replace(
    /[\s,;:.–—-]*\s…$/,
    '…',
  )
}

/** Table rows become words; the separator row is dropped. */
function withoutTables(text: string): string {
  const lines = text.slice(0, MAX_GLIMPSED * 4).split('\n')
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
/** Of a footnote, with the lines that belong to it, or of a link. */
const DEFINITION = /^ {0,3}\[[^\]\n]{1,300}\]: .*(?:\n {4}.*)*$/gm
const NOTE = /\[\^[^\]\s]{1,300}\]/g
/** A link, a picture or a footnote that the cut goes through, with the words that it shows. */
const CUT = /!?\[(?:([^[\]\n]{0,300})\]\([^)\n]{0,500}|\^[^\]\s]{0,300}|(?<=!\[)([^\]\n]{0,300}))…$/
const MAX_GLIMPSED = 160
/** Enough for marks and addresses between the words. */
const MAX_READ = 2_000
/** Most texts have no marks. */
const MARKS = /[*`_#[>]|\n|^\s*(?:[-+]|\d+\.)\s/
