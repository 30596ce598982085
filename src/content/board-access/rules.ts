// Boards without input or output: who may do what in one, by rules of one line.
import type { Role } from '../../contract/operation.ts'
import type { Standing } from '../../contract/standing.ts'

/** As many as are read from memory for each call. */
export const MAX_BOARDS = 50
/** The longest rule, in characters, and the most names in it. */
export const MAX_RULE = 500
export const MAX_NAMES = 20
/** A closed board is opened, or an open one closed, while it has no more things: each is taken out of lists, feed and search, or put back. */
export const MAX_TURNED = 200

/** The first board, as it is until it is changed. Things that name no board are in it. */
export const FIRST_BOARD = '00000000-0000-7000-8000-000000000001'
export const FIRST = {
  ...{ id: FIRST_BOARD, slug: 'main', name: 'Main', description: '', position: 0 },
  ...{ readers: 'everyone', writers: 'members', moderators: 'none', agents: null, statuses: '{}', labels: null },
  ...{ createdAt: '', updatedAt: '', archivedAt: null },
}

/** Who is meant, parsed. */
export interface BoardRule {
  /** Everyone, members, or those that are named. */
  who: 'everyone' | 'members' | 'named'
  /** Those whom a link invited to the board. */
  invited: boolean
  groups: readonly string[]
  teams: readonly string[]
  roles: readonly Role[]
}

const NAMED = /^(groups|teams|roles): *(\S+(?: +\S+)*)$/
const ROLES: readonly string[] = ['member', 'moderator', 'admin'] satisfies Role[]

/**
 * `everyone`, `members`, `none`, or some of `invited`, `groups: a b`, `teams: a b` and `roles: moderator` with semicolons between them;
 * undefined for anything else.
 */
export function parseRule(line: string): BoardRule | undefined {
  const none = { invited: false, groups: [], teams: [], roles: [] }
  if (line === 'everyone' || line === 'members') return { who: line, ...none }
  if (line === 'none') return { who: 'named', ...none }
  const found: Record<string, string[]> = { groups: [], teams: [], roles: [] }
  let invited = false
  for (const part of line.split(';')) {
    if (part.trim() === 'invited') {
      invited = true
      continue
    }
    const [, kind = '', names = ''] = NAMED.exec(part.trim()) ?? []
    const list = found[kind]
    if (!list) return undefined
    list.push(...names.split(/ +/))
  }
  const { groups = [], teams = [], roles = [] } = found
  const isGood = groups.length + teams.length + roles.length <= MAX_NAMES && roles.every((role) => ROLES.includes(role))
  return isGood ? { who: 'named', invited, groups, teams, roles: roles as Role[] } : undefined
}

/** Who asks, as far as boards decide by it. */
export interface Visitor {
  role: Role
  /** Of the provider of today. */
  groups: readonly string[]
  /** Their slugs. */
  teams: readonly string[]
  /** The ids of the boards that links invited to. */
  invitedTo: readonly string[]
}

interface Place {
  /** Of the board. */
  id: string
}

const isMeant = ({ who, ...named }: BoardRule, { id, role, groups, teams, invitedTo }: Visitor & Place): boolean =>
  who !== 'named' ||
  (named.invited && invitedTo.includes(id)) ||
  named.roles.includes(role) ||
  named.groups.some((group) => groups.includes(group)) ||
  named.teams.some((team) => teams.includes(team))

/** A board as it decides who may do what. */
export interface RuledBoard {
  readers: BoardRule
  writers: BoardRule
  moderators: BoardRule
  archivedAt: string | null
}

/** Whether not everybody reads a board: then what is in it is out of everything that all boards share. */
export const isClosed = ({ readers }: Pick<RuledBoard, 'readers'>): boolean => readers.who !== 'everyone'

/** What an account may do in a board. Moderators and admins of the instance may always: a rule cannot lock them out. */
export function standingOf(board: RuledBoard & Place, who: Visitor): Standing {
  const visitor = { ...who, id: board.id }
  const moderate = visitor.role !== 'member' || (board.moderators.who === 'named' && isMeant(board.moderators, visitor))
  const read = moderate || isMeant(board.readers, visitor)
  const write = board.archivedAt === null && read && (moderate || isMeant(board.writers, visitor))
  return { read, write, moderate }
}
