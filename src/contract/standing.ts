// What the caller of the running call may do in boards other than the first one. It is asked for where rows are judged, which have no caller
// at hand. Work without a call, such as a job, has no standing anywhere: what is in a closed board does not show there.
// Without imports, so that a browser can load what asks.

export interface Standing {
  read: boolean
  write: boolean
  moderate: boolean
}

/** By the ids of boards. */
export type Standings = ReadonlyMap<string, Standing>

export const NO_STANDING: Standing = { read: false, write: false, moderate: false }

/** What goes along with a call. */
export interface Running {
  standings: Standings
  /** Whether its caller may make it as a moderator of boards alone: it changes nothing that is in another one. */
  isOfModerator: boolean
}

let find: () => Running | undefined = () => undefined

/** Says where that of the running call is found (core/call-standings.ts). */
export function provideStandings(provided: typeof find): void {
  find = provided
}

/** What the running call may do in a board; everybody has the rights of their role in the first one. */
export const standingIn = (boardId: string): Standing => find()?.standings.get(boardId) ?? NO_STANDING

/** Whether there are boards beside the first one, as far as the running call knows: its caller is signed in. */
export const hasBoards = (): boolean => find() !== undefined

/** The ids of the boards of which alone the running call decides, as one of their moderators; undefined for any other call. */
export function boardsWithinReach(): readonly string[] | undefined {
  const running = find()
  if (!running?.isOfModerator) return undefined
  return [...running.standings].filter(([, { moderate }]) => moderate).map(([id]) => id)
}

/** Whether the running call may change what is in a board, as far as boards decide that; null is the first one. */
export function isWithinReach(boardId: string | null | undefined): boolean {
  const running = find()
  return !running?.isOfModerator || (boardId != null && (running.standings.get(boardId)?.moderate ?? false))
}
