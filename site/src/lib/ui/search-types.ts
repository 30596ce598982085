// What a search finds, with its icon: the kinds of the feed, and what is around them.
import { type SearchType, searchTypes } from '../../../../src/contract/kinds.ts'
import type { IconName } from './icons.ts'
import { feedKinds, type Kind, kinds } from './kinds.ts'

export type { SearchType }

const ofKinds = Object.fromEntries(feedKinds.map((kind) => [kind, kinds[kind].icon])) as Record<Kind, IconName>

export const typeIcons: Readonly<Record<SearchType, IconName>> = {
  ...ofKinds,
  comment: 'comment',
  person: 'person',
  label: 'tag',
  tag: 'tag',
  team: 'people',
}

/** The types that an address names, with commas between them; others are left out. */
export const typesIn = (names: string | null): SearchType[] => {
  const wanted = new Set(names?.split(','))
  return searchTypes.filter((type) => wanted.has(type))
}
