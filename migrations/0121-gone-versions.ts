// Hashes of versions that everybody could see, after they are gone: a name and a version never mean other bytes. Those that went before
// this are known from the log. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  await run(`create table "goneVersion" ("kind" ${text} not null, "slug" ${text} not null, "precedence" ${text} not null,
    "version" ${text} not null, "sha256" ${text} not null, primary key ("kind", "slug", "precedence"))`)
  const field = (name: string) =>
    postgres ? `(leaf."text"::jsonb ->> '${name}')` : `json_extract(leaf."text", '$.${name}')`
  const name = field('name')
  const cut = (value: string, at: 1 | 2, sign: string) => {
    if (postgres) return `split_part(${value}, '${sign}', ${at})`
    const place = `instr(${value} || '${sign}', '${sign}')`
    return at === 1 ? `substr(${value}, 1, ${place} - 1)` : `substr(${value}, ${place} + 1)`
  }
  await run(`insert into "goneVersion" ("kind", "slug", "precedence", "version", "sha256")
    select ${cut(name, 1, '/')}, ${cut(name, 2, '/')}, ${cut('leaf."version"', 1, '+')}, leaf."version", ${field('sha256')}
    from "logEntry" leaf left join "libraryItem" item on item."id" = leaf."itemId"
    where leaf."type" = 'publish' and leaf."version" is not null and item."id" is null
    on conflict do nothing`)
}
