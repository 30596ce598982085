// Hiding things and showing them again. A hidden thing keeps its row, and is out of lists, counters, the feed, the search, references and
// notifications: each kind of thing says here how. Its author and moderators see it with its state.

import type { Transaction } from '../../database/schema.ts'
import type { HideableKind } from '../things.ts'
import { type HiddenBy, hiddenBy } from './rules.ts'

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
