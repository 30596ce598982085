// What is decided about teams, without touching the world.

/** Teams that an account belongs to. */
export const MAX_TEAMS = 20
/** Items of a team. */
export const MAX_ITEMS = 1_000
/** Slugs that a team has had, with the one it has: a former one is never given to another team. */
export const MAX_SLUGS = 10
export const SLUG_LENGTH = { min: 2, max: 40 } as const
