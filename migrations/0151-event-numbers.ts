// Events have numbers in the order in which they came, and a follow knows the last one before it: which of the two came first is no
// question for the clocks of two machines. Rows from before have neither. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const onPostgres = [
  'create sequence "eventNumber"',
  'alter table event add column "sequence" bigint',
  `alter table event alter column "sequence" set default nextval('"eventNumber"')`,
  'alter table follow add column since bigint',
]

const onSqlite = [
  'create table "eventNumber" (last integer not null)',
  'insert into "eventNumber" (last) values (0)',
  'alter table event add column "sequence" integer',
  'alter table follow add column since integer',
  `create trigger "event_number" after insert on event when new."sequence" is null begin
    update "eventNumber" set last = last + 1;
    update event set "sequence" = (select last from "eventNumber") where id = new.id;
  end`,
]

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const statement of isPostgres ? onPostgres : onSqlite) await sql.raw(statement).execute(db)
}
