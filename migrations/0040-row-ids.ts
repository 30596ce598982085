// Renames columns to the words of the field: `rowId` for small keys, `position` in an inbox, and `facets` for what an item is filtered by.
// No row changes and no index is built, so the time does not grow with the data. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const columns = [
  ['libraryItem', 'n', 'rowId'],
  ['itemText', 'n', 'rowId'],
  ['itemText', 'shelf', 'facets'],
  ['searchDocument', 'n', 'rowId'],
  ['notification', 'n', 'position'],
] as const

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  if (!postgres) for (const name of triggersOfItems) await run(`drop trigger "itemText_${name}"`)
  for (const [table, from, to] of columns) await db.schema.alterTable(table).renameColumn(from, to).execute()
  if (postgres) {
    await run(ownerOnPostgres)
    await run(`alter sequence "libraryItem_n_seq" rename to "libraryItem_rowId_seq"`)
    return
  }
  await db.schema.alterTable('searchText').renameColumn('n', 'rowId').execute()
  await renameInIndexes(db)
  for (const statement of onSqlite) await run(statement)
}

/** The arguments of a virtual table do not follow a rename. They name columns only: what it stores stays as it is. */
async function renameInIndexes(db: AnyDb): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run('pragma writable_schema = on')
  await run(`update sqlite_master set sql = replace(replace(sql, 'content_rowid=''n''', 'content_rowid=''rowId'''), ' shelf,', ' facets,')
    where type = 'table' and name in ('searchIndex', 'itemTextIndex')`)
  await run('pragma writable_schema = reset')
}

/** SQLite renames columns in triggers too, but not those of virtual tables. */
const triggersOfItems = ['added', 'removed', 'changed', 'owner']

const changeOwner = `update "itemText" set owner = coalesce(new."usernameKey", '')
  where "rowId" in (select "rowId" from "libraryItem" where "ownerId" = new.id and gallery = 0);`

const add = `insert into "itemTextIndex"(rowid, text, owner, facets) values (new."rowId", new.text, new.owner, new.facets);`
const remove = `insert into "itemTextIndex"("itemTextIndex", rowid, text, owner, facets)
  values ('delete', old."rowId", old.text, old.owner, old.facets);`

const onSqlite = [
  `create trigger "itemText_added" after insert on "itemText" begin ${add} end`,
  `create trigger "itemText_removed" after delete on "itemText" begin ${remove} end`,
  `create trigger "itemText_changed" after update on "itemText" begin ${remove} ${add} end`,
  `create trigger "itemText_owner" after update of "usernameKey" on "user" when new."usernameKey" is not old."usernameKey"
    begin ${changeOwner} end`,
]

const ownerOnPostgres = `create or replace function "itemText_owner"() returns trigger language plpgsql as $$
  begin ${changeOwner} return null; end $$`
