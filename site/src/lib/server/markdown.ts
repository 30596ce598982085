// Text in Markdown, as HTML. Two layers, and neither trusts the other: markdown-it makes no HTML of what people write
// (markdown-parser.ts), and whatever it made goes through a list of what is allowed (sanitizer.ts).
import type { Token } from 'markdown-it'
import { escapeHtml } from './highlight.ts'
import { parse, parser, type Rendering } from './markdown-parser.ts'
import { shorten, wordsOf } from './plain-text.ts'
import { remembered } from './remember.ts'
import { sanitizeOwnText, sanitizeText } from './sanitizer.ts'

/** Some texts take time that grows with the square of their length. A longer one is shown as it was written. */
const MOST_SOURCE = 100_000
/** A short definition that is used ten thousand times must not become a page of megabytes. */
const MOST_GROWTH = 20
const GROWTH_FOR_ALL = 100_000
/** What the tags of a token take. */
const TAGS = 20
const MOST_REMEMBERED = 4_000_000

export interface MarkdownOptions {
  /** how far headings move down, so that the page keeps its only h1; `#` becomes h2 by default */
  headingOffset?: 0 | 1 | 2 | 3
}

export interface Heading {
  id: string
  /** of the element: 2 for h2 */
  level: number
  text: string
}

/** The HTML of what somebody wrote. Safe to put into a page, whatever it was; see rendering.ts for what is not short. */
export function renderMarkdown(source: string, { headingOffset = 1 }: MarkdownOptions = {}): string {
  const known = headingOffset === 1 ? findRendered(source) : undefined
  if (known !== undefined) return known
  const html = rendered(source, headingOffset)
  if (headingOffset === 1) keepRendered(source, html)
  return html
}

/**
 * For a thread of its own: many texts at once.
 * @public Called by name (src/surfaces/site/work.ts).
 */
export const renderTexts = ({ sources }: { sources: string[] }): string[] =>
  sources.map((source) => rendered(source, 1))

const { find: findRendered, keep: keepRendered } = remembered(MOST_REMEMBERED)

export { findRendered, keepRendered }

function rendered(source: string, headingOffset: number): string {
  if (source.length > MOST_SOURCE) return asWritten(source)
  const bound = source.length * MOST_GROWTH + GROWTH_FOR_ALL
  const rendering: Rendering = { headingOffset }
  const tokens = parse(source, rendering)
  if (sizeOf(tokens) > bound) return asWritten(source)
  const html = parser.renderer.render(tokens, parser.options, rendering)
  return html.length > bound ? asWritten(source) : sanitizeText(html)
}

/**
 * The HTML of a text that comes with Guildhall (blog, docs): its headings have ids, and are listed for a table of contents.
 *
 * @param options.taken ids that the page has already
 */
export function trustedMarkdown(
  source: string,
  { headingOffset = 1, taken = [] }: MarkdownOptions & { taken?: Iterable<string> } = {},
): { html: string; headings: Heading[] } {
  const rendering: Rendering = { headingOffset, own: true }
  const tokens = parse(source, rendering)
  const ids = new Set(taken)
  const headings: Heading[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const text = wordsOf(tokens[at + 1]?.children ?? []).trim()
    const id = unique(slug(text) || 'section', ids)
    token.attrSet('id', id)
    headings.push({ id, level: Number(token.tag.slice(1)), text })
  }
  return { html: sanitizeOwnText(parser.renderer.render(tokens, parser.options, rendering)), headings }
}

/** The words of a text without its marks, at most `max` characters: for descriptions of a page. */
export function plainText(source: string, max: number): string {
  // Enough for marks and addresses between the words; the rest is not read.
  const start = source.slice(0, 2_000 + max * 10)
  return shorten(wordsOf(parse(start, { headingOffset: 0 })), max)
}

/** A text that is not rendered: as it was typed, line by line. */
export const asWritten = (source: string) => `<pre class="plain">${escapeHtml(source)}</pre>\n`

/** About how many characters of HTML the tokens make, before any is made. */
function sizeOf(tokens: readonly Token[]): number {
  let size = 0
  for (const { content, attrs, children } of tokens) {
    size += TAGS + (children ? sizeOf(children) : content.length)
    for (const [, value] of attrs ?? []) size += String(value).length
  }
  return size
}

/** As GitHub makes them, so that links into a document work in both places. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

function unique(slug: string, taken: Set<string>): string {
  let id = slug
  for (let n = 1; taken.has(id); n++) id = `${slug}-${n}`
  taken.add(id)
  return id
}
