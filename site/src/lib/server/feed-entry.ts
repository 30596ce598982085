// An entry of the community's feed, as Atom feeds show it.
import type { Answer } from '#lib/api.ts'
import { siteWords } from '#lib/language/catalogue.ts'
import { type AtomEntry, authorOf } from './atom.ts'
import { glimpse } from './lists.ts'

type Entry = Answer<'feed.list'>['items'][number]

/** `origin` is that of the site. */
export const feedEntry = (entry: Entry, origin: string): AtomEntry => ({
  url: new URL(entry.url, origin).href,
  title: siteWords('share.feedEntry', { kind: siteWords(`kinds.${entry.type}.word`), title: entry.title }),
  author: authorOf(entry.authorUsername),
  publishedAt: entry.createdAt,
  updatedAt: entry.updatedAt,
  summary: glimpse(entry.preview),
})
