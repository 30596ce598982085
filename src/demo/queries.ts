// The demo's own database queries.
import type { Db } from '../database/schema.ts'

/** Whether the instance has an account. */
export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined
}
