// An entry of the community's feed, as Atom feeds show it.
import type { Answer } from '#lib/api.ts'
import { kinds } from '#lib/ui/kinds.ts'
import type { AtomEntry } from './atom.ts'
import { glimpse } from './lists.ts'

export const feedEntry = (entry: Answer<'feed.list'>['items'][number], origin: string): AtomEntry => ({
  url: new URL(entry.url, origin).href,
  title: `${kinds[entry.type].word}: ${entry.title}`,
  author: entry.authorUsername ?? 'A member',
  publishedAt: entry.createdAt,
  summary: glimpse(entry.preview),
})
