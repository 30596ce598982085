// Deletes for good what moderators removed, when that can be undone no more: one thing a transaction, in the clean-up. The steps of an
// erasure (src/features.ts) do not fit: they clear all that an account made and did, by its choice of what stays, and then the account. This
// deletes the things that a removal hid, answered or not; what was written since stays, and so does the account with its votes.

import { UNDO_DAYS } from '../../contract/kinds.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { hiddenBy } from '../hiding/rules.ts'
import { startPurges } from '../hiding/sweep-queries.ts'
import { removeObjects } from '../stored-files.ts'
import type { HideableKind } from '../things.ts'
import { takePurgeable, updateAct } from './act-queries.ts'

type PurgeDependencies = Pick<Dependencies, 'db' | 'blobs'>

export async function purgeRemoved(
  dependencies: PurgeDependencies & Parameters<typeof removeObjects>[0],
  hidings: ReadonlyMap<string, HideableKind>,
  now: string,
): Promise<void> {
  const before = after(now, -UNDO_DAYS * 86_400)
  await startPurges(dependencies.db, { bit: hiddenBy.massRemoval, before, now })
  for (;;) {
    const keys = await dependencies.db
      .transaction()
      .execute((transaction) => purgeOne(transaction, hidings, { before, now }))
    if (!keys) return
    await removeObjects(dependencies, keys)
  }
}

/** Gives the keys of stored files that nothing names any more; undefined when nothing was left to delete. */
async function purgeOne(
  db: Transaction,
  hidings: ReadonlyMap<string, HideableKind>,
  { before, now }: { before: string; now: string },
): Promise<readonly string[] | undefined> {
  const act = await takePurgeable(db, before)
  if (!act) return undefined
  await updateAct(db, act.id, { purgedAt: now })
  const hiding = hidings.get(act.targetType)
  const thing = await hiding?.lock(db, act.targetId)
  if (!hiding || !thing || (thing.hidden & hiddenBy.removal) === 0) return []
  return hiding.remove(db, act.targetId, now)
}
