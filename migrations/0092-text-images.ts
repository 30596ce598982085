// Pictures in texts: uploaded first, then of the thing whose text names them. They count towards the bytes of the account that uploaded
// them. Where a row goes that they belong to, in any way, they are marked; the clean-up removes them, one account at a time.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const add = `insert into "storedBytes" ("accountId", bytes, "avatarBytes") select new."uploaderId", new.size, 0 where true
  on conflict ("accountId") do update set bytes = "storedBytes".bytes + excluded.bytes;`
const remove = `update "storedBytes" set bytes = bytes - old.size where "accountId" = old."uploaderId";`
/** What was merged may come back, and has its row elsewhere until then. */
const gone = `update "textImage" set gone = 1 where "thingId" = old.id
  and not exists (select 1 from "mergedThing" where id = old.id);`

/** Name, when, of which table, and what is done. */
const triggers: [string, string, string, string][] = [
  ['storedBytes_textImage_added', 'after insert', 'textImage', add],
  ['storedBytes_textImage_removed', 'after delete', 'textImage', remove],
  ...['bug', 'feature', 'post', 'release', 'comment', 'orgUpload'].map((table): [string, string, string, string] => [
    ...([`textImage_${table}_removed`, 'after delete', table, gone] as const),
  ]),
]

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run(`create table "textImage" (
    id ${text} primary key,
    "uploaderId" ${text} not null,
    "thingId" ${text},
    "contentType" ${text} not null,
    size integer not null,
    sha256 ${text} not null,
    gone integer not null default 0,
    "createdAt" ${text} not null
  )`)
  await run('create index "textImage_uploader" on "textImage" ("uploaderId", id)')
  await run('create index "textImage_thing" on "textImage" ("thingId") where "thingId" is not null')
  await run('create index "textImage_loose" on "textImage" ("createdAt") where "thingId" is null')
  await run('create index "textImage_gone" on "textImage" (id) where gone = 1')
  for (const [name, when, table, body] of triggers) {
    if (isPostgres) {
      await run(`create function "${name}"() returns trigger language plpgsql as $$ begin ${body} return null; end $$`)
      await run(`create trigger "${name}" ${when} on "${table}" for each row execute function "${name}"()`)
    } else await run(`create trigger "${name}" ${when} on "${table}" begin ${body} end`)
  }
}
