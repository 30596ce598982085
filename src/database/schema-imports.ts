// Imports from other trackers.

/** An import: files were read, and are written, paused or taken back. */
export interface ImportTable {
  id: string
  source: string
  /** The place at the source, such as a repository; both are the scope of ids and numbers. */
  name: string
  state: string
  /** JSON: how far it is written, the phase and the sort key of the last record. */
  cursor: string
  /** JSON. */
  options: string
  /** JSON: what was read, and what is left out. */
  report: string
  /** JSON: what has been written. */
  done: string
  /** How many records there are to write. */
  total: number
  /** The number of its first thing; null until numbers are given. */
  firstNumber: number | null
  /** null for a command of the operator. */
  createdBy: string | null
  createdAt: string
  endedAt: string | null
  error: string | null
}

/** A record that waits to be written. */
export interface ImportRecordTable {
  importId: string
  /** Its kind, its time and its id: the order in which records are written, not that in which they were read. */
  sortKey: string
  /** JSON. */
  body: string
}

/** A thing, comment, label or person of a source, and its row here. It stays when the thing goes, so that a later import does not bring it back. */
export interface ImportedTable {
  scope: string
  /** The kind of the thing; comment, label or user. */
  type: string
  sourceId: string
  importId: string
  thingId: string
  /** Its number there. */
  number: number | null
  /** Its number here. */
  ownNumber: number | null
  url: string | null
}

/** A person of a source who has a placeholder here, as the source knows them. */
export interface ImportedPersonTable {
  scope: string
  sourceId: string
  /** The id that no other account there ever gets; null where the source has none. */
  accountId: string | null
  /** Their user name there, in small letters. */
  nameKey: string
  claimedAt: string | null
}

/** What a placeholder has goes to the account that took it over; the row goes with the placeholder. */
export interface ImportClaimTable {
  placeholderId: string
  scope: string
  sourceId: string
  userId: string
  createdAt: string
}

/** A text that is longer than its field: the field has its beginning. */
export interface FullTextTable {
  thingId: string
  text: string
}

export interface ImportsDatabase {
  import: ImportTable
  importRecord: ImportRecordTable
  imported: ImportedTable
  importedPerson: ImportedPersonTable
  importClaim: ImportClaimTable
  fullText: FullTextTable
}
