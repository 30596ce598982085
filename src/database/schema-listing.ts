// What lists and addresses are made of beside the things themselves: the feed, stored counts and slugs.
import type { ColumnType } from 'kysely'
import type { ItemKind } from '../contract/item-kinds.ts'
import type { FeedKind } from '../contract/kinds.ts'
import type { WrittenTable } from './schema-community.ts'

/** All entries of the feed, updated with their source in the same transaction. Private content has no row. */
export interface FeedEntryTable extends WrittenTable {
  id: string
  type: FeedKind
  title: string
  preview: string
  authorId: string
  url: string
  /** Of a bug, a feature request or a post; null for others. Unique. */
  number: number | null
  score: number
  commentCount: number
  createdAt: string
  /** What trends: the database derives it from votes, comments and age. */
  heat: ColumnType<number, never, never>
}

/** How many rows of a kind are in a group and have a property, so that a list knows its total without counting. */
export interface CounterTable {
  key: string
  count: number
}

/** The target of each slug. */
export interface SlugTable {
  kind: ItemKind | 'team'
  slug: string
  /** The base of the slug, before a number was added. */
  base: string
  targetId: string
}

/** Slugs of what is gone: others may install it by that name, so only its account can take it again. */
export interface KeptSlugTable {
  kind: SlugTable['kind']
  slug: string
  ownerId: string
}

/** The hash of a version that everybody could see, under a name, after it is gone: it never comes back with other bytes. */
export interface GoneVersionTable {
  kind: ItemKind
  slug: string
  /** The version without its build, by which it is found. */
  precedence: string
  version: string
  sha256: string
}

export interface ListingDatabase {
  feedEntry: FeedEntryTable
  counter: CounterTable
  slug: SlugTable
  keptSlug: KeptSlugTable
  goneVersion: GoneVersionTable
}
