// Texts that come with Guildhall: the docs, and what the law asks for. Written by us, so trusted to hold any Markdown.
import { plainText, trustedMarkdown } from './markdown.ts'
import { remember } from './remember.ts'

/** Characters: all of our own texts are a tenth of that. */
const MOST_REMEMBERED = 2_000_000

/** Markdown of our own as HTML, the blog's too: its title is the page's, so its sections are h2 as they are written. */
export const trusted = remember((source) => trustedMarkdown(source, { headingOffset: 0 }).html, MOST_REMEMBERED)

const files = import.meta.glob<string>(['../../../../content/docs/*.md', '../../../../content/pages/*.md'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Every text by where it is: `docs/guide`. The first line is its title. */
const sources = new Map(
  Object.entries(files).map(([path, text]) => {
    const [, name = path] = /content\/(.+)\.md$/.exec(path) ?? []
    const [, title = name, body = text] = /^# (.+)\n([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n')) ?? []
    return [name, { title, body: body.trim() }]
  }),
)

/** A text with its title, what it is about in one sentence, and its HTML; addresses in it are those of this instance. */
export function document(name: string, baseUrl: string) {
  const found = sources.get(name)
  if (!found) throw new Error(`content/${name}.md is missing`)
  const source = found.body.replaceAll('{base_url}', baseUrl)
  return { title: found.title, description: plainText(source.split('\n\n')[0] ?? '', 160), html: trusted(source) }
}
