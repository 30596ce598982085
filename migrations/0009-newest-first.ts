// The row numbers of the search on SQLite are turned round: the newest text of a type is the first of its block, because the
// index is read much faster upwards (src/database/search.ts).
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return
  await sql`drop trigger "searchText_changed"`.execute(db)
  await sql`update "searchText" set n = -n`.execute(db)
  await sql`insert into "searchIndex"("searchIndex") values ('rebuild')`.execute(db)
  await sql`create trigger "searchText_changed" after update on "searchText" begin
    insert into "searchIndex"("searchIndex", rowid, text) values ('delete', old.n, old.text);
    insert into "searchIndex"(rowid, text) values (new.n, new.text); end`.execute(db)
}
