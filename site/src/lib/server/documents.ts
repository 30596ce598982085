// Texts that come with Guildhall: the docs, and what the law asks for. Written by us, so trusted to hold any Markdown.
import { plainText, trustedMarkdown } from './markdown.ts'
import { remember } from './remember.ts'

/** Characters: all of our own texts are a tenth of that. */
const MOST_REMEMBERED = 2_000_000

/** Markdown of our own as HTML, the blog's too: its title is the page's, so its sections are h2 as they are written. */
export const trusted = remember((source) => trustedMarkdown(source, { headingOffset: 0 }).html, MOST_REMEMBERED)

const files = import.meta.glob<string>(
  ['../../../../content/docs/*.md', '../../../../content/pages/*.md', '../../../../docs/reference.md'],
  { query: '?raw', import: 'default', eager: true },
)

/** What stands above the reference here, in place of what it says in the repository. */
const ABOVE_REFERENCE = `Every operation, with who may call it, its inputs, answers and errors. Every path is below \`{base_url}/api\`; an input
without a mark is required, and \`?\` marks what may be left out.

The same is there [to try out](/docs/api), and for machines in [OpenAPI](/api/openapi.json).`

/** Every text by where it is: `docs/guide`. The first line is its title. */
const sources = new Map(
  Object.entries(files).map(([path, text]) => {
    const [, name = path] = /((?:docs|pages)\/[^/]+)\.md$/.exec(path) ?? []
    const [, title = name, body = text] = /^# (.+)\n([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n')) ?? []
    if (name !== 'docs/reference') return [name, { title, body: body.trim() }]
    return [name, { title: 'API reference', body: ABOVE_REFERENCE + body.slice(body.indexOf('\n## ')) }]
  }),
)

/** A text with its title, what it is about in one sentence, and its HTML; addresses in it are those of this instance. */
export function document(name: string, baseUrl: string) {
  const found = sources.get(name)
  if (!found) throw new Error(`content/${name}.md is missing`)
  const source = found.body.replaceAll('{base_url}', baseUrl)
  return {
    title: found.title,
    description: plainText(source.split('\n\n')[0] ?? '', 160).replace(/:$/, '.'),
    html: trusted(source),
  }
}
