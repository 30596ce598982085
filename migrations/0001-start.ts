// The whole schema of 0.1.0, for both engines: each part of it is a file of the folder beside.
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { accounts } from './0001-start/accounts.ts'
import { community } from './0001-start/community.ts'
import { imports } from './0001-start/imports.ts'
import { library } from './0001-start/library.ts'
import { notices } from './0001-start/notices.ts'
import { oauth } from './0001-start/oauth.ts'
import { type Engine, statementsOf } from './0001-start/room.ts'
import { search } from './0001-start/search.ts'
import { server } from './0001-start/server.ts'
import { talk } from './0001-start/talk.ts'
import { triggersOf } from './0001-start/triggers.ts'
import { versions } from './0001-start/versions.ts'
import { watching } from './0001-start/watching.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

/** What others refer to comes first. */
const rooms = [accounts, oauth, library, versions, community, talk, notices, server, imports, search]

export async function up(db: AnyDb): Promise<void> {
  const engine: Engine = db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
  if (engine === 'postgres') await sql`create extension if not exists pg_trgm schema public`.execute(db)
  const statements = [...rooms.flatMap((room) => statementsOf(room, engine)), ...triggersOf(engine)]
  // PostgreSQL takes them all at once, which spares a thousand ways to it and back.
  const texts = engine === 'postgres' ? [[...statements, ...watching].join(';\n')] : statements
  for (const text of texts) await sql.raw(text).execute(db)
}
