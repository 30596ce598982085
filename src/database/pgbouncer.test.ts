// Guildhall behind PgBouncer: in session mode all is as without it, and the other modes are refused at the start.
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { type Open, onPostgres } from '../../test/databases.ts'
import { hasPgBouncer, openPooler } from '../../test/pgbouncer.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import { makeWorld } from '../../test/world.ts'
import { openDatabase } from './open.ts'
import { sessionOf } from './postgres-session.ts'
import type { Db } from './schema.ts'

const skip = hasPgBouncer ? false : 'needs PgBouncer: install pgbouncer'
const SETTINGS = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']

async function behindPooler(t: TestContext, open: Open, mode: string): Promise<string> {
  const { url, remove } = await open()
  t.after(remove)
  return openPooler(t, url, mode)
}

const timeoutsOf = async (db: Db) =>
  Promise.all(
    SETTINGS.map(async (name) => {
      const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)
      return rows[0]?.value
    }),
  )

it('An address keeps what is no timeout', () => {
  const url = 'postgres://a:b%40c@host:5432/db?sslmode=require&lock_timeout=3000&application_name=g%20h'
  assert.deepEqual(sessionOf(url, { lock_timeout: 1, statement_timeout: 2 }), {
    connectionString: 'postgres://a:b%40c@host:5432/db?sslmode=require&application_name=g+h',
    timeouts: { lock_timeout: 3000, statement_timeout: 2 },
  })
  assert.deepEqual(sessionOf('postgres://host/db'), { connectionString: 'postgres://host/db', timeouts: {} })
})

onPostgres('PgBouncer', (open) => {
  it('that keeps sessions changes nothing: the timeouts hold for reads, transactions and what the address says', {
    skip,
  }, async (t) => {
    const url = await behindPooler(t, open, 'session')
    const store = await openDatabase(`${url}?lock_timeout=3000`)
    t.after(() => store.db.destroy())
    assert.deepEqual(await timeoutsOf(store.db), ['3s', '1min', '1min'])
    assert.deepEqual(await store.db.transaction().execute(timeoutsOf), ['3s', '1min', '1min'])
    const world = await makeWorld({ ...store, url }, { BLOB_URL: `file:${await temporaryDirectory(t)}` })
    const bug = await world.alice.bugs.create({ title: 'Through a pooler', description: 'It works', severity: 'low' })
    await world.bob.bugs.vote({ id: bug.id, value: 1 })
    assert.equal((await world.anonymous.bugs.get({ id: bug.id })).score, 1)
    const { items } = await world.anonymous.search.find({ q: 'pooler' })
    assert.equal(items[0]?.id, bug.id)
  })

  for (const mode of ['transaction', 'statement']) {
    it(`that keeps no sessions (${mode}) is refused at the start, in a sentence`, { skip }, async (t) => {
      const url = await behindPooler(t, open, mode)
      await assert.rejects(openDatabase(url), /keeps no sessions.*set pool_mode = session in PgBouncer/)
    })
  }
})
