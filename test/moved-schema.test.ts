// A database after a move has the schema of one that was migrated, to the last index; and who was signed in stays so.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '../src/database/schema.ts'
import { isPostgres } from '../src/runtime/addresses.ts'
import { live } from './living.ts'
import { moveRows } from './moved.ts'
import { complaintsAbout, withOtherPlace, withWorldOn } from './operator.ts'
import { BASE_URL, onEveryEngine, type World } from './world.ts'

const OURS = `'public'::regnamespace`

/** Every part of a schema on PostgreSQL, by what the system says of it. */
const POSTGRES: Readonly<Record<string, string>> = {
  columns: `select attrelid::regclass::text as "table", attname as name, format_type(atttypid, atttypmod) as type, attnotnull, attgenerated,
      attidentity, attcollation::regcollation::text as collation, pg_get_expr(adbin, adrelid) as initial
    from pg_attribute join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = ${OURS} and relkind in ('r', 'v') and attnum > 0 and not attisdropped order by 1, 2`,
  indexes: `select pg_get_indexdef(indexrelid) as definition, indisvalid, indisready from pg_index join pg_class c on c.oid = indexrelid
    where relnamespace = ${OURS} order by 1`,
  constraints: `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition, convalidated,
      condeferrable, condeferred from pg_constraint where connamespace = ${OURS} order by 1, 2`,
  triggers: `select tgrelid::regclass::text as "table", pg_get_triggerdef(oid) as definition, tgenabled from pg_trigger
    where not tgisinternal order by 1, 2`,
  functions: `select proname as name, pg_get_functiondef(oid) as definition from pg_proc where pronamespace = ${OURS} and prokind = 'f'
    order by 1`,
  sequences: `select seqrelid::regclass::text as name, seqtypid::regtype::text as type, seqstart, seqincrement, seqmax, seqcycle
    from pg_sequence order by 1`,
  owners: `select relname as name, relowner::regrole::text as owner, relacl::text as rights, reloptions, relpersistence, relreplident
    from pg_class where relnamespace = ${OURS} order by 1`,
  migrations: 'select name from kysely_migration order by 1',
}

const SQLITE: Readonly<Record<string, string>> = {
  all: 'select type, name, tbl_name, sql from sqlite_schema order by type, name',
  migrations: 'select name from kysely_migration order by 1',
  version:
    'select user_version, application_id, encoding, page_size, auto_vacuum from pragma_user_version, pragma_application_id, pragma_encoding, pragma_page_size, pragma_auto_vacuum',
}

async function schemaOf(db: Db, url: string): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const [part, query] of Object.entries(isPostgres(url) ? POSTGRES : SQLITE)) {
    found[part] = (await sql.raw(query).execute(db)).rows
    assert.ok(found[part].length > 0, part)
  }
  return found
}

/** Signs in by password; the cookie of the session. */
async function signIn({ app }: World): Promise<string> {
  const body = JSON.stringify({ email: 'alice@example.com', password: 'alice has a password' })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await app.fetch(new Request(`${BASE_URL}/api/auth/sign-in/email`, { method: 'POST', headers, body }))
  assert.equal(answer.status, 200)
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

onEveryEngine('a database that was moved, from a database', (it) => {
  it('has the schema of one that was migrated, and everyone is still signed in', async (world) => {
    const { bug } = await live(world)
    const cookie = await signIn(world)
    await withOtherPlace(world, async (place) => {
      const schemas: unknown[] = []
      const look = async ({ db }: World) => void schemas.push(await schemaOf(db, place.databaseUrl))
      await withWorldOn(place, look)
      assert.equal((await moveRows(world.databaseUrl, place.databaseUrl)).isAll, false)
      await withWorldOn(place, async (moved) => {
        const { blobs } = world.dependencies
        assert.deepEqual(await complaintsAbout({ ...moved, dependencies: { ...moved.dependencies, blobs } }), [])
        assert.equal(await signIn(moved).then(Boolean), true)
        const body = JSON.stringify({ body: 'With the session of before' })
        const headers = { cookie, 'Content-Type': 'application/json' }
        const path = `${BASE_URL}/api/community/bugs/${bug}/comments`
        assert.equal((await moved.app.fetch(new Request(path, { method: 'POST', headers, body }))).status, 201)
        await look(moved)
      })
      const [before, after] = schemas
      assert.deepEqual(after, before)
    })
  })
})
