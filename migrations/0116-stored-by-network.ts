// From which network an account stored something last, as long as its address is not verified: such accounts of a network have a share
// together. The columns are keyed hashes. The database forgets them when the address is verified. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const FORGET = `update "storedBytes" set "networkHash" = null, "subnetHash" = null
  where "accountId" = new.id;`
const VERIFIED = 'new."emailVerifiedAt" is not null'

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  for (const scope of ['network', 'subnet']) {
    const column = `"${scope}Hash"`
    await run(`alter table "storedBytes" add column ${column} ${text}`)
    // The sum is read from the index alone.
    await run(
      `create index "storedBytes_${scope}" on "storedBytes" (${column}, "accountId", bytes) where ${column} is not null`,
    )
  }
  if (!postgres) {
    await run(`create trigger "storedBytes_verified" after update of "emailVerifiedAt" on "user" when ${VERIFIED}
      begin ${FORGET} end`)
    return
  }
  await run(`create function "storedBytes_verified"() returns trigger language plpgsql as $$ begin ${FORGET}
    return null; end $$`)
  await run(`create trigger "storedBytes_verified" after update of "emailVerifiedAt" on "user" for each row
    when (${VERIFIED}) execute function "storedBytes_verified"()`)
}
