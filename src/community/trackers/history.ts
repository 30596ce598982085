// An edit that lost against a later one of the other side is in the history all the same: what it made of the field, and that the later one made
// it what it is.

import { findLockedComment, updateBody } from '../../content/comment-rows/queries.ts'
import { historyOf, recordRevision, recordStatusChange } from '../../content/edits/edits.ts'
import type { Transaction } from '../../database/schema.ts'
import { store } from '../bugs/feature.ts'
import { nowOf, type Syncing } from './syncing.ts'

interface LostEdit {
  id: string
  /** As the record here calls it. */
  field: 'title' | 'description' | 'body' | 'status'
  ours: string
  theirs: string
  /** Who made theirs, and who made ours. */
  by: string
  winner: string
}

/** Records an edit there that came before one here. */
export async function recordLost(syncing: Syncing, lost: LostEdit): Promise<void> {
  const { id, field, ours, theirs, by, winner } = lost
  const now = nowOf(syncing)
  const steps = [
    { caller: { id: by }, from: ours, to: theirs },
    { caller: { id: winner }, from: theirs, to: ours },
  ]
  await syncing.dependencies.db.transaction().execute(async (db) => {
    if (!(await count(db, lost))) return
    for (const { caller, from, to } of steps) {
      if (field === 'status')
        await recordStatusChange(
          db,
          { caller, now },
          { ...{ targetType: 'bug', targetId: id, from, to }, reason: null },
        )
      else await recordRevision(db, { caller, now }, { ...(await placeOf(db, lost)), changes: { [field]: [from, to] } })
    }
  })
}

/** Locks what it is of, and counts both changes; false where that is gone. */
async function count(db: Transaction, { id, field }: LostEdit): Promise<boolean> {
  if (field === 'body') {
    const comment = await findLockedComment(db, id)
    if (!comment) return false
    const { body, editedAt } = comment
    for (let times = 0; times < 2; times++) await updateBody(db, { id, body, editedAt })
    return true
  }
  const row = await store.findLockedAny(db, id)
  if (!row) return false
  const { revisionCount, statusChangeCount } = historyOf(row)
  await store.update(
    db,
    id,
    field === 'status' ? { statusChangeCount: statusChangeCount + 2 } : { revisionCount: revisionCount + 2 },
  )
  return true
}

async function placeOf(db: Transaction, { id, field }: LostEdit) {
  if (field !== 'body') return { targetType: 'bug', targetId: id, thingId: id }
  return { targetType: 'comment', targetId: id, thingId: (await findLockedComment(db, id))?.targetId ?? id }
}
