// Writes of agents that wait for the yes of their account, with the files that came with them. The bytes of the files count as stored by
// the account. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const added = `insert into "storedBytes" ("accountId", bytes, "avatarBytes") select new."userId", new.size, 0 where true
  on conflict ("accountId") do update set bytes = "storedBytes".bytes + excluded.bytes;`
const removed = `update "storedBytes" set bytes = bytes - old.size where "accountId" = old."userId";`

const triggers = [
  ['pending_added', 'after insert', added],
  ['pending_removed', 'after delete', removed],
] as const

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  await run(`create table "pendingAct" (
    id ${text} primary key,
    "userId" ${text} not null references "user" (id) on delete cascade,
    "grantId" ${text} not null,
    "clientId" ${text} not null,
    "clientName" ${text},
    operation ${text} not null,
    scope ${text} not null,
    state ${text} not null,
    request ${text} not null,
    preview ${text} not null,
    answer ${text},
    reason ${text},
    "createdAt" ${text} not null,
    "expiresAt" ${text} not null,
    "decidedAt" ${text}
  )`)
  await run(`create index "pendingAct_user" on "pendingAct" ("userId", id)`)
  await run(`create index "pendingAct_grant" on "pendingAct" ("grantId", id)`)
  await run(`create index "pendingAct_approved" on "pendingAct" (id) where state = 'approved'`)
  await run(`create index "pendingAct_age" on "pendingAct" ("expiresAt")`)
  await run(`create table "pendingFile" (
    id ${text} primary key,
    "actId" ${text} not null references "pendingAct" (id) on delete cascade,
    "userId" ${text} not null,
    field ${text} not null,
    filename ${text} not null,
    "mimeType" ${text} not null,
    sha256 ${text} not null,
    size integer not null
  )`)
  await run(`create index "pendingFile_act" on "pendingFile" ("actId", id)`)
  await run(`create index "pendingFile_user" on "pendingFile" ("userId", id)`)
  await run(`alter table "inbox" add column "approval" ${text}`)
  for (const [name, when, body] of triggers) {
    if (postgres) {
      await run(`create function "storedBytes_${name}"() returns trigger language plpgsql as $$ begin ${body}
        return null; end $$`)
      await run(
        `create trigger "storedBytes_${name}" ${when} on "pendingFile" for each row execute function "storedBytes_${name}"()`,
      )
    } else await run(`create trigger "storedBytes_${name}" ${when} on "pendingFile" begin ${body} end`)
  }
}
