// Hiding things and showing them again. A hidden thing keeps its row, and is out of lists, counters, the feed, the search, references and
// notifications: each kind of thing says here how. Its author and moderators see it with its state.
import type { Db, Transaction } from '../../database/schema.ts'
import { type HiddenBy, hiddenBy } from './rules.ts'

/** What moderators know of a thing of any kind. */
export interface Thing {
  id: string
  authorId: string
  createdAt: string
  hidden: number
  /** The board that it is in, where its kind is in boards; null for the first one. */
  boardId?: string | null
  /** Empty for a comment. */
  title: string
  /** Its text, in Markdown or plain. */
  text: string
  /** Where the site shows it. */
  url: string
}

export interface ThingsOf {
  authorId: string
  after: string
  limit: number
}

/** A kind of thing that can be hidden. */
export interface HideableKind {
  type: string
  find(db: Db, id: string): Promise<Thing | undefined>
  /** Locks it, with what guards it, until the transaction ends. */
  lock(db: Transaction, id: string): Promise<{ hidden: number } | undefined>
  /** Ids of what an account made, in order, hidden or not. */
  listIdsOf(db: Db, of: ThingsOf): Promise<string[]>
  /** Stores why a locked thing is hidden, and takes it out or brings it back where that changes. */
  setHidden(db: Transaction, id: string, change: { hidden: number; now: string }): Promise<void>
  /** Removes a locked thing for good, with everything on it. Gives the keys of stored files to remove after the commit. */
  remove(db: Transaction, id: string, now: string): Promise<readonly string[]>
  /** Whether everybody may see what it is on, where that is not what `hidden` says. */
  isPlaceSeen?(db: Db, id: string): Promise<boolean>
  /** What people read of it beside its title and text. */
  findMore?(db: Db, id: string): Promise<string | null>
}

interface Change {
  id: string
  by: HiddenBy
  isOn: boolean
  now: string
}

/** Adds a reason to hide a thing or takes it away; false where there is no such thing or nothing changes. */
export async function changeHidden(
  db: Transaction,
  hiding: HideableKind,
  { id, by, isOn, now }: Change,
): Promise<boolean> {
  const before = await hiding.lock(db, id)
  if (!before) return false
  const hidden = isOn ? before.hidden | hiddenBy[by] : before.hidden & ~hiddenBy[by]
  if (hidden === before.hidden) return false
  await hiding.setHidden(db, id, { hidden, now })
  return true
}
