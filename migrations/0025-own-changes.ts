// NOTIFY in a transaction makes commits wait for each other. So a process that announces its changes itself, after the commit, asks for
// their names instead: it sets `guildhall.own` in the transaction and reads `guildhall.changed` before it commits
// (src/database/postgres-driver.ts). Changes of everything else, such as psql, are notified as before.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  await sql
    .raw(`create or replace function "notify_change"() returns trigger language plpgsql as $$
    declare changed text;
    begin
      if current_setting('guildhall.own', true) = 'on' then
        changed := coalesce(nullif(current_setting('guildhall.changed', true), ''), ',');
        if position(',' || tg_table_name || ',' in changed) = 0 then
          perform set_config('guildhall.changed', changed || tg_table_name || ',', true);
        end if;
      else
        perform pg_notify('guildhall_changes', tg_table_name);
      end if;
      return null;
    end $$`)
    .execute(db)
}
