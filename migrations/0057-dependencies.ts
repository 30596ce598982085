// What versions of items name: other items by kind and slug. And names of items that are gone stay with their accounts. One file for both
// engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  await run(`create table "keptSlug" ("kind" ${text} not null, "slug" ${text} not null, "ownerId" ${text} not null,
    primary key ("kind", "slug"))`)
  await run('create index "keptSlug_owner" on "keptSlug" ("ownerId")')
  await run(`create table dependency ("itemId" ${text} not null references "libraryItem" ("id") on delete cascade,
    "version" ${text} not null, "kind" ${text} not null, "slug" ${text} not null,
    primary key ("itemId", "version", "kind", "slug"))`)
  await run(`create index "dependency_named" on dependency ("kind", "slug", "itemId")`)
  const names = postgres
    ? `cross join lateral jsonb_array_elements_text(case when jsonb_typeof(m.meta::jsonb -> 'required_automations') = 'array'
        then m.meta::jsonb -> 'required_automations' else '[]'::jsonb end) as named(value)`
    : `join json_each(m.meta, '$.required_automations') as named`
  await run(`insert into dependency ("itemId", "version", "kind", "slug")
    select distinct m.id, m.version, 'automation', named.value from (
      select i.id, i.version, coalesce(d.meta, i.meta) as meta from "libraryItem" i
      join "versionDetails" d on d."itemId" = i.id and d.version = i.version where i.kind = 'workflow') m ${names}
    where named.value <> ''`)
  if (!postgres) return
  await run(`create trigger "changed" after insert or update or delete or truncate on dependency
    for each statement execute function "notify_change"()`)
}
