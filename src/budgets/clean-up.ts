// The clean-up of counters.
import { deleteUntil } from '../database/expiry.ts'
import type { Db } from '../database/schema.ts'

/** Deletes windows that have ended. No other table stores a network for longer. */
export const deleteExpiredTries = (db: Db, now: string): Promise<void> =>
  deleteUntil(db, { table: 'rateLimit', key: 'key', since: 'resetsAt' }, now)
