// The documents of Guildhall: docs, privacy, terms. They are ours, so any Markdown is trusted. `guide.md` is in English, `guide.de.md` in German; what has no file of a
// language, as the handbook of operators, is in English there.

import type { SiteWords } from '#lib/language/catalogue.ts'
import { FALLBACK } from '../../../../src/contract/languages.ts'
import { inNameOf } from '../../../../src/language/named.ts'
import { withCopies } from './copies.ts'
import { plainText, trustedMarkdown } from './markdown.ts'
import { remember } from './remember.ts'

/** In characters; all documents together have a tenth of that. */
const MAX_REMEMBERED = 2_000_000

/** Our own Markdown as HTML, also for the blog. The title is the page's h1, so sections stay h2. */
export const trusted = remember((source) => trustedMarkdown(source, { headingOffset: 0 }).html, MAX_REMEMBERED)

const files = import.meta.glob<string>(['../../../../content/docs/*.md', '../../../../content/pages/*.md'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Every document by its path and, if it is not in English, its language: `docs/guide`, `docs/guide.de`. The first line is its title. */
const sources = new Map(
  Object.entries(files).map(([path, text]) => {
    const [, name = path] = /((?:docs|pages)\/[^/]+)\.md$/.exec(path) ?? []
    const [, title = name, body = text] = /^# (.+)\n([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n')) ?? []
    return [name, { title, body: body.trim() }]
  }),
)

/** A document with fewer sections is read without a list of them. */
const MIN_SECTIONS = 4

/** The sections of a document, as HTML. */
function contentsOf(html: string) {
  const sections = [...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(([, id = '', title = '']) => ({ id, title }))
  return sections.length < MIN_SECTIONS ? [] : sections
}

type Filled = { baseUrl: string; texts?: Readonly<Record<string, string>> }

/** In place of each of these is the text of that name; what has none stays, for docs write of URLs with names in braces. */
const PLACEHOLDER = /\{(\w+)\}/g

/** A document with title, summary, sections and HTML. URLs in it are those of this instance; `{name}` is replaced by the text of that name in `texts`. */
export function document(name: string, t: SiteWords, { baseUrl, texts = {} }: Filled) {
  const own = t.language === FALLBACK ? undefined : sources.get(`${name}.${t.language}`)
  const found = own ?? sources.get(name)
  if (!found) throw new Error(`content/${name}.md is missing`)
  const filling = new Map(Object.entries({ ...texts, base_url: baseUrl }))
  const source = inNameOf(t.site, found.body).replace(PLACEHOLDER, (whole, key: string) => filling.get(key) ?? whole)
  const html = trusted(source)
  return {
    title: inNameOf(t.site, found.title),
    description: plainText(source.split('\n\n')[0] ?? '', 160).replace(/:$/, '.'),
    contents: contentsOf(html),
    html: withCopies(t, html),
    /** The language of its text, where that is not the reader's. */
    lang: own || t.language === FALLBACK ? undefined : FALLBACK,
  }
}
