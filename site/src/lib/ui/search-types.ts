// What a search finds, in words and icons: the kinds of the feed, and what is around them.
import { type SearchType, searchTypes } from '../../../../src/contract/search-types.ts'
import type { IconName } from './icons.ts'
import { kinds } from './kinds.ts'

export type { SearchType }

interface TypeWords {
  word: string
  many: string
  icon: IconName
}

export const typeWords: Readonly<Record<SearchType, TypeWords>> = {
  ...kinds,
  comment: { word: 'Comment', many: 'Comments', icon: 'comment' },
  person: { word: 'Person', many: 'People', icon: 'person' },
  label: { word: 'Label', many: 'Labels', icon: 'tag' },
  tag: { word: 'Tag', many: 'Tags', icon: 'tag' },
  team: { word: 'Team', many: 'Teams', icon: 'people' },
}

/** The types that an address names, with commas between them; others are left out. */
export const typesIn = (names: string | null): SearchType[] => {
  const wanted = new Set(names?.split(','))
  return searchTypes.filter((type) => wanted.has(type))
}
