// The data model of the library; schema.ts has the rest, and the rules for all of it.
import type { Generated } from 'kysely'
import type { WrittenTable } from './schema-community.ts'

/** Everything the library lists, including orgs of the gallery. Columns that change with a version are those of the current one. */
export interface LibraryItemTable extends WrittenTable {
  /** A small key; lists and the index of texts meet in it. */
  rowId: Generated<number>
  id: string
  kind: 'workflow' | 'automation' | 'org'
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
  /** JSON, as `tags` is: complete, or a summary when it exceeds 4 KB (versionDetails then has all of it). */
  meta: string
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
  commentCount: number
  /** Since when it belongs to its owner or its team; null where that is from the beginning. */
  heldSince: Generated<string | null>
  createdAt: string
  updatedAt: string
}

/** Every version there ever was of an item, numbered from 1. */
export interface ItemVersionTable extends WrittenTable {
  itemId: string
  number: number
  version: string
  /** The version without build metadata, which does not count in comparison; unique an item. */
  precedence: string
  sha256: string
  size: number
  /** Since when it is yanked: not chosen by `latest` and ranges, and there by its number. */
  yankedAt: Generated<string | null>
  yankReason: Generated<string | null>
  /** 1 where an admin yanked it who may not publish versions: then only admins take that back. */
  yankedByAdmin: Generated<0 | 1>
  /** What is new in it, in Markdown. */
  changelog: Generated<string | null>
  license: Generated<string | null>
  createdAt: string
}

/**
 * Data read from the file of a version when it was published; too large for a list. Versions before migration 0052 have a row once they
 * were asked for (library/version-details.ts).
 */
export interface VersionDetailsTable {
  itemId: string
  version: string
  /** Markdown. */
  readme: string | null
  /** JSON. */
  contents: string
  /** JSON, where the item itself has only a summary; otherwise null. */
  meta: string | null
}

/** What the scan of a version found when it was published. */
export interface VersionScanTable {
  itemId: string
  version: string
  /** JSON; null where the scan could not finish. */
  findings: string | null
  /** JSON: what the file says that means nothing. */
  warnings: string
  scannedAt: string
  /** What the owner says to the findings. */
  answer: string | null
  answeredAt: string | null
}

/** What a version may do. Versions before migration 0058 have a row once they were asked for (library/comparing/permissions.ts). */
export interface VersionPermissionsTable {
  itemId: string
  version: string
  /** Of the rules by which the file was read; a row of older rules is replaced when it is asked for. */
  revision: number
  /** JSON. */
  permissions: string
}

export interface ItemTagTable {
  tag: string
  itemId: string
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

/** Downloads of an item in all, also of versions that are gone. */
export interface ItemDownloadsTable {
  itemId: string
  total: number
}

export interface VersionDownloadsTable {
  itemId: string
  version: string
  count: number
}

/** Downloads of an item on one day (UTC) of the last 30. */
export interface DayDownloadsTable {
  itemId: string
  day: string
  count: number
}

/** What was counted already today and yesterday: a keyed hash of the version and the network. */
export interface CountedDownloadTable {
  day: string
  key: string
}

/** What a version names: another item, whether there is one or not. */
export interface DependencyTable {
  itemId: string
  version: string
  kind: LibraryItemTable['kind']
  slug: string
  /** Whether that is the current version of an item that lists have: such a row is a use. */
  shown: Generated<0 | 1>
}

/** How far names in files from before they were stored are taken in. */
export interface UseFillingTable {
  id: number
  /** The id of the last item. */
  after: string
  doneAt: string | null
}
