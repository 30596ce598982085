// Whether a database is in use.
import type { Db } from '../database/schema.ts'

export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined
}
