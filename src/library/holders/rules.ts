// What is decided about teams, without touching the world.
import { MAX_PEOPLE } from './owner-rules.ts'

/** Teams that an account belongs to. */
export const MAX_TEAMS = 20
/** Items of a team. */
export const MAX_ITEMS = 1_000
/** Slugs that a team has had, with the one it has: a former one is never given to another team. */
export const MAX_SLUGS = 10
/** What verify compares with. */
export const teamBounds = { people: MAX_PEOPLE, items: MAX_ITEMS, teams: MAX_TEAMS } as const
export const SLUG_LENGTH = { min: 2, max: 40 } as const
