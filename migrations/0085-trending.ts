// How hot an entry of the feed is (behaviour.md, section 2, Trending): a column that the database derives from votes, comments and age, with an
// index in its order. It does not depend on the time of a read, so nothing is ever ranked again because time has passed.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

/** In seconds: three days outweigh ten times as many votes and comments. */
const TENFOLD = 259_200

const onSqlite = `log10(1 + max(0, score + "commentCount")) + unixepoch("createdAt") / ${TENFOLD}.0`

const part = (from: number, length: number) => `substr("createdAt", ${from}, ${length})::int`
/** A cast of text to a time depends on settings; the parts of our own format do not. */
const time = `make_timestamp(${part(1, 4)}, ${part(6, 2)}, ${part(9, 2)}, ${part(12, 2)}, ${part(15, 2)}, ${part(18, 2)})`
const onPostgres = `log(1 + greatest(0, score + "commentCount")::double precision)
  + extract(epoch from ${time})::double precision / ${TENFOLD}`

export async function up(db: AnyDb): Promise<void> {
  const column =
    db.getExecutor().adapter instanceof PostgresAdapter
      ? `double precision generated always as (${onPostgres}) stored`
      : `real generated always as (${onSqlite}) virtual`
  await sql.raw(`alter table "feedEntry" add column heat ${column}`).execute(db)
  await db.schema.createIndex('feedEntry_trending').on('feedEntry').columns(['heat', 'id']).execute()
}
