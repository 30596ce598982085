// What is walked along to pages that are far away: comments by their parent alone, and accounts that are (not) blocked; and
// how many entries the feed has. One file for both engines.
import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  // A walk that begins with one column need not look at the rows it passes (src/content/listing-queries.ts).
  await db.schema.dropIndex('comment_target').execute()
  await db.schema.createIndex('comment_targetId').on('comment').columns(['targetId', 'createdAt', 'id']).execute()
  for (const [name, operator] of [
    ['blocked', 'is not'],
    ['unblocked', 'is'],
  ] as const) {
    await db.schema.dropIndex(`user_${name}`).ifExists().execute()
    for (const fixed of [[], ['role']]) {
      await db.schema
        .createIndex(['user', ...fixed, name].join('_'))
        .on('user')
        // Without the column itself SQLite would look at each row for it.
        .columns([...fixed, 'createdAt', 'id', 'blockedAt'])
        .where(sql.ref('blockedAt'), operator, null)
        .execute()
    }
  }
  await sql`insert into tally (key, count) select 'feed/all/', count(*) from "feedEntry" having count(*) > 0`.execute(
    db,
  )
}
