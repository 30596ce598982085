// The data model of stored files; schema.ts has the rules for all of it.

/** How many bytes of files an account stores. The database keeps it in step with the rows that hold them. */
export interface StoredBytesTable {
  accountId: string
  bytes: number
  /** How many of them belong to the picture, which has no row; 0 for one that was set before this was counted. */
  avatarBytes: number
  /** The network from which it stored something last, as keyed hashes; null for a verified account, and one that stored nothing since this is known. */
  networkHash: string | null
  /** The /64 of an IPv6 address. */
  subnetHash: string | null
}

/** The last removal of stored bytes under a name (storage/blob-lifecycle.ts). */
export interface BlobRemovalTable {
  name: string
  id: string
  startedAt: string
  /** null until the store has answered, and when it never did. */
  endedAt: string | null
}

/** Stored files that rows came to name, in order, noted by triggers of SQLite for its continuous backup; the newest stay for a while. */
export interface NamedFileTable {
  id: number
  /** The key of an object, or `artifacts/` and a hash. */
  name: string
}

export interface StorageDatabase {
  storedBytes: StoredBytesTable
  namedFile: NamedFileTable
  blobRemoval: BlobRemovalTable
}
