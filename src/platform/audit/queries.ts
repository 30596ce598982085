// The audit log as it is stored.
import type { AuditTable, Db } from '../../database/schema.ts'

export async function insertAudit(db: Db, entry: AuditTable): Promise<void> {
  await db.insertInto('audit').values(entry).execute()
}
