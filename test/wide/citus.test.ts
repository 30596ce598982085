// Guildhall on a Citus cluster: how a database gets there and off it, what its statements ask, and what it does when a node is gone or shards move.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { mapVotes } from '../../src/content/votes/queries.ts'
import { openDatabase } from '../../src/database/open.ts'
import { openPostgres, type PostgresStore } from '../../src/database/postgres.ts'
import { distribute } from '../../src/operator/distribute.ts'
import { move } from '../../src/operator/move.ts'
import { required } from '../../src/runtime/untyped.ts'
import { type Cluster, skip, startCluster } from '../citus.ts'
import { keepsWhatItAcknowledged, placesOf, statusesOf, until, votingOn } from '../citus-load.ts'
import { makeEmpty } from '../distributed-databases.ts'
import { live } from '../living.ts'
import { complaintsAbout, runCommand, withWorldOn } from '../operator.ts'
import { temporaryDirectory } from '../temporary.ts'
import { makeWorld, type World } from '../world.ts'

const TABLES = ['vote', 'follow', 'reaction', 'notification']

describe('a Citus cluster', { skip }, () => {
  let cluster: Cluster
  let made = 0
  before(async () => {
    cluster = await startCluster()
  })
  after(() => cluster.stop())

  /** A world on a new database of the coordinator, where every table is local yet. */
  async function open(t: TestContext): Promise<World & { store: PostgresStore }> {
    const url = await makeEmpty(cluster.url, `world_${++made}`)
    await openDatabase(url).then(({ db }) => db.destroy())
    const store = openPostgres(url, { connections: 8 })
    t.after(() => store.db.destroy())
    const world = await makeWorld(
      { ...store, url },
      { BLOB_URL: `file:${await temporaryDirectory(t)}`, TEST_PROCESSES: '1' },
    )
    return { ...world, store }
  }

  const distributeIn = (databaseUrl: string, options = {}) => runCommand(distribute, { databaseUrl }, options)

  async function opened(t: TestContext) {
    const world = await open(t)
    assert.equal((await distributeIn(world.databaseUrl, { shards: '8' })).code, 0)
    return world
  }

  // The first one: each database takes a worker process of a node, of which a move of shards needs one more.
  it('takes a third node while people vote: shards move to it, and nothing is lost', async (t) => {
    await cluster.add(3)
    const world = await open(t)
    const mayHaveShards = (may: boolean) =>
      sql`select citus_set_node_property('127.0.0.1', ${cluster.port(3)}, 'shouldhaveshards', ${may})`.execute(world.db)
    await mayHaveShards(false)
    assert.equal((await distributeIn(world.databaseUrl, { shards: '8' })).code, 0)
    await mayHaveShards(true)
    const people = Array.from({ length: 4 }, (_, n) => world.person(`voter${n}`))
    for (const person of people) await person.account()
    const load = await votingOn(world, people)
    await until('every bug has votes', () => load.seen.size === load.bugs.length)
    assert.deepEqual((await placesOf(world, load.bugs, cluster.port(3))).on, [])
    load.forget()
    await sql`select citus_rebalance_start(shard_transfer_mode => 'block_writes')`.execute(world.db)
    await until('the shards have moved', async () => {
      const { rows } = await sql<{ state: string }>`select state from citus_rebalance_status()`.execute(world.db)
      return rows[0]?.state === 'finished'
    })
    load.forget()
    await until('every bug has votes', () => load.seen.size === load.bugs.length)
    await load.end()
    assert.ok((await placesOf(world, load.bugs, cluster.port(3))).on.length > 0)
    await keepsWhatItAcknowledged(world, load)
    assert.deepEqual(await complaintsAbout(world), [])
  })

  it('gets the tables of a database while people use it, once, and every process learns of changes as before', async (t) => {
    const world = await open(t)
    const { alice, bob } = world
    const { bug } = await live(world)
    const comment = await bob.bugs.comment({ id: bug, body: 'And here' })
    await alice.comments.react({ id: comment.id, reaction: 'heart' })
    await world.app.deliver()
    const told = (await alice.notifications.list({})).items
    assert.ok(told.length > 0)
    const other = openPostgres(world.databaseUrl, { connections: 4 })
    t.after(() => other.db.destroy())
    await Promise.all([world.store.join(), other.join()])
    const done = await distributeIn(world.databaseUrl)
    assert.equal(done.code, 0)
    const tables = () => (done.results[0] as { tables: { table: string; already: boolean; rows: number }[] }).tables
    assert.deepEqual(
      tables().map(({ table, already }) => [table, already]),
      TABLES.map((table) => [table, false]),
    )
    assert.ok(tables().every(({ rows }) => rows > 0))
    const again = await distributeIn(world.databaseUrl)
    assert.ok((again.results[0] as { tables: { already: boolean }[] }).tables.every(({ already }) => already))
    for (let round = 0; round < 10; round++) {
      const value = round % 2 === 0 ? -1 : 1
      await bob.bugs.vote({ id: bug, value })
      await other.caughtUp()
      // Rows that this process caches.
      assert.equal((await mapVotes(other.db, (await bob.account()).id, [bug])).get(bug), value)
    }
    assert.deepEqual((await alice.notifications.list({})).items, told)
    await bob.bugs.comment({ id: bug, body: 'And there' })
    await world.app.deliver()
    assert.equal((await alice.notifications.list({})).items.length, told.length + 1)
    assert.deepEqual(await complaintsAbout(world), [])
    await bob.bugs.deleteComment({ id: bug, commentId: comment.id })
    await world.app.deliver()
    assert.equal((await alice.notifications.list({})).items.length, told.length, 'and what was told of it')
    assert.deepEqual(await complaintsAbout(world), [])
    const { rows: left } = await sql`select 1 from reaction where "commentId" = ${comment.id}`.execute(world.db)
    assert.deepEqual(left, [], 'reactions go with their comment')
  })

  it('goes on with the next table after an interruption between two', async (t) => {
    const world = await open(t)
    await live(world)
    await world.app.deliver()
    const client = openPostgres(world.databaseUrl, { connections: 1 })
    t.after(() => client.db.destroy())
    const interrupted = await client.db.transaction().execute(async (transaction) => {
      await sql`lock table notification in share mode`.execute(transaction)
      const running = distributeIn(world.databaseUrl, { shards: '8' }).catch((error: unknown) => error)
      const waiting = sql<{ ended: boolean }>`select pg_terminate_backend(pid) as ended from pg_stat_activity
        where application_name = 'guildhall-admin' and datname = current_database() and query like 'lock table "notification"%'`
      await until('it waits for the last table', async () => (await waiting.execute(world.db)).rows.length > 0)
      return running
    })
    assert.ok(interrupted instanceof Error)
    const again = await distributeIn(world.databaseUrl, { shards: '4' })
    const { tables } = again.results[0] as { tables: { table: string; already: boolean; shards: number }[] }
    assert.deepEqual(
      tables.map(({ table, already, shards }) => [table, already, shards]),
      TABLES.map((table) => [table, table !== 'notification', 8]),
    )
    assert.deepEqual(await complaintsAbout(world), [])
  })

  it('announces a write to every process: what one cached is read again', async (t) => {
    const world = await opened(t)
    const other = openPostgres(world.databaseUrl, { connections: 4 })
    const third = openPostgres(world.databaseUrl, { connections: 1 })
    t.after(() => Promise.all([other.db.destroy(), third.db.destroy()]))
    await other.listening()
    await other.join()
    const vote = (db: World['db']) =>
      db.insertInto('vote').values({ targetId: randomUUID(), userId: randomUUID(), value: 1 }).execute()
    const writers: [string, World['db']][] = [
      ['a process that listens', world.db],
      ['a command that does not', third.db],
    ]
    await world.store.listening()
    for (const [name, db] of writers) {
      await other.sync()
      const moment = other.changes.moment()
      await vote(db)
      await other.sync()
      assert.equal(other.changes.isCurrent(moment, new Set(['vote'])), false, name)
      const since = other.changes.moment()
      assert.ok(other.changes.isCurrent(since, new Set(['vote'])), 'and it may be cached again')
    }
    const moment = other.changes.moment()
    await third.db.transaction().execute(vote)
    await other.sync()
    assert.equal(other.changes.isCurrent(moment, new Set(['vote'])), false)
  })

  it('is refused, in a sentence, where it cannot be', async (t) => {
    const none = await distributeIn(join(await temporaryDirectory(t), 'guildhall.db'))
    assert.deepEqual([none.code, /SQLite file/.test(none.complaints[0] ?? '')], [1, true])
    const url = await makeEmpty(cluster.url, 'without_citus', { citus: false })
    await openDatabase(url).then(({ db }) => db.destroy())
    const plain = await distributeIn(url)
    assert.deepEqual([plain.code, /has no Citus/.test(plain.complaints[0] ?? '')], [1, true])
    for (const [shards, code] of Object.entries({ 0: 2, 1: 1, 1024: 1, 1025: 2, x: 2 }))
      assert.equal((await distributeIn(url, { shards })).code, code)
    const alone = await makeEmpty(cluster.url, 'without_nodes', { nodes: false })
    await openDatabase(alone).then(({ db }) => db.destroy())
    const nowhere = await distributeIn(alone)
    assert.deepEqual([nowhere.code, /no node/.test(nowhere.complaints[0] ?? '')], [1, true])
  })

  it('keeps its shape through migrations: columns and indexes of a distributed table', async (t) => {
    const { db } = await opened(t)
    const id = randomUUID()
    await db.transaction().execute(async (transaction) => {
      await sql`alter table vote add column "note" text`.execute(transaction)
      await sql`create index vote_note on vote ("note")`.execute(transaction)
      await sql`insert into vote values (${id}, ${id}, 1, 'n')`.execute(transaction)
    })
    await sql`create index concurrently follow_state on follow ("state")`.execute(db)
    const { rows } = await sql`select "note" from vote where "targetId" = ${id}`.execute(db)
    assert.deepEqual(rows, [{ note: 'n' }])
  })

  it('is left by a move to SQLite, and reached by a move to its coordinator', async (t) => {
    const world = await opened(t)
    const { bug } = await live(world)
    const dataDir = await temporaryDirectory(t)
    const file = join(dataDir, 'guildhall.db')
    const { config } = world.dependencies
    assert.equal((await runCommand(move, config, { database: file })).code, 0)
    await world.alice.bugs.vote({ id: bug, value: 1 })
    assert.equal((await runCommand(move, config, { database: file, finish: true })).code, 0)
    const place = { databaseUrl: file, blobUrl: config.blobUrl }
    await withWorldOn(place, async (moved) => {
      assert.deepEqual(await complaintsAbout(moved), [])
      assert.equal((await moved.anonymous.bugs.get({ id: bug })).score, 2)
    })
    const back = await makeEmpty(cluster.url, 'moved_back')
    assert.equal((await runCommand(move, { ...config, databaseUrl: file }, { database: back, finish: true })).code, 0)
    assert.equal((await distributeIn(back)).code, 0)
    await withWorldOn({ databaseUrl: back, blobUrl: config.blobUrl }, async (moved) => {
      assert.deepEqual(await complaintsAbout(moved), [])
      assert.equal((await moved.anonymous.bugs.get({ id: bug })).score, 2)
    })
  })

  it('has a point of restoring that is the same on every node', async (t) => {
    const { db } = await opened(t)
    const { rows } = await sql<{ at: string }>`select citus_create_restore_point('before') as at`.execute(db)
    assert.match(String(required(rows[0]).at), /^[0-9A-F]+\/[0-9A-F]+$/)
  })

  it('goes on without a node: what others hold is read and written, the rest is 503, and nothing acknowledged is lost', async (t) => {
    const world = await opened(t)
    const people = Array.from({ length: 6 }, (_, n) => world.person(`voter${n}`))
    for (const person of people) await person.account()
    const load = await votingOn(world, people)
    const { on, off } = await placesOf(world, load.bugs, cluster.port(2))
    assert.ok(on.length > 0 && off.length > 0)
    await until('every bug has votes', () => load.seen.size === load.bugs.length)
    cluster.kill(2)
    await until('votes on it are refused', () => statusesOf(load, on).some((said) => said.includes('503')))
    load.forget()
    await until('votes go on', () => load.seen.size === load.bugs.length)
    assert.deepEqual(new Set(statusesOf(load, off)), new Set(['200']), 'what other nodes hold')
    assert.deepEqual(new Set(statusesOf(load, on)), new Set(['503']), 'what it held')
    const [reader] = people
    assert.equal((await required(reader).bugs.get({ id: required(off[0]) })).id, off[0])
    assert.equal((await world.anonymous.bugs.get({ id: required(on[0]) })).id, on[0], 'the thing itself is not on it')
    await cluster.start(2)
    load.forget()
    await until('votes on it are taken again', () => statusesOf(load, on).every((said) => said.includes('200')))
    await load.end()
    await sql`select recover_prepared_transactions()`.execute(world.db)
    await keepsWhatItAcknowledged(world, load)
    assert.deepEqual(await complaintsAbout(world), [])
  })
})
