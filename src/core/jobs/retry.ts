// Lets jobs run again that were given up, or that rest after a failure: for operators.
import type { Db } from '../../database/schema.ts'
import type { DeclaredJob } from './job.ts'
import { updateRetried } from './queries.ts'

/** Lets one run now, with all its attempts; false where it has not failed, or a process works on it. */
export const retryJob = (
  { db, now }: { db: Db; now: string },
  { kind, retry }: DeclaredJob,
  key: string,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const isRetried = await updateRetried(transaction, { kind, key, now })
    if (isRetried) await retry?.(transaction, key)
    return isRetried
  })
