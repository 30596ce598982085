// The data model of who owns and maintains library items; schema.ts has the rest, and the rules for all of it.
import type { Generated } from 'kysely'

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

/** A group of members that owns items. Its slug, and those that it had, are in `slug`. */
export interface TeamTable {
  id: string
  slug: string
  name: string
  description: string
  /** Why it is hidden, as bits (content/hiding/rules.ts); 0 for what shows. */
  hidden: Generated<number>
  createdAt: string
  updatedAt: string
}

export interface TeamMemberTable {
  id: string
  teamId: string
  accountId: string
  role: 'owner' | 'member'
  since: string
  /** Whether the profile of the member names the team. */
  shown: 0 | 1
}

/** Items that go on to another account: those that an account published for a team that it has left, or all of a team that is gone. */
export interface TeamHandoverTable {
  teamId: string
  /** Empty for the items of all. */
  accountId: string
}

export interface OwnersDatabase {
  membership: MembershipTable
  invitation: InvitationTable
  team: TeamTable
  teamMember: TeamMemberTable
  teamHandover: TeamHandoverTable
}
