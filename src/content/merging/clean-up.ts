// Forgets how to undo merges that are too old for it.
import { inBatches } from '../../database/expiry.ts'
import type { Db } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'
import { UNDO_SECONDS } from './rules.ts'
import { forgetParts, listOld } from './undo-queries.ts'

/** Removes what is kept of merges that are older than 30 days. */
export async function forgetOldMerges(db: Db, now: string): Promise<void> {
  const before = after(now, -UNDO_SECONDS)
  await inBatches(async (limit) => {
    const [oldest] = await listOld(db, before, 1)
    if (!oldest) return 0
    await forgetParts(db, oldest.id, limit)
    return limit
  })
}
