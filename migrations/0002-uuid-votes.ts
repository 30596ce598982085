// Votes with ids of 16 bytes on PostgreSQL, which has a type for them: 199 bytes for a vote with its indexes instead of 380. A database
// with members keeps text until the release after, because this one runs beside the release before, which writes text
// (docs/decisions/2026-11-30-ids-of-votes.md). The function gives an id as the table has it, so the same statements are right for both.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const ID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

/** No vote is of an id that is none: null equals nothing, and is no error. */
const asUuid = `create function "voteId"(text) returns uuid language sql immutable parallel safe
  as $id$ select case when $1 ~ '${ID}' then $1::uuid end $id$`

const asText = `create function "voteId"(text) returns text language sql immutable parallel safe as $id$ select $1 $id$`

export async function up(db: AnyDb): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  // What is decided stays true until the commit.
  await sql`lock table "vote" in access exclusive mode`.execute(db)
  await sql
    .raw(`do $$ begin
      if exists (select from "user") or exists (select from "vote") then
        ${asText};
      else
        alter table "vote" alter column "targetId" type uuid using "targetId"::uuid, alter column "userId" type uuid using "userId"::uuid;
        ${asUuid};
      end if;
    end $$`)
    .execute(db)
}
