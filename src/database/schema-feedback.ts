// What things say of versions of items; schema.ts has the rules for all of it.

/** The version of an item that something is about. It goes with the version. */
export interface FeedbackTable {
  /** Of a bug, a feature request or a comment. It stays while that is merged into another one. */
  thingId: string
  type: string
  itemId: string
  /** The version, by its number. */
  number: number
}

/** What the publication of a version has still to close; there is a row while something is left. */
export interface VersionClosesTable {
  id: string
  itemId: string
  number: number
  /** Who published the version. */
  accountId: string
  /** JSON: types and ids. */
  pending: string
}

export interface FeedbackDatabase {
  feedback: FeedbackTable
  versionCloses: VersionClosesTable
}
