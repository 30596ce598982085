// Accounts and groups that a company provisions (SCIM 2.0; community/scim).
import type { Role } from '../contract/operation.ts'

/** A token of a provider, by a keyed hash of its value. */
export interface ScimTokenTable {
  id: string
  hash: string
  name: string
  createdAt: string
  /** To the hour. */
  lastUsedAt: string | null
}

/** An account as the provider knows it. */
export interface ScimUserTable {
  userId: string
  externalId: string | null
  userName: string
  /** In lower case; unique. */
  userNameKey: string
  /** JSON: what the provider says of it and is kept for it alone. */
  attributes: string
  /** Since when the provider has it blocked; null where it does not. */
  blockedAt: string | null
  /** Whether someone else blocked it, too: then it stays blocked when the provider lets it in. */
  isBlockedElse: 0 | 1
  /** The role that its groups gave; null for none. */
  givenRole: Role | null
  /** The role that it has besides, from before or given by hand since: it falls back to that. Null where its groups give none. */
  ownRole: Role | null
  /** JSON: the ids of the boards that its groups gave. */
  givenBoards: string
  /** JSON: which of these it was invited to besides. */
  ownBoards: string
  createdAt: string
  updatedAt: string
  /** When the provider deleted it: the account stays, blocked. */
  deletedAt: string | null
}

export interface ScimGroupTable {
  id: string
  externalId: string | null
  displayName: string
  /** In lower case; unique. */
  displayNameKey: string
  /** JSON: the role and the ids of boards that its members were given for it. */
  gives: string
  createdAt: string
  updatedAt: string
}

export interface ScimMemberTable {
  groupId: string
  userId: string
}

export interface ScimDatabase {
  scimToken: ScimTokenTable
  scimUser: ScimUserTable
  scimGroup: ScimGroupTable
  scimMember: ScimMemberTable
}
