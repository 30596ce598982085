// Renders Markdown as HTML in two layers that do not trust each other: markdown-it escapes HTML in members' text
// (markdown-parser.ts), and its output passes an allowlist (sanitizer.ts).
import type { Token } from 'markdown-it'
import { escapeHtml } from './highlight.ts'
import { parse, parser, type Rendering } from './markdown-parser.ts'
import { shorten, wordsOf } from './plain-text.ts'
import { remembered } from './remember.ts'
import { sanitizeOwnText, sanitizeText } from './sanitizer.ts'

/** Some texts take quadratic time. A longer text is shown as plain text. */
const MAX_SOURCE = 100_000
/** Limits the output: a short link definition used ten thousand times must not become megabytes. */
const MAX_GROWTH = 20
const GROWTH_FOR_ALL = 100_000
/** Estimated characters for the tags of a token. */
const TAGS = 20
const MAX_REMEMBERED = 4_000_000
const MAX_REMEMBERED_WORDS = 1_000_000

export interface MarkdownOptions {
  /** how many levels headings move down; by default `#` becomes h2, because the page has its own h1 */
  headingOffset?: 0 | 1 | 2 | 3
}

export interface Heading {
  id: string
  /** of the element: 2 for h2 */
  level: number
  text: string
}

/** The HTML of a member's text, safe to put into a page. For long texts see rendering.ts. */
export function renderMarkdown(source: string, { headingOffset = 1 }: MarkdownOptions = {}): string {
  const known = headingOffset === 1 ? findRendered(source) : undefined
  if (known !== undefined) return known
  const html = rendered(source, headingOffset)
  if (headingOffset === 1) keepRendered(source, html)
  return html
}

/**
 * Renders many texts, in a worker thread.
 * @public Called by name (src/surfaces/site/mount.ts).
 */
export const renderTexts = ({ sources }: { sources: string[] }): string[] =>
  sources.map((source) => rendered(source, 1))

const { find: findRendered, keep: keepRendered } = remembered(MAX_REMEMBERED)

export { findRendered, keepRendered }

function rendered(source: string, headingOffset: number): string {
  if (source.length > MAX_SOURCE) return asWritten(source)
  const bound = source.length * MAX_GROWTH + GROWTH_FOR_ALL
  const rendering: Rendering = { headingOffset }
  const tokens = parse(source, rendering)
  if (sizeOf(tokens) > bound) return asWritten(source)
  const html = parser.renderer.render(tokens, parser.options, rendering)
  return html.length > bound ? asWritten(source) : sanitizeText(html)
}

/**
 * The HTML of our own text (blog, docs): its headings have ids and are returned for a table of contents.
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

/** The words of a text without marks, at most `max` characters, for page descriptions. */
export function plainText(source: string, max: number): string {
  // Enough for marks and URLs between the words; the rest is not parsed.
  const start = source.slice(0, 2_000 + max * 10)
  const key = `${max} ${start}`
  const known = findWords(key)
  if (known !== undefined) return known
  const words = shorten(wordsOf(parse(start, { headingOffset: 0 })), max)
  keepWords(key, words)
  return words
}

const { find: findWords, keep: keepWords } = remembered(MAX_REMEMBERED_WORDS)

/** A text as plain text, line by line. */
export const asWritten = (source: string) => `<pre class="plain">${escapeHtml(source)}</pre>\n`

/** An estimate of the HTML's length, before rendering. */
function sizeOf(tokens: readonly Token[]): number {
  let size = 0
  for (const { content, attrs, children } of tokens) {
    size += TAGS + (children ? sizeOf(children) : content.length)
    for (const [, value] of attrs ?? []) size += String(value).length
  }
  return size
}

/** Slugs as on GitHub, so that links into a document work in both places. */
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
