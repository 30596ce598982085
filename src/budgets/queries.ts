// Counting tries: one statement a try, right under any concurrency and shared by every process.
import { sql } from 'kysely'
import type { Db } from '../database/schema.ts'

/** Counts one more try of `key`, in a window that ends at `resetsAt` if none is open; one that ends after `latest` is none. */
export async function insertTry(
  db: Db,
  key: string,
  now: string,
  { resetsAt, latest }: { resetsAt: string; latest: string },
): Promise<{ count: number; resetsAt: string }> {
  const isOver = sql`("rateLimit"."resetsAt" <= ${now} or "rateLimit"."resetsAt" > ${latest})`
  return db
    .insertInto('rateLimit')
    .values({ key, count: 1, resetsAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when ${isOver} then 1 else "rateLimit".count + 1 end`,
        resetsAt: sql`case when ${isOver} then excluded."resetsAt" else "rateLimit"."resetsAt" end`,
      }),
    )
    .returning(['count', 'resetsAt'])
    .executeTakeFirstOrThrow()
}

export async function deleteExpiredTries(db: Db, now: string): Promise<void> {
  await db.deleteFrom('rateLimit').where('resetsAt', '<=', now).execute()
}
