// The data model of who owns and maintains library items; schema.ts has the rest, and the rules for all of it.

/** An owner or a maintainer beside the account that an item belongs to. */
export interface MembershipTable {
  itemId: string
  accountId: string
  role: 'owner' | 'maintainer'
  since: string
}

/** What waits for an account to accept it; one for each account and item. */
export interface InvitationTable {
  id: string
  itemId: string
  accountId: string
  /** What the account becomes; with `transfer` the item becomes its own. */
  role: 'owner' | 'maintainer' | 'transfer'
  invitedBy: string
  createdAt: string
  expiresAt: string
}

export interface OwnersDatabase {
  membership: MembershipTable
  invitation: InvitationTable
}
