// Smaller pages of the index of full text, on SQLite. FTS5 skips within the documents of a term only where they fill four pages; below that
// it reads all of them, in each segment, to get to the newest documents of a type.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const PAGE_BYTES = 1_000

export async function up(db: AnyDb): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return
  await sql`insert into "searchTerms" ("searchTerms", rank) values ('pgsz', ${sql.lit(PAGE_BYTES)})`.execute(db)
  // What is there is written once more in pages of that size: two seconds for a million documents.
  await sql`insert into "searchTerms" ("searchTerms") values ('optimize')`.execute(db)
}
