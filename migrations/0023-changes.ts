// On PostgreSQL, processes learn of commits by notifications: the transaction that changes a table with data of cached answers
// notifies its name, once however often it changes it. SQLite has `PRAGMA data_version` for that.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const content = [
  ...['user', 'profile', 'bug', 'label', 'bugLabel', 'feature', 'post', 'vote', 'comment', 'feedEntry', 'counter'],
  ...['searchText', 'slug', 'orgPage', 'orgImage', 'orgRun', 'orgRunFile', 'orgUpload'],
  ...['libraryItem', 'itemVersion', 'itemDetails', 'itemTag', 'itemCount', 'itemText', 'libraryUpload'],
]
/** Only found rows of these are cached, so a new row changes nothing. */
const credentials = ['session', 'oauthToken']

export async function up(db: AnyDb): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run(`create function "notify_change"() returns trigger language plpgsql as $$
    begin perform pg_notify('guildhall_changes', tg_table_name); return null; end $$`)
  const watch = (table: string, events: string) =>
    run(`create trigger "changed" after ${events} on "${table}" for each statement execute function "notify_change"()`)
  for (const table of content) await watch(table, 'insert or update or delete or truncate')
  for (const table of credentials) await watch(table, 'update or delete or truncate')
}
