// Invitations to sign up, for servers where not every address may. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  await sql
    .raw(
      `create table "signUpInvitation" (
        id ${text} primary key,
        email ${text} not null unique,
        "createdAt" ${text} not null,
        "expiresAt" ${text} not null
      )`,
    )
    .execute(db)
  await sql`create index "signUpInvitation_expiry" on "signUpInvitation" ("expiresAt")`.execute(db)
}
