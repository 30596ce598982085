// What the demo asks of the database itself.
import type { Db } from '../database/schema.ts'

/** Whether anybody has an account here. */
export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined
}
