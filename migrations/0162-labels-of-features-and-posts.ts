// Feature requests and posts have labels too: for each a table like that of bugs, with the indexes of their lists. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const statement of [...tableOf('feature', ['status'], isPostgres), ...tableOf('post', [], isPostgres)]) {
    await sql.raw(statement).execute(db)
  }
}

/** A table of the labels of a kind, with copies of the columns (`facets`) that its lists are filtered by. */
function tableOf(kind: string, facets: readonly string[], isPostgres: boolean): string[] {
  const text = `${isPostgres ? 'text collate "C"' : 'text'} not null`
  const [table, id] = [`${kind}Label`, `${kind}Id`]
  const references = (of: string) => `${text} references "${of}" ("id") on delete cascade`
  const copies = ['authorId', ...facets, 'createdAt'].map((name) => `"${name}" ${text}`)
  const orders = Object.entries({ latest: ['createdAt', id], popular: ['score', 'createdAt', id] })
  const lists = orders.flatMap(([order, columns]) =>
    Object.entries({ [order]: ['labelId'], [`author_${order}`]: ['labelId', 'authorId'] }).map(
      ([name, within]) =>
        `create index "${table}_${name}" on "${table}" (${[...within, ...columns, ...facets].map((column) => `"${column}"`)}) where "hidden" = 0`,
    ),
  )
  return [
    `create table "${table}" ("labelId" ${references('label')}, "${id}" ${references(kind)}, ${copies},
      "score" integer not null, "hidden" integer not null default 0, primary key ("labelId", "${id}"))${isPostgres ? '' : ' without rowid'}`,
    `create index "${table}_${kind}" on "${table}" ("${id}")`,
    ...lists,
    ...(isPostgres ? [changed(table)] : []),
  ]
}

const changed = (table: string) =>
  `create trigger "changed" after insert or update or delete or truncate on "${table}" for each statement execute function "notify_change"()`
