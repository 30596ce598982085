// What the overview of admins shows of past weeks and cannot count later. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const [text, number] = isPostgres ? ['text collate "C"', 'bigint'] : ['text', 'integer']
  await sql
    .raw(`create table "weekFigure" (
    week ${text} not null primary key,
    "activeMembers" integer not null,
    "databaseBytes" ${number} not null,
    "storedBytes" ${number} not null
  )`)
    .execute(db)
}
