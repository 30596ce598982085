// What goes over from a merged thing to its target, and how long a merge can be undone.
import { UNDO_DAYS } from '../../contract/kinds.ts'

/** Rows a transaction: some milliseconds. */
export const AT_ONCE = 100

/** So long a merge can be undone. */
export const UNDO_SECONDS = UNDO_DAYS * 86_400

/** From which thing to which, and how many rows at most. */
export interface Move {
  from: string
  to: string
  limit: number
}
