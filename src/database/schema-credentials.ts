// What accounts sign in with beside passwords; schema.ts has the rules for all of it.
import type { Generated } from 'kysely'
import type { ChatService } from '../contract/own-clients.ts'

/** Six digits that were mailed. Stored hashed with a key; only the newest of an address and purpose is valid. */
export interface EmailCodeTable {
  id: string
  purpose: 'sign-in' | 'verify-email' | 'reset-password' | 'reauthenticate' | 'change-email' | 'set-up'
  email: string
  /** The account, where the address is not its own yet; otherwise null. */
  ownerId: string | null
  codeHash: string
  failures: number
  createdAt: string
  expiresAt: string
  usedAt: string | null
  /** SHA-256 of the id of the browser's requests (identity/codes.ts); null where a session asks. */
  requestHash: Generated<string | null>
  /** Wrong tries of those without that id, by their networks, as JSON. */
  othersTries: Generated<string | null>
}

/** A public key that signs in to an account (WebAuthn); the private key never leaves the owner's device. */
export interface PasskeyTable {
  id: string
  userId: string
  /** In base64url, unique over all accounts. */
  credentialId: string
  /** A COSE key (RFC 9052, 7) in base64url. */
  publicKey: string
  /** The device's signature counter; 0 for devices that do not count. */
  counter: number
  /** A JSON array: how a browser reaches the device. */
  transports: string
  name: string
  createdAt: string
  lastUsedAt: string | null
}

/** The challenge that a device signs, once, to register a passkey or to sign in with one. */
export interface PasskeyChallengeTable {
  challengeHash: string
  purpose: 'register' | 'sign-in' | 'reauthenticate'
  /** The account that is signed in; null to sign in. */
  userId: string | null
  expiresAt: string
}

/** Accounts at an external provider (OpenID Connect) that sign in to accounts here. */
export interface ExternalIdentityTable {
  id: string
  issuer: string
  subject: string
  userId: string
  /** As the provider verified it when it was connected; for its owner to know it by. */
  email: string | null
  createdAt: string
  lastUsedAt: string | null
  /** As the provider said it last, where imports have people of it: the id and the user name there, and when. */
  sourceId: string | null
  username: string | null
  toldAt: string | null
}

/** The key in the addresses of an account's feeds: one, and a new one takes its place. */
export interface FeedKeyTable {
  userId: string
  /** Its keyed hash. */
  hash: string
  createdAt: string
}

/** A user of a chat who acts for an account by the slash command. */
export interface ChatLinkTable {
  id: string
  service: ChatService
  /** Of Slack, where users are known within one alone; empty for Discord. */
  workspace: string
  chatUser: string
  /** As the chat called them when the two were linked; for the owner of the account to know them by. */
  name: string
  userId: string
  createdAt: string
}

/** Proofs of work that were used (identity/proof-of-work.ts), until they would be over anyway. */
export interface UsedProofTable {
  hash: string
  expiresAt: string
}

/** A browser to which notifications of an account are pushed. */
export interface PushSubscriptionTable {
  id: string
  userId: string
  /** The session in which it was made: its sign-out ends it. */
  sessionId: string
  /** Keyed. */
  endpointHash: string
  /** Its address and keys, sealed: who has them can send to it. */
  sealed: string
  device: string | null
  createdAt: string
  /** When its push service last took something. */
  deliveredAt: string | null
  /** How often its push service failed since then, since when, and until when it rests. */
  failures: number
  failingSince: string | null
  pausedUntil: string
}

export interface CredentialsDatabase {
  pushSubscription: PushSubscriptionTable
  usedProof: UsedProofTable
  feedKey: FeedKeyTable
  chatLink: ChatLinkTable
  emailCode: EmailCodeTable
  passkey: PasskeyTable
  passkeyChallenge: PasskeyChallengeTable
  externalIdentity: ExternalIdentityTable
}
