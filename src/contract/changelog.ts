// Limits of the changelog of a version.

/** UTF-16 units. */
export const MAX_CHANGELOG = 10_000
