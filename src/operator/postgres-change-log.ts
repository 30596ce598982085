// Notes changes in a PostgreSQL database by a trigger for each table.
import { findDistributed } from '../database/distributed.ts'
import { connect } from './postgres-rows.ts'
import type { ChangeLog, Table } from './rows.ts'

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Its arguments are the columns of the key. */
const FUNCTION = `create function "noteMove"() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into "movedKey" ("table", key)
      select tg_table_name, jsonb_agg(to_jsonb(old) -> name order by at) from unnest(tg_argv) with ordinality as k (name, at);
  end if;
  if tg_op <> 'DELETE' then
    insert into "movedKey" ("table", key)
      select tg_table_name, jsonb_agg(to_jsonb(new) -> name order by at) from unnest(tg_argv) with ordinality as k (name, at);
  end if;
  return null;
end $$`

const TRIGGERS = `select tgrelid::regclass::text as "table" from pg_trigger where tgname = 'noteMove' and tgenabled <> 'D'`

const triggerOf = ({ name, key }: Table) =>
  `create trigger "noteMove" after insert or update or delete on ${quoted(name)} for each row
    execute function "noteMove"(${key.map((column) => `'${column.replaceAll("'", "''")}'`).join(', ')})`

export async function openPostgresChangeLog(url: string): Promise<ChangeLog> {
  const client = await connect(url)
  const end = async () => {
    const { rows } = await client.query<{ table: string }>(TRIGGERS)
    // One table at a time: a server that writes to several of them never waits for two.
    for (const { table } of rows) await client.query(`drop trigger "noteMove" on ${table}`)
    await client.query('drop function if exists "noteMove"(); drop table if exists "movedKey", "moveBegun"')
  }
  return {
    async begin(tables, move) {
      await end()
      await client.query(
        'create table "movedKey" (number bigserial primary key, "table" text not null, key jsonb not null)',
      )
      await client.query(FUNCTION)
      // A distributed table has no triggers: then not all changes are noted, and the final step compares everything.
      const distributed = await findDistributed(client)
      for (const table of tables) if (!distributed.has(table.name)) await client.query(triggerOf(table))
      await client.query('create table "moveBegun" (move text not null)')
      await client.query('insert into "moveBegun" values ($1)', [move])
    },
    async isComplete(tables, move) {
      const { rows: triggers } = await client.query(TRIGGERS)
      if (triggers.length !== tables.length) return false
      const { rows: there } = await client.query(`select 1 from pg_class where relname = 'moveBegun'`)
      if (there.length === 0) return false
      const { rows } = await client.query('select 1 from "moveBegun" where move = $1', [move])
      return rows.length > 0
    },
    async add({ name }, keys) {
      await client.query(
        'insert into "movedKey" ("table", key) select $1, value from jsonb_array_elements($2::jsonb)',
        [name, JSON.stringify(keys)],
      )
    },
    async forget(numbers) {
      await client.query('delete from "movedKey" where number = any($1)', [numbers])
    },
    end,
    close: () => client.end(),
  }
}
