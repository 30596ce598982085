// The data model of the library, and of who owns and maintains its items; schema.ts has the rest, and the rules for all of it.
import type { Generated } from 'kysely'
import type { ItemKind } from '../contract/item-kinds.ts'
import type { WrittenTable } from './schema-community.ts'

/** Everything the library lists, including orgs of the gallery. Columns that change with a version are those of the current one. */
export interface LibraryItemTable extends WrittenTable {
  /** A small key; lists and the index of texts meet in it. */
  rowId: Generated<number>
  id: string
  kind: ItemKind
  /** Unique a kind; former ones lead here too (slug). */
  slug: string
  name: string
  description: string
  /** Additional search text: the goal and tagline of an org of the gallery. */
  keywords: string
  /** The account that published it: its bytes count for it. It holds the item, unless a team does. */
  ownerId: string
  /** The team that holds it; then its members alone have rights on it. */
  teamId: Generated<string | null>
  visibility: 'private' | 'public' | 'official'
  /** 1 for public and official, unless it is hidden. */
  listed: 0 | 1
  /** Why it is hidden, as bits (content/hiding/rules.ts); 0 for what shows. */
  hidden: Generated<number>
  /** 1 for an org of the gallery, which only the gallery changes. */
  gallery: 0 | 1
  version: string
  sha256: string
  size: number
  /** JSON: complete, or a summary when it exceeds 4 KB (versionDetails then has all of it). */
  meta: string
  /** A JSON array. */
  tags: string
  /** 1 where every version is yanked: then the current one is the newest of them. */
  yanked: Generated<0 | 1>
  /** The newest version that ever was, where it is not the current one. */
  newestVersion: Generated<string | null>
  /** What its owner tells those who use it, perhaps nothing; null unless it is deprecated. */
  deprecation: Generated<string | null>
  /** What to use instead of a deprecated item: `kind/slug`. */
  successor: Generated<string | null>
  /** Of the current version: an SPDX expression, or what its file calls it. */
  license: Generated<string | null>
  score: number
  /** Its place in the order of the best (library/outcome-figures/rules.ts). */
  rank: Generated<number>
  commentCount: number
  /** Since when it belongs to its owner or its team; null where that is from the beginning. */
  heldSince: Generated<string | null>
  createdAt: string
  updatedAt: string
  /** When it changed last how it is offered: a version yanked or deleted, it deprecated or shown again, or that taken back. */
  lifeAt: Generated<string | null>
}

/** What an item is found by; the rest is that of its item, which the database copies: lists of a tag go along an index. */
export interface ItemTagTable {
  tag: string
  itemId: string
  kind: Generated<ItemKind>
  visibility: Generated<LibraryItemTable['visibility']>
  listed: Generated<LibraryItemTable['listed']>
  score: Generated<number>
  rank: Generated<number>
  updatedAt: Generated<string>
}

/** How many listed items carry a tag: `scope` is public or official, alone or with `/kind`. Lists of tags go along its index by count. */
export interface ItemCountTable {
  scope: string
  tag: string
  count: number
}

/** The search text of items. Indexed by trigrams on both engines; usernames are updated by triggers. */
export interface ItemTextTable {
  rowId: number
  text: string
  owner: string
  /** Trigrams of visibility and kind, so that the index itself returns only rows that the list shows. */
  facets: string
}

/** Successful uploads of the last hour, counted by the publishing rate; deleting an item does not reduce it. */
export interface LibraryUploadTable {
  id: string
  accountId: string
  at: string
}

/** What a version names: another item, whether there is one or not. */
export interface DependencyTable {
  itemId: string
  version: string
  kind: LibraryItemTable['kind']
  slug: string
  /** Whether that is the current version of an item that lists have: such a row is a use. */
  shown: Generated<0 | 1>
  /** Where the file names it, from 0; null in versions from before there was an order. */
  place: Generated<number | null>
}

/** An owner or a maintainer beside the account that an item belongs to. */
export interface MembershipTable {
  itemId: string
  accountId: string
  role: 'owner' | 'maintainer'
  since: string
}

/** What waits to be accepted: one for each account and item or team. */
export interface InvitationTable {
  id: string
  /** The item that it is about; null where the account is invited to a team. */
  itemId: string | null
  /** The team that the account is invited to, or the one to which the item is offered. */
  teamId: string | null
  /** null where every owner of the team may accept. */
  accountId: string | null
  /** What the account becomes; with `transfer` the item becomes its own, or that of the team. */
  role: 'owner' | 'maintainer' | 'member' | 'transfer'
  invitedBy: string
  createdAt: string
  expiresAt: string
}

export interface LibraryDatabase {
  libraryItem: LibraryItemTable
  itemTag: ItemTagTable
  dependency: DependencyTable
  itemCount: ItemCountTable
  itemText: ItemTextTable
  libraryUpload: LibraryUploadTable
  membership: MembershipTable
  invitation: InvitationTable
}
