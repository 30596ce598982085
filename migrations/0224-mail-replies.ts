// Replies by mail: where a mail is answered, and which mails were taken. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `alter table "outbox" add column "replyTo" ${text}`,
    `create table "seenMail" ("hash" ${text} primary key, "seenAt" ${text} not null)`,
    'create index "seenMail_seen" on "seenMail" ("seenAt")',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
