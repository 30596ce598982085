// What a search finds: everything of the feed, and what is around it. The place in this list is part of the numbers of stored
// documents (src/search/queries.ts): new types of the feed follow those that are there.
import { feedKinds } from './feed-kinds.ts'

export const searchTypes = ['comment', 'person', 'label', 'tag', ...feedKinds] as const
export type SearchType = (typeof searchTypes)[number]
