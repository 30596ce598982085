// The data model of the authorization server; the rest, and what holds for all of it, is in schema.ts.

/** Clients that registered themselves (RFC 7591). */
export interface OauthClientTable {
  id: string
  metadata: string
  createdAt: string
  /** To the day; a client that is not used for long is removed. */
  lastUsedAt: string
}

/**
 * What is signed in to an account by OAuth: one row a consent or claim. It is the grant of its tokens, and they go with it.
 */
export interface SignInTable {
  id: string
  userId: string
  clientId: string
  /** The client's name as it was when the account let it in. */
  clientName: string | null
  /** The web session it was opened in; null for one by emailed code. Not a reference: it outlives the session. */
  sessionId: string | null
  scope: string
  createdAt: string
  /** When it last got a token; null until it got its first. */
  lastUsedAt: string | null
  /** When the last of its tokens expires. */
  expiresAt: string
}

/** Codes, opaque access tokens and refresh tokens, by the SHA-256 of their value: the value itself is kept nowhere. */
export interface OauthTokenTable {
  hash: string
  kind: 'code' | 'access' | 'refresh'
  signInId: string
  userId: string
  clientId: string
  scope: string
  /** What the authorization server remembers of a code or refresh token, as JSON. */
  payload: string | null
  createdAt: string
  consumedAt: string | null
  /** What a used refresh token was answered, sealed under the token itself; wiped after the retry window. */
  answer: string | null
  /** Hash of the request that the answer is for. */
  answerFor: string | null
  expiresAt: string
}

/** Codes mailed to agents without a browser. Unknown addresses have them too: nothing tells them apart. */
export interface ClaimTable {
  id: string
  email: string
  clientId: string
  scope: string
  codeHash: string
  failures: number
  createdAt: string
  expiresAt: string
  usedAt: string | null
}

/** Which part of an address is whose. */
export interface SlugTable {
  kind: 'workflow' | 'automation' | 'org'
  slug: string
  /** What the slug was made from, before a number was added. */
  base: string
  targetId: string
}
