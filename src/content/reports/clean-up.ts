// Removes what was kept of reported things, when no case can need it any more.
import { deleteUntil } from '../../database/expiry.ts'
import type { Db } from '../../database/schema.ts'

export const deleteOldEvidence = (db: Db, now: string): Promise<void> =>
  deleteUntil(db, { table: 'evidence', key: 'id', since: 'deleteAt' }, now)
