// When something happened last to bugs, feature requests and posts, with an index for each list in that order. `activeAt` is derived, so that
// what the release before writes has it too. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

/** What lists of a kind are filtered by, and the column of its last change. */
const kinds = {
  bug: { facets: ['status', 'severity'], changedAt: 'updatedAt' },
  feature: { facets: ['status'], changedAt: 'updatedAt' },
  post: { facets: [], changedAt: 'editedAt' },
} as const

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const [kind, { facets, changedAt }] of Object.entries(kinds)) {
    const statements = [
      ...columnsOf(kind, isPostgres),
      ...columnsOf(`${kind}Label`, isPostgres),
      filled(kind, changedAt),
      `update "${kind}Label" set "touchedAt" = (select "touchedAt" from "${kind}" where "id" = "${kind}Label"."${kind}Id")`,
      ...indexesOf(kind, facets),
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  }
}

function columnsOf(table: string, isPostgres: boolean): string[] {
  const text = isPostgres ? 'text collate "C"' : 'text'
  const derived = `generated always as (coalesce("touchedAt", "createdAt")) ${isPostgres ? 'stored' : 'virtual'}`
  return [
    `alter table "${table}" add column "touchedAt" ${text}`,
    `alter table "${table}" add column "activeAt" ${text} ${derived}`,
  ]
}

/** The last of the comments on a thing, of its changes and of its labels; null where there was nothing since it was written. */
const filled = (kind: string, changedAt: string) => `update "${kind}" set "touchedAt" = (select max(moved.at) from (
    select max("createdAt") as at from "comment" where "targetId" = "${kind}"."id" and "hidden" = 0
    union all select "${kind}"."${changedAt}"
    union all select max("createdAt") from "threadChange"
      where "targetId" = "${kind}"."id" and "action" in ('labelled', 'unlabelled')
  ) moved where moved.at > "${kind}"."createdAt")`

function indexesOf(kind: string, facets: readonly string[]): string[] {
  const index = (name: string, columns: readonly string[], where = '') =>
    `create index "${name}" on "${name.split('_')[0]}" (${columns.map((column) => `"${column}"`)}) where "hidden" = 0${where}`
  const order = ['activeAt', 'id']
  const within = [[], ...facets.map((facet) => [facet]), ...(facets.length > 1 ? [facets] : [])]
  const labelled = ['activeAt', `${kind}Id`, ...facets]
  return [
    ...within.map((columns) => index([kind, ...columns, 'active'].join('_'), [...columns, ...order])),
    index(`${kind}_author_active`, ['authorId', ...order, ...facets]),
    index(`${kind}_agents_active`, order, ' and "viaClientId" is not null'),
    index(`${kind}Label_active`, ['labelId', ...labelled]),
    index(`${kind}Label_author_active`, ['labelId', 'authorId', ...labelled]),
  ]
}
