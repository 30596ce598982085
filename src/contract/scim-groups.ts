// Which groups of a company's provider give what here, as the operator maps them: `Moderators = moderator; Staff = board inner`. Pure.
import type { Role } from './operation.ts'

export interface GroupMapping {
  /** As the provider calls the group; case does not count. */
  group: string
  gives: { role: Exclude<Role, 'member'> } | { board: string }
}

export const GROUPS_EXPECTED =
  'names of groups with what they give, such as Moderators = moderator; Owners = admin; Staff = board inner'

const MAX_MAPPED = 200

/** Undefined for an invalid value. */
export function parseGroups(text: string): GroupMapping[] | undefined {
  const parts = text
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
  const mapped = parts.map(parsed)
  const all = mapped.filter((one) => one !== undefined)
  return all.length === mapped.length && all.length <= MAX_MAPPED ? all : undefined
}

function parsed(text: string): GroupMapping | undefined {
  const [, group, what] = /^(.{1,200}?)\s*=\s*(admin|moderator|board [a-z0-9-]{1,60})$/.exec(text) ?? []
  if (group === undefined || what === undefined) return undefined
  if (what === 'admin' || what === 'moderator') return { group, gives: { role: what } }
  return { group, gives: { board: what.slice('board '.length) } }
}

const sameGroup = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const ranks = ['member', 'moderator', 'admin'] as const

export const isGreater = (one: Role, other: Role): boolean => ranks.indexOf(one) > ranks.indexOf(other)

/** The greater of two roles. */
export const greaterOf = (one: Role, other: Role): Role => (isGreater(one, other) ? one : other)

/** What an account gets that is in these groups: the greatest role, and the slugs of boards. */
export function givenBy(mapping: readonly GroupMapping[], groups: readonly string[]): { role: Role; boards: string[] } {
  const gives = mapping.filter(({ group }) => groups.some((name) => sameGroup(name, group))).map((one) => one.gives)
  const roles = gives.flatMap((one) => ('role' in one ? [one.role] : []))
  const boards = gives.flatMap((one) => ('board' in one ? [one.board] : []))
  return {
    role: roles.reduce<Role>(greaterOf, 'member'),
    boards: [...new Set(boards)],
  }
}
