// The feed can be asked for one type: an index for each order, and counts by type. One file for both engines.
import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  for (const [name, order] of [
    ['latest', ['createdAt', 'id']],
    ['popular', ['score', 'createdAt', 'id']],
  ] as const) {
    await index(db, `type_${name}`, ['type', ...order])
    // The type stands at the end as well, so that entries of another type are passed without a look at them.
    await db.schema.dropIndex(`feedEntry_authorId_${name}`).execute()
    await index(db, `authorId_${name}`, ['authorId', ...order, 'type'])
  }
  await sql`delete from tally where key >= 'feed/' and key < 'feed0'`.execute(db)
  for (const group of [sql.lit('all'), sql`'by/' || "authorId"`]) {
    await sql`insert into tally (key, count)
      select 'feed/' || ${group} || '/' || type || '/', count(*) from "feedEntry" group by 1`.execute(db)
  }
}

async function index(db: AnyDb, name: string, columns: string[]): Promise<void> {
  await db.schema.createIndex(`feedEntry_${name}`).on('feedEntry').columns(columns).execute()
}
