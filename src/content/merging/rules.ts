// What goes over from a merged thing to its target.

/** Rows a transaction: some milliseconds. */
export const AT_ONCE = 100

/** From which thing to which, and how many rows at most. */
export interface Move {
  from: string
  to: string
  limit: number
}
