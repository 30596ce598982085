// Teams and their people; schema.ts has the rules for all of it.
import type { Generated } from 'kysely'

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

export interface TeamsDatabase {
  team: TeamTable
  teamMember: TeamMemberTable
  teamHandover: TeamHandoverTable
}
