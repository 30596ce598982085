// Rows of jobs whose cause is gone: what was given up, or failed last, long ago.
import type { Db } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'

const KEPT_SECONDS = 30 * 86_400

/** What still waits is tried again from the beginning. */
export async function deleteOldJobs(db: Db, now: string): Promise<void> {
  await db
    .deleteFrom('job')
    .where('runAt', '<', after(now, -KEPT_SECONDS))
    .where('leasedUntil', '<', after(now, -KEPT_SECONDS))
    .where('doneAt', 'is', null)
    .execute()
}
