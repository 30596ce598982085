// The data model of who owns and maintains library items; schema.ts has the rest, and the rules for all of it.

/** An owner or a maintainer beside the account that an item belongs to. */
export interface MembershipTable {
  itemId: string
  accountId: string
  role: 'owner' | 'maintainer'
  since: string
}

/** What waits to be accepted: one for each account and item or team. */
export interface InvitationTable {
  id: string
  /** The item that it is about; null where the account is invited to a team. */
  itemId: string | null
  /** The team that the account is invited to, or the one to which the item is offered. */
  teamId: string | null
  /** null where every owner of the team may accept. */
  accountId: string | null
  /** What the account becomes; with `transfer` the item becomes its own, or that of the team. */
  role: 'owner' | 'maintainer' | 'member' | 'transfer'
  invitedBy: string
  createdAt: string
  expiresAt: string
}

export interface OwnersDatabase {
  membership: MembershipTable
  invitation: InvitationTable
}
