// Why a thing is hidden: one bit for each reason, so that it shows again when the last of them is gone. Pure.
import type { Role } from '../../contract/operation.ts'

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
export const isDraft = ({ hidden }: { hidden: number }): boolean => hidden === hiddenBy.draft

interface HiddenFlags {
  hidden: number
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

/** Whether everybody sees a thing: the one answer, for every read and write of it and beneath it. */
export const shows = (concealed: HiddenFlags): boolean => stateOf(concealed) === undefined

/** Whether a caller may see a thing in spite of its state. */
export const maySee = (
  caller: { id: string; role: Role } | undefined,
  { authorId, ...concealed }: HiddenFlags & { authorId: string },
): boolean =>
  stateOf(concealed) === undefined || (caller !== undefined && (caller.id === authorId || caller.role !== 'member'))

/** What the event of a hiding says where its author is blocked, and nothing else hides the thing. */
export const OF_BLOCK = '{"block":true}'

/** Whether an event is such a hiding: what it takes comes back with the thing. */
export const isOfBlock = ({ kind, detail }: { kind: string; detail: string | null }): boolean =>
  kind === 'hidden' && detail === OF_BLOCK
