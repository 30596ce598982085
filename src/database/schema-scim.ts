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
  /** The role that its groups gave it; null for none. */
  givenRole: Role | null
  /** JSON: the ids of the boards that its groups invited it to. */
  givenBoards: string
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
