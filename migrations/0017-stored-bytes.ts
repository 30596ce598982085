// How many bytes of files each account stores. The database keeps the count itself, in the transaction that changes what it
// counts: versions of items (orgs of the gallery are items too), files of runs, images of orgs. Rows go by cascade, and no slice
// needs to know of it. Sizes of pictures of accounts are not known here: they count once they are set again.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const add = (account: string, size: string, from: string) =>
  `insert into "storedBytes" ("accountId", bytes, "avatarBytes") select ${account}, ${size}, 0 ${from}
    on conflict ("accountId") do update set bytes = "storedBytes".bytes + excluded.bytes;`

const remove = (account: string, size: string) =>
  `update "storedBytes" set bytes = bytes - ${size} where "accountId" = ${account};`

const ownerOf = (row: string) => `(select "ownerId" from "libraryItem" where id = ${row}."itemId")`
const runnerOf = (row: string) => `(select "authorId" from "orgRun" where id = ${row}."runId")`

/**
 * Of what belongs to something else the owner is known as long as that is there: what goes with it is taken off before. Name,
 * when, of which table, and what is done.
 */
const triggers: [string, string, string, string][] = [
  [
    'version_added',
    'after insert',
    'itemVersion',
    add('"ownerId"', 'new.size', 'from "libraryItem" where id = new."itemId"'),
  ],
  ['version_removed', 'after delete', 'itemVersion', remove(ownerOf('old'), 'old.size')],
  [
    'item_removed',
    'before delete',
    'libraryItem',
    remove('old."ownerId"', '(select coalesce(sum(size), 0) from "itemVersion" where "itemId" = old.id)'),
  ],
  [
    'file_added',
    'after insert',
    'orgRunFile',
    add('"authorId"', 'new."sizeBytes"', 'from "orgRun" where id = new."runId"'),
  ],
  ['file_removed', 'after delete', 'orgRunFile', remove(runnerOf('old'), 'old."sizeBytes"')],
  [
    'run_removed',
    'before delete',
    'orgRun',
    remove('old."authorId"', '(select coalesce(sum("sizeBytes"), 0) from "orgRunFile" where "runId" = old.id)'),
  ],
  ['image_added', 'after insert', 'orgImage', add('new."uploaderId"', 'new.size', 'where true')],
  ['image_removed', 'after delete', 'orgImage', remove('old."uploaderId"', 'old.size')],
]

const onSqlite = triggers.map(
  ([name, when, table, body]) => `create trigger "storedBytes_${name}" ${when} on "${table}" begin ${body} end`,
)

const onPostgres = triggers.flatMap(([name, when, table, body]) => [
  `create function "storedBytes_${name}"() returns trigger language plpgsql as $$ begin ${body}
    return ${when.startsWith('before') ? 'old' : 'null'}; end $$`,
  `create trigger "storedBytes_${name}" ${when} on "${table}" for each row execute function "storedBytes_${name}"()`,
])

const stored = `
  select "ownerId" as "accountId", v.size as bytes from "itemVersion" v join "libraryItem" i on i.id = v."itemId"
  union all select r."authorId", f."sizeBytes" from "orgRunFile" f join "orgRun" r on r.id = f."runId"
  union all select "uploaderId", size from "orgImage"`

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('storedBytes')
    .addColumn('accountId', text, (column) => column.primaryKey().notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('avatarBytes', 'bigint', (column) => column.notNull())
    .execute()
  await sql
    .raw(
      `insert into "storedBytes" ("accountId", bytes, "avatarBytes")
        select "accountId", sum(bytes), 0 from (${stored}) as stored group by "accountId"`,
    )
    .execute(db)
  for (const statement of postgres ? onPostgres : onSqlite) await sql.raw(statement).execute(db)
}
