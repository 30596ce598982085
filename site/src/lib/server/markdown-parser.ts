// The first layer of Markdown: adjusts the tokens of markdown-it. No HTML, style or id of a text passes through.
import { hash } from 'node:crypto'
import MarkdownIt, { type Env, type Token } from 'markdown-it'
import footnotes from 'markdown-it-footnote'
import { siteWords } from '#lib/language/catalogue.ts'
import { IN_TEXT, widthsOf } from '#lib/picture-widths.ts'
import { isHere, isLink, isOurImage, LINK_REL } from './addresses.ts'
import { escapeHtml, highlight, languageOf } from './highlight.ts'

/** Nesting of quotes and lists; deeper content is left out. */
const MAX_NESTING = 40
/** A text with more cells is rendered without tables. */
const MAX_CELLS = 20_000
/** A text with more of what may begin a footnote is rendered without: the plugin takes quadratic time in their number. */
const MAX_FOOTNOTES = 200
/** Highlighting is the slowest step, so each document has a limit of characters. */
const MAX_HIGHLIGHTED = 10_000
/** Some patterns of highlight.js take quadratic time in the length of a line. */
const LONGEST_HIGHLIGHTED_LINE = 400
/** A longer line scrolls on a phone, so it must be focusable for keyboards. */
const LONG_LINE = 40

/** A text with more references shows the others as text. */
const MAX_REFERENCES = 30
/** A number or a name that is a word by itself: `#128`, `@mira`. */
const REFERENCE = /(?<![\p{L}\p{N}_@#&/.-])(?:#[1-9]\d{0,8}(?![\p{L}\p{N}_])|@[A-Za-z0-9_-]{3,24}(?![\p{L}\p{N}_]))/gu

/** Options and state of one rendering; markdown-it passes it to its rules as `env`. */
export interface Rendering extends Env {
  headingOffset: number
  /** Tells the footnotes of a text from those of others on the page; a text without has none. */
  docId?: string
  /** our own text: its links have no rel and its pictures may be anywhere on this site */
  own?: boolean
  highlighted?: number
  /** How many references it has so far. */
  referenced?: number
}

function newParser() {
  const parser = new MarkdownIt({ html: false, linkify: true, maxNesting: MAX_NESTING })
  // Only text with a scheme is a URL: readme.md is a file and example.com could be one.
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  parser.linkify.add('//', null).add('ftp:', null)
  parser.validateLink = isLink
  parser.core.ruler.push('ours', ({ tokens, env }) => refine(tokens, env as Rendering))
  // biome-ignore lint/complexity/useMaxParams: the signature is markdown-it's
  parser.renderer.rules.fence = (tokens, at, _options, env) => code(tokens[at] as Token, env as Rendering)
  parser.renderer.rules.code_block = parser.renderer.rules.fence
  return parser
}

/** Footnotes as GitHub has them: `[^1]`, and not within a line. */
function addFootnotes(parser: ReturnType<typeof newParser>): typeof parser {
  parser.use(footnotes).disable('footnote_inline')
  const { rules } = parser.renderer
  const placeOf = (token: Token, { docId = '' }: Rendering) => {
    const { id, subId = 0 } = token.meta as { id: number; subId?: number }
    const number = id + 1
    return { number, note: `fn-${docId}-${number}`, from: `fnref-${docId}-${number}${subId > 0 ? `-${subId}` : ''}` }
  }
  // biome-ignore-start lint/complexity/useMaxParams: the signatures are markdown-it's
  rules.footnote_ref = (tokens, at, _options, env) => {
    const { number, note, from } = placeOf(tokens[at] as Token, env as Rendering)
    return `<sup><a href="#${note}" id="${from}">${number}</a></sup>`
  }
  rules.footnote_block_open = () => '<section class="footnotes">\n<ol dir="auto">\n'
  rules.footnote_open = (tokens, at, _options, env) =>
    `<li id="${placeOf(tokens[at] as Token, env as Rendering).note}">`
  rules.footnote_anchor = (tokens, at, _options, env) => {
    const { number, from } = placeOf(tokens[at] as Token, env as Rendering)
    return ` <a href="#${from}" aria-label="${siteWords('ui.footnote.back', { number })}">↩</a>`
  }
  // biome-ignore-end lint/complexity/useMaxParams: the signatures are markdown-it's
  return parser
}

export const parser = addFootnotes(newParser())
const withoutTables = addFootnotes(newParser().disable('table'))
const plain = newParser()
const plainWithoutTables = newParser().disable('table')

/** The tokens of a text. */
export function parse(source: string, rendering: Rendering): Token[] {
  const hasTables = mostCells(source) <= MAX_CELLS
  const notes = source.split('[^', MAX_FOOTNOTES + 2).length - 1
  if (notes === 0 || notes > MAX_FOOTNOTES) return (hasTables ? plain : plainWithoutTables).parse(source, rendering)
  rendering.docId ??= hash('sha256', source).slice(0, 8)
  return (hasTables ? parser : withoutTables).parse(source, rendering)
}

/** An upper bound: markdown-it fills every row up to the columns of its table. */
function mostCells(source: string): number {
  const lines = source.split('\n')
  const columns = lines.reduce((most, line) => Math.max(most, line.split('|', MAX_CELLS).length), 0)
  return lines.length * (columns - 1)
}

const TURNING = /^(?:bullet_list|ordered_list|blockquote)_(?:open|close)$/

function refine(tokens: readonly Token[], rendering: Rendering): void {
  let depth = 0
  for (const [at, token] of tokens.entries()) {
    if (TURNING.test(token.type)) {
      // Only the outermost list or quote sets the direction; nested ones inherit it.
      if (token.nesting === 1 && depth === 0) token.attrSet('dir', 'auto')
      depth += token.nesting
    }
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + rendering.headingOffset)}`
    } else if (token.type === 'th_open' || token.type === 'td_open') {
      token.attrs = alignment(token)
      // An empty header cell is a data cell.
      const [text, end] = tokens.slice(at + 1, at + 3)
      if (token.type === 'th_open' && text?.content === '' && end) token.tag = end.tag = 'td'
    } else if (token.type === 'table_open') {
      // Focusable, so that a keyboard can scroll a wide table.
      token.attrSet('tabindex', '0')
    } else if (token.children) {
      token.children = inline(token.children, rendering)
      if (tokens[at - 2]?.type === 'list_item_open') markTask(token.children)
    }
  }
}

/** `[ ] x` and `[x] x` at the start of a list item become a checkbox sign with a label. */
function markTask(tokens: Token[]): void {
  const [first] = tokens
  if (first?.type !== 'text') return
  const [mark, state] = /^\[([ xX])\][ \u00a0]/.exec(first.content) ?? []
  if (!mark) return
  first.content = first.content.slice(mark.length - 1)
  const done = state !== ' '
  const start = new MarkdownIt.Token('task_open', 'span', 1)
  start.attrs = [
    ['class', 'task'],
    ['role', 'img'],
    ['aria-label', done ? siteWords('ui.task.done') : siteWords('ui.task.todo')],
  ]
  tokens.unshift(start, text(done ? '☑' : '☐'), new MarkdownIt.Token('task_close', 'span', -1))
}

function alignment(cell: Token): Token['attrs'] {
  const style = String(cell.attrGet('style') ?? '')
  if (style.endsWith('center')) return [['class', 'align-center']]
  return style.endsWith('right') ? [['class', 'align-end']] : null
}

/** Adds `rel` to links, turns external pictures into links, and gives empty links a text. */
function inline(tokens: readonly Token[], rendering: Rendering): Token[] {
  const result: Token[] = []
  let within = false
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'image') {
      result.push(...image(token, within, rendering))
      continue
    }
    if (token.type === 'text' && !within && !rendering.own) {
      result.push(...marked(token, rendering))
      continue
    }
    result.push(token)
    if (token.type === 'link_close') within = false
    if (token.type !== 'link_open') continue
    within = true
    if (!rendering.own) token.attrSet('rel', LINK_REL)
    if (tokens[at + 1]?.type === 'link_close') result.push(text(String(token.attrGet('href') ?? '')))
  }
  return result
}

/** A text in which references are marked: what they refer to is found later (references.ts), so that the HTML can be cached. */
function marked(token: Token, rendering: Rendering): Token[] {
  const { content } = token
  if (!/[#@]/.test(content)) return [token]
  const result: Token[] = []
  let end = 0
  for (const { 0: reference, index } of content.matchAll(REFERENCE)) {
    rendering.referenced = (rendering.referenced ?? 0) + 1
    if (rendering.referenced > MAX_REFERENCES) break
    const start = new MarkdownIt.Token('reference_open', 'span', 1)
    start.attrs = [['class', 'reference']]
    const close = new MarkdownIt.Token('reference_close', 'span', -1)
    result.push(text(content.slice(end, index)), start, text(reference), close)
    end = index + reference.length
  }
  return end === 0 ? [token] : [...result, text(content.slice(end))]
}

function image(token: Token, within: boolean, rendering: Rendering): Token[] {
  const source = String(token.attrGet('src') ?? '')
  if (isOurImage(source) || (rendering.own && source && isHere(source))) {
    token.attrSet('loading', 'lazy')
    token.attrSet('decoding', 'async')
    // A page leaves room for a picture that says how large it is (src/content/text-images/rules.ts).
    const [, width, height] = /\?size=([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(source) ?? []
    if (width && height) {
      token.attrSet('width', width)
      token.attrSet('height', height)
    }
    const widths = widthsOf(source, width ? Number(width) : undefined)
    if (widths) {
      token.attrSet('srcset', widths)
      token.attrSet('sizes', IN_TEXT)
    }
    return [token]
  }
  const words = text(
    parser.renderer.renderInlineAsText(token.children ?? [], parser.options, rendering).trim() || source,
  )
  if (within || !source) return [words]
  const start = new MarkdownIt.Token('link_open', 'a', 1)
  start.attrSet('href', source)
  if (!rendering.own) start.attrSet('rel', LINK_REL)
  return [start, words, new MarkdownIt.Token('link_close', 'a', -1)]
}

function text(content: string): Token {
  const token = new MarkdownIt.Token('text', '', 0)
  token.content = content
  return token
}

function code({ content, info }: Token, rendering: Rendering): string {
  const language = languageOf(info.trim().split(/\s/, 1)[0] ?? '')
  const used = (rendering.highlighted ?? 0) + content.length
  const longest = content.split('\n').reduce((most, line) => Math.max(most, line.length), 0)
  const lit = language !== undefined && used <= MAX_HIGHLIGHTED && longest <= LONGEST_HIGHLIGHTED_LINE
  if (lit) rendering.highlighted = used
  const inner = lit ? highlight(content, language) : escapeHtml(content)
  return `<pre${longest > LONG_LINE ? ' tabindex="0"' : ''}><code${language ? ` class="hljs language-${language}"` : ''}>${inner}</code></pre>\n`
}
