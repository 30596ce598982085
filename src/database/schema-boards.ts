// Boards; schema.ts has the rules for all of it.

/** A place of its own for bugs, requests, posts and releases (content/boards). The first board has no row until it is changed. */
export interface BoardTable {
  id: string
  slug: string
  name: string
  description: string
  position: number
  /** One line, such as `groups: staff labs; teams: core` (content/board-access/rules.ts). */
  readers: string
  writers: string
  moderators: string
  /** What agents may do in it, one line as `AGENTS` has it (contract/bounds.ts); null for what they may in the instance. */
  agents: string | null
  /** In JSON, its words for statuses by type and status. */
  statuses: string
  /** A JSON array of the ids of the labels that it shows; null for all. */
  labels: string | null
  createdAt: string
  updatedAt: string
  archivedAt: string | null
}

/** A list of a board as a moderator filtered it, for all who read the board (content/saved). Null is the first board, and an account that is gone. */
export interface SharedFilterTable {
  id: string
  boardId: string | null
  userId: string | null
  name: string
  path: string
  createdAt: string
}

/** An account that a link invited to a board. */
export interface BoardMemberTable {
  boardId: string
  userId: string
  createdAt: string
}

/** A link that invites to a board as well. */
export interface BoardInvitationTable {
  linkId: string
  boardId: string
}

export interface BoardDatabase {
  boardInvitation: BoardInvitationTable
  board: BoardTable
  boardMember: BoardMemberTable
  sharedFilter: SharedFilterTable
}
