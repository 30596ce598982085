// How much can be told of what is new in a version of an item.

/** UTF-16 units. */
export const MAX_CHANGELOG = 10_000
