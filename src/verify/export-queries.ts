// Archives of exports, as their rows name them.
import type { Db } from '../database/schema.ts'

/** Archives that there should be, in the order of their hashes. */
export function listArchives(db: Db, after: string, limit: number): Promise<{ sha256: string }[]> {
  const ready = db.selectFrom('dataExport').select('sha256').distinct().where('sha256', '>', after)
  return ready.orderBy('sha256').limit(limit).$narrowType<{ sha256: string }>().execute()
}

/** Whether an artifact is an archive. */
export async function isArchive(db: Db, sha256: string): Promise<boolean> {
  const exports = db.selectFrom('dataExport').select('id').where('sha256', '=', sha256).limit(1)
  return (await exports.executeTakeFirst()) !== undefined
}
