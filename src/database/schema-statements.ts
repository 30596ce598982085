// Statements of versions, and the keys of publishers; schema.ts has the rules for all of it.

/** What is signed about a version: an in-toto Statement. The server's signature is made when it is read. */
export interface VersionStatementTable {
  itemId: string
  version: string
  /** JSON, the signed bytes. */
  payload: string
  /** The account that the payload names; null where it names none. */
  publisherId: string | null
  /** The key of the publisher, and its signature in base64; null where the publisher did not sign. */
  keyId: string | null
  signature: string | null
  /** 1 once the log has this payload. */
  isLogged: 0 | 1
}

/** An Ed25519 key with which an account signs what it publishes. */
export interface PublisherKeyTable {
  id: string
  accountId: string
  name: string
  /** 32 bytes in base64. */
  publicKey: string
  createdAt: string
  revokedAt: string | null
}

export interface StatementsDatabase {
  versionStatement: VersionStatementTable
  publisherKey: PublisherKeyTable
}
