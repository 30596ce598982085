// Forgets acts that can no longer be made: their files at once, themselves after some weeks.
import type { Db } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'
import { deleteDeadFiles, deleteOldActs } from './queries.ts'
import { LISTED_SECONDS } from './rules.ts'

const BATCH = 200

export async function deleteOldPending(db: Db, now: string): Promise<void> {
  while ((await deleteDeadFiles(db, now, BATCH)) === BATCH);
  const before = after(now, -LISTED_SECONDS)
  while ((await deleteOldActs(db, before, BATCH)) === BATCH);
}
