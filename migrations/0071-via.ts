// Who wrote it: what an agent writes carries the id of its client, and the names of agents are kept for as long as something names them.
// Only what agents wrote is in the new indexes, so what people write in a browser costs as much as before. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const written = ['bug', 'feature', 'post', 'release', 'orgUpload', 'orgRun', 'libraryItem', 'itemVersion', 'comment']
const history = ['revision', 'statusChange']
const shown = ['feedEntry', 'searchDocument']
/** What has lists that can be of agents alone, with what the index is of. */
const listed = { bug: true, feature: true, post: true, release: true, orgUpload: true, feedEntry: false }

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  const run = (statement: string) => sql.raw(statement).execute(db)
  for (const table of [...written, ...history, ...shown]) {
    await run(`alter table "${table}" add column "viaClientId" ${text}`)
  }
  for (const [table, canHide] of Object.entries(listed)) {
    const where = `${canHide ? '"hidden" = 0 and ' : ''}"viaClientId" is not null`
    for (const [order, columns] of Object.entries({ latest: [], popular: ['score'] })) {
      const on = [...columns, 'createdAt', 'id'].map((column) => `"${column}"`)
      await run(`create index "${table}_agents_${order}" on "${table}" (${on}) where ${where}`)
    }
  }
  await run(
    `create index "searchDocument_via" on "searchDocument" ("viaClientId", "id") where "viaClientId" is not null`,
  )
  await run(`create table "agent" ("clientId" ${text} primary key, "name" ${text}, "firstSeenAt" ${text} not null,
    "seenAt" ${text} not null)`)
  await run(`create index "agent_seen" on "agent" ("seenAt", "clientId")`)
  await run(`insert into "agent" ("clientId", "name", "firstSeenAt", "seenAt")
    select "clientId", max("clientName"), min("createdAt"), max("createdAt") from "grant" group by "clientId"`)
}
