// The data model of the library; the rest, and what holds for all of it, is in schema.ts.
import type { Generated } from 'kysely'

/** Everything the library lists, orgs of the gallery too. What of it changes with a version is that of the current one. */
export interface LibraryItemTable {
  /** A small key; lists and the index of texts meet in it. */
  n: Generated<number>
  id: string
  kind: 'workflow' | 'automation' | 'org'
  /** Unique a kind; never changes. */
  slug: string
  name: string
  description: string
  /** Words it is found by beyond what else is searched: the goal and tagline of an org of the gallery. */
  keywords: string
  ownerId: string
  visibility: 'private' | 'public' | 'official'
  /** 1 for public and official. */
  listed: 0 | 1
  /** 1 for an org of the gallery, which the gallery alone changes. */
  gallery: 0 | 1
  version: string
  sha256: string
  size: number
  /** JSON, as `tags` is: the whole, or a summary where that would take more than 4 KB (itemDetails has it then). */
  meta: string
  tags: string
  score: number
  commentCount: number
  createdAt: string
  updatedAt: string
}

/** Every version there ever was of an item, numbered from 1. */
export interface ItemVersionTable {
  itemId: string
  number: number
  version: string
  /** The version without build metadata, which does not count in comparison; unique an item. */
  precedence: string
  sha256: string
  size: number
  createdAt: string
}

/** What was read out of the current version when it was published; too much for a list to carry. */
export interface ItemDetailsTable {
  itemId: string
  /** Markdown. */
  readme: string | null
  /** JSON. */
  contents: string
  /** JSON, where the item itself has only a summary; otherwise null. */
  meta: string | null
}

export interface ItemTagTable {
  tag: string
  itemId: string
}

/** How many listed items there are: `scope` is public or official, alone or with `/kind`; tag '' counts all of them. */
export interface ItemCountTable {
  scope: string
  tag: string
  count: number
}

/** What a search for items looks through. Indexed by trigrams on either engine; usernames follow by trigger. */
export interface ItemTextTable {
  n: number
  text: string
  owner: string
  /** Trigrams that say who sees it and what it is, so that the index itself finds only what a list shows. */
  shelf: string
}

/** Uploads that succeeded within the hour, which the publishing rate counts; deleting an item does not take them back. */
export interface LibraryUploadTable {
  id: string
  accountId: string
  at: string
}
