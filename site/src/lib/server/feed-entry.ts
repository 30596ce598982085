// An entry of the community's feed, as Atom feeds show it.
import type { Answer } from '#lib/api.ts'
import type { SiteWords } from '#lib/language/catalogue.ts'
import type { AtomEntry } from './atom.ts'
import { glimpse } from './lists.ts'

type Entry = Answer<'feed.list'>['items'][number]

/** `t` has the words of the reader, `origin` is that of the site. */
export const feedEntry = (t: SiteWords, entry: Entry, origin: string): AtomEntry => ({
  url: new URL(entry.url, origin).href,
  title: `${t(`kinds.${entry.type}.word`)}: ${entry.title}`,
  author: entry.authorUsername ?? t('home.aMember'),
  publishedAt: entry.createdAt,
  summary: glimpse(entry.preview),
})
