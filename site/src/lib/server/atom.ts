// Atom feeds (RFC 4287), in the site's own language: programs read them, and several people. All text is escaped, without characters that XML does not allow.
import { siteWords, siteWordsOf } from '#lib/language/catalogue.ts'
import { FALLBACK } from '../../../../src/contract/languages.ts'
import { glimpse } from './lists.ts'

export interface AtomEntry {
  /** The URL, which is also the id: URLs here do not change. */
  url: string
  title: string
  author: string
  publishedAt: string
  updatedAt?: string
  summary: string
}

interface AtomFeed {
  /** The name of the site, which stands before the title. */
  site: string

  title: string
  /** The URL of the feed, with its query. */
  url: URL
  /** The path of its page, where that is not the feed's own without `.atom`; the query stays. */
  page?: string
  entries: readonly AtomEntry[]
}

/** A feed; an empty one has the epoch as its date. */
function atom({ site, title, url, page: path, entries }: AtomFeed): string {
  const self = url.href
  const page = url.origin + (path ?? url.pathname.replace(/\.atom$/, '')) + url.search
  const updatedAt = entries.map(updated).sort().at(-1) ?? '1970-01-01T00:00:00.000Z'
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${FALLBACK}">
<id>${xml(self)}</id>
<title>${xml(siteWordsOf({ name: site })('share.feed', { title }))}</title>
<updated>${updatedAt}</updated>
<link rel="self" type="application/atom+xml" href="${xml(self)}"/>
<link rel="alternate" type="text/html" href="${xml(page)}"/>
${entries.map(entryOf).join('')}</feed>
`
}

const updated = ({ updatedAt, publishedAt }: AtomEntry) => updatedAt ?? publishedAt

const entryOf = (entry: AtomEntry) => `<entry>
<id>${xml(entry.url)}</id>
<title>${xml(entry.title)}</title>
<published>${entry.publishedAt}</published>
<updated>${updated(entry)}</updated>
<author><name>${xml(entry.author)}</name></author>
<link rel="alternate" type="text/html" href="${xml(entry.url)}"/>
<summary>${xml(entry.summary)}</summary>
</entry>
`

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Text for XML 1.0, which allows few control characters (2.2). */
export const xml = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replace(/[&<>"']/g, (character) => escapes[character]!)

export const atomAnswer = (feed: AtomFeed): Response =>
  new Response(atom(feed), {
    headers: { 'Content-Type': 'application/atom+xml; charset=utf-8', 'Cache-Control': 'private, max-age=300' },
  })

/** Entries name an author; who deleted the account has no name. */
export const authorOf = (username: string | null) => username ?? siteWords('home.aMember')

/** A comment as an entry: below its thing, and named by who wrote it. */
export const commentEntry = (
  { id, authorUsername, createdAt, editedAt, body }: Comment,
  { url, title }: { url: string; title: string },
): AtomEntry => ({
  url: `${url}#comment-${id}`,
  title: siteWords('community.comment.on', { author: authorOf(authorUsername), title }),
  author: authorOf(authorUsername),
  publishedAt: createdAt,
  updatedAt: editedAt ?? createdAt,
  summary: glimpse(body),
})

type Comment = { id: string; authorUsername: string | null; createdAt: string; editedAt: string | null; body: string }
