// Stored answers of requests with an idempotency key; schema.ts has the rules for all of it.

/** A write that was sent with an idempotency key, and its answer: for a retry within a day (request/idempotency.ts). */
export interface IdempotencyKeyTable {
  /** Of the key and whom it is of: an account and a client, or a network. */
  hash: string
  /** null for a caller without an account. */
  accountId: string | null
  /** Of the operation, its address and its body. */
  fingerprint: string
  /** Sealed: it may hold a secret, such as that of a webhook. */
  answer: string
  createdAt: string
  expiresAt: string
}

export interface RequestsDatabase {
  idempotencyKey: IdempotencyKeyTable
}
