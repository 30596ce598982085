// Why a thing is hidden: one bit for each reason, so that it shows again when the last of them is gone. Pure.
import type { Role } from '../../contract/operation.ts'
import { standingIn } from '../../contract/standing.ts'

export const hiddenBy = {
  /** It waits for a moderator to approve it. */
  hold: 1,
  /** A moderator hid it. */
  moderator: 2,
  /** A moderator removed it; it is deleted when nothing can be undone any more. */
  removal: 4,
  /** The same for everything of its author. */
  massRemoval: 8,
  /** Its author is blocked. */
  block: 16,
  /** It is written, and not published yet. */
  draft: 32,
  /** It is in a closed board: it shows to those who read that, and is out of what all boards share. */
  board: 64,
} as const
export type HiddenBy = keyof typeof hiddenBy

export const hiddenStates = ['held', 'hidden', 'removed', 'blocked', 'draft'] as const
export type HiddenState = (typeof hiddenStates)[number]

/** Whether a moderator removed it: then it is kept only until nothing can be undone any more. */
export const isRemoved = ({ hidden }: { hidden: number }): boolean =>
  (hidden & (hiddenBy.removal | hiddenBy.massRemoval)) !== 0

/** Whether it waits for a moderator: then no member has seen it. */
export const isHeldBack = ({ hidden }: { hidden: number }): boolean => (hidden & hiddenBy.hold) !== 0

/** A draft can be edited by those who see it; what is hidden for another reason as well cannot. */
export const isDraft = ({ hidden }: { hidden: number }): boolean => (hidden & ~hiddenBy.board) === hiddenBy.draft

/** Whether it is in a closed board: nothing that all boards share may have a word of it. */
export const isInClosedBoard = ({ hidden }: { hidden: number }): boolean => (hidden & hiddenBy.board) !== 0

interface HiddenFlags {
  hidden: number
  /** The board of a thing; null for the first one. */
  boardId?: string | null
  /** Things of a blocked account get their bit in the background; until then this says it. */
  authorBlockedAt?: string | null
}

/** The state that the author and moderators of a thing see; undefined where everybody sees the thing. */
export function stateOf({ hidden, authorBlockedAt = null }: HiddenFlags): HiddenState | undefined {
  const has = (by: HiddenBy) => (hidden & hiddenBy[by]) !== 0
  if (has('removal') || has('massRemoval')) return 'removed'
  if (has('moderator')) return 'hidden'
  if (has('block') || authorBlockedAt !== null) return 'blocked'
  if (has('draft')) return 'draft'
  return has('hold') ? 'held' : undefined
}

/** Whether the running call reads the board of a thing. */
const isBoardOpen = ({ hidden, boardId }: HiddenFlags): boolean =>
  !isInClosedBoard({ hidden }) || (boardId != null && standingIn(boardId).read)

/** Whether everybody who reads its board sees a thing: the one answer, for every read and write of it and beneath it. */
export const shows = (concealed: HiddenFlags): boolean => stateOf(concealed) === undefined && isBoardOpen(concealed)

/** Whether a caller may see a thing in spite of its state; who moderates its board does, but for drafts. */
export const maySee = (
  caller: { id: string; role: Role } | undefined,
  { authorId, ...concealed }: HiddenFlags & { authorId: string },
): boolean =>
  isBoardOpen(concealed) &&
  (stateOf(concealed) === undefined ||
    (caller !== undefined && (caller.id === authorId || caller.role !== 'member')) ||
    (!isDraft(concealed) && concealed.boardId != null && standingIn(concealed.boardId).moderate))

/** What the event of a hiding says where its author is blocked, and nothing else hides the thing. */
export const OF_BLOCK = '{"block":true}'

/** Whether an event is such a hiding: what it takes comes back with the thing. */
export const isOfBlock = ({ kind, detail }: { kind: string; detail: string | null }): boolean =>
  kind === 'hidden' && detail === OF_BLOCK
