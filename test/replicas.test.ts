// Two streaming replicas take reads (DATABASE_READ_URL): one that is paused, stopped, silent or promoted is left out and comes back, and
// reads go on at the other; the fastest that is good for a read gets it, and time does not go backwards in a request.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { PRIMARY_STATE } from '../src/database/replica-position.ts'
import { stats } from '../src/operator/stats.ts'
import { required } from '../src/runtime/untyped.ts'
import { runCommand } from './operator.ts'
import { LISTS } from './processes.ts'
import {
  type Community,
  compareUnderWrites,
  complaintOf,
  eventually,
  isUsed,
  noPrograms,
  PAUSE,
  primaryReads,
  REPORT,
  RESUME,
  readsOf,
  replicated,
  type Store,
  settle,
  until,
} from './replicated.ts'
import type { Cluster } from './standby.ts'
import { openProxy, type TcpProxy } from './tcp-proxy.ts'

const ROUNDS = 10

const countTags = async ({ db }: Store): Promise<number> =>
  required((await sql<{ count: number }>`select count(*) from "itemTag"`.execute(db)).rows[0]).count

/** Adds a row of which no trigger tells the processes: so a replica without it seems to be as good as one that has it. */
async function addTag(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`set session_replication_role = replica;
    insert into "itemTag" ("itemId", tag) values (gen_random_uuid()::text, 'tag')`)
  await client.end()
}

const at = (port: number) => (url: string) => url.replace(/:\d+\//, `:${port}/`)

describe('two replicas of PostgreSQL', { skip: noPrograms }, () => {
  const { standby, newDatabase, openStore, withProcesses } = replicated(2)

  /** Both replicas behind lines that can be cut, delayed or silent. */
  async function withLines(t: TestContext, work: (community: Community, lines: [TcpProxy, TcpProxy]) => Promise<void>) {
    const [first, second] = standby().replicas as [Cluster, Cluster]
    const lines: [TcpProxy, TcpProxy] = [
      await openProxy(t, { host: '127.0.0.1', port: first.port }),
      await openProxy(t, { host: '127.0.0.1', port: second.port }),
    ]
    const urls = (database: string) => lines.map(({ port }) => at(port)(standby().replica.url(database)))
    await withProcesses(t, 1, (community) => work(community, lines), urls)
  }

  /** What is read is what the primary has, and only the replica `other` of the two takes reads. */
  async function goesOn(community: Community, other: number): Promise<void> {
    const { processes, truth, store } = community
    const [bad, taken] = [readsOf(store, 1 - other), readsOf(store, other)]
    assert.ok(!isUsed(store, 1 - other))
    await eventually(async () => {
      await processes[0]!.send('POST', '/api/community/bugs', REPORT)
      await sleep(400)
      for (const path of LISTS) assert.equal(await processes[0]!.get(path), await truth.get(path), path)
      return readsOf(store, other) > taken
    }, 'the other replica takes reads')
    assert.equal(readsOf(store, 1 - other), bad, 'and the one that is left out takes none')
  }

  it('share reads; one that is paused is left out and comes back, and both paused leave all to the primary', (t) =>
    withProcesses(t, 1, async (community) => {
      const { processes, truth, store, told } = community
      const [first, second] = standby().replicas
      await settle(community)
      for (const [number, replica] of [first!, second!].entries()) {
        await replica.run(PAUSE)
        await processes[0]!.send('POST', '/api/community/bugs', REPORT)
        await until(() => /more than 1 s behind/.test(complaintOf(store, number) ?? ''), 'the lag is told')
        await goesOn(community, 1 - number)
        assert.ok(told.some(([name, complaint]) => name.endsWith(`:${replica.port}`) && complaint !== undefined))
        await replica.run(RESUME)
        await settle(community)
      }
      await Promise.all([first!, second!].map((replica) => replica.run(PAUSE)))
      await processes[0]!.send('POST', '/api/community/bugs', REPORT)
      await until(() => !isUsed(store, 0) && !isUsed(store, 1), 'neither is used')
      const [taken, unavailable] = [readsOf(store), primaryReads(store, 'unavailable')]
      await processes[0]!.send('POST', '/api/community/bugs', REPORT)
      for (const path of LISTS) assert.equal(await processes[0]!.get(path), await truth.get(path), path)
      assert.equal(readsOf(store), taken)
      assert.ok(primaryReads(store, 'unavailable') > unavailable)
    }))

  it('go on one without the other while that is stopped; each has its name in /readyz and /metrics', (t) =>
    withProcesses(t, 1, async (community) => {
      const { world, store } = community
      const [first, second] = standby().replicas
      const get = async (path: string) => (await world.app.fetch(new Request(`http://localhost:3000${path}`))).text()
      await first!.stop()
      await until(() => !isUsed(store, 0), 'it is not used')
      await goesOn(community, 1)
      // At first a connection was lost; the next question says why there is none.
      const isRefused = new RegExp(`^ready\n(.*\n)*replica 127.0.0.1:${first!.port}: .*ECONNREFUSED`)
      await eventually(async () => isRefused.test(await get('/readyz')), 'it is refused')
      const [details, figures] = [await get('/readyz'), await get('/metrics')]
      assert.match(details, new RegExp(`\nreplica 127.0.0.1:${second!.port}: `))
      assert.match(figures, new RegExp(`guildhall_replica_used{replica="127.0.0.1:${first!.port}"} 0`))
      assert.match(figures, new RegExp(`guildhall_replica_used{replica="127.0.0.1:${second!.port}"} [01]`))
      const taken = new RegExp(`reads_total{server="replica",reason="",replica="127.0.0.1:${second!.port}"} [1-9]`)
      assert.match(figures, taken)
      await first!.start()
      await until(() => isUsed(store, 0), 'it is used again')
    }))

  it('are named by `npm run admin -- stats`, with what they do not have yet, or why they take no reads', (t) =>
    withProcesses(t, 1, async ({ world, database }) => {
      const [first, second] = standby().replicas
      const urls = [first!.url(database), second!.url('postgres'), standby().primary.url(database)]
      const away = 'postgres://guild:hunter2@127.0.0.1:1/x'
      const config = { ...world.dependencies.config, databaseReadUrls: [...urls, away] }
      await standby().caughtUp()
      const { results } = await runCommand(stats, config)
      const { replicas } = results[0] as { replicas: { name: string; bytesBehind?: number; complaint?: string }[] }
      assert.deepEqual(
        replicas.map(({ name }) => name),
        [first!.port, second!.port, standby().primary.port, 1].map((port) => `127.0.0.1:${port}`),
      )
      assert.ok(replicas[0]!.bytesBehind! >= 0)
      assert.match(replicas[1]!.complaint!, /another database/)
      assert.equal(replicas[2]!.complaint, 'it is the primary')
      assert.match(replicas[3]!.complaint!, /ECONNREFUSED/)
      assert.doesNotMatch(JSON.stringify(results), /hunter2/)
    }))

  it('go on one without the other while that is silent, ten times', (t) =>
    withLines(t, async (community, lines) => {
      const { processes, truth, store } = community
      for (let round = 0; round < ROUNDS; round++) {
        await settle(community)
        const number = round % 2
        await processes[0]!.send('POST', '/api/community/bugs', REPORT)
        await settle(community)
        lines[number]!.set('silent')
        await Promise.all(
          LISTS.map(async (path) => assert.equal(await processes[0]!.get(path), await truth.get(path), path)),
        )
        await until(() => !isUsed(store, number), 'it is not used')
        if (round < 2) await goesOn(community, 1 - number)
        lines[number]!.set('open')
        await until(() => isUsed(store, number), 'it is used again')
      }
    }))

  it('are asked for by what they took: the one with a long line gets few reads', (t) =>
    withLines(t, async (community, lines) => {
      const { store } = community
      lines[0].delay(60)
      // Its slow answers are known after some beats.
      await sleep(2_000)
      await eventually(async () => {
        await settle(community)
        const [slow, fast] = [readsOf(store, 0), readsOf(store, 1)]
        for (let turn = 0; turn < 50; turn++) {
          await store.replicas.reading(() => sql`select count(*) from bug`.execute(store.db))
        }
        return readsOf(store, 0) - slow < 5 && readsOf(store, 1) - fast >= 40
      }, 'the fast one takes them')
    }))

  it('never take a read of a request back to before what it has seen at the other, ten times', (t) =>
    withLines(t, async (community, lines) => {
      let tried = 0
      await eventually(
        async () => {
          if (await triesToGoBack(community, lines)) tried++
          return tried === ROUNDS
        },
        'ten rounds in which the older one was good for the read',
        240_000,
      )
    }))

  /** Reads on the first replica what the second does not have and nobody told of; returns whether the second was good for the next read. */
  async function triesToGoBack(community: Community, lines: [TcpProxy, TcpProxy]): Promise<boolean> {
    const { store, database } = community
    const second = standby().replicas[1]!
    lines[1].delay(20)
    await settle(community)
    await second.run(PAUSE)
    try {
      const isRight = await store.replicas.reading(async () => {
        await addTag(standby().primary.url(database))
        const taken = readsOf(store, 0)
        const seen = await countTags(store)
        if (readsOf(store, 0) !== taken + 1) return false
        lines[0].set('silent')
        // Others wait for the first until the second is expected to answer sooner.
        const others = Array.from({ length: 200 }, () => store.replicas.reading(() => countTags(store)))
        for (const other of others) other.catch(() => {})
        await sleep(100)
        const isGood = isUsed(store, 1)
        const next = await countTags(store)
        assert.ok(next >= seen, `${next} after ${seen} in ${database}`)
        return isGood
      })
      return isRight
    } finally {
      lines[0].set('open')
      await second.run(RESUME)
    }
  }

  it('let a long request go on at the other, once that has all that the request can have seen', (t) =>
    withLines(t, async (community, lines) => {
      const { store } = community
      const read = () => sql`select count(*) from bug`.execute(store.db)
      await eventually(async () => {
        await settle(community)
        const moved = await store.replicas.reading(async () => {
          const before = [readsOf(store, 0), readsOf(store, 1)] as const
          await read()
          const place = readsOf(store, 0) > before[0] ? 0 : 1
          if (readsOf(store, place) === before[place]) return false
          lines[place]!.set('cut')
          await until(() => !isUsed(store, place), 'it is not used')
          const asked = performance.now()
          const lag = () => store.replicas.each[1 - place]!.lagSeconds() ?? Number.POSITIVE_INFINITY
          await until(() => lag() < (performance.now() - asked) / 1_000, 'the other has all of it')
          await read()
          return readsOf(store, 1 - place) > before[1 - place]!
        })
        for (const line of lines) line.set('open')
        return moved
      }, 'the other takes the next read')
    }))

  it('cost the primary one question four times a second, however many there are', async (t) => {
    const { store } = openStore(t, await newDatabase())
    const ask = t.mock.method(store.changes, 'ask')
    const began = performance.now()
    await until(() => isUsed(store, 0) && isUsed(store, 1), 'both are used')
    await sleep(3_000)
    const asked = ask.mock.calls.filter(({ arguments: [statement] }) => statement === PRIMARY_STATE).length
    assert.ok(asked > 2 && asked <= (performance.now() - began) / 250 + 2, `${asked} questions`)
  })

  it('may have the primary among their addresses, as after a failover: it is no fault, and no alert', async (t) => {
    const database = await newDatabase()
    const { store } = openStore(t, database, [standby().primary.url(database), standby().replica.url(database)])
    await until(() => store.replicas.each[0]!.isPrimary() && isUsed(store, 1), 'it is known')
    assert.equal(complaintOf(store, 0), 'it is the primary')
    assert.equal(store.replicas.each[1]!.isPrimary(), false)
  })

  it('never show anything but what is on the primary, however they pause and resume', (t) =>
    withProcesses(t, 2, (community) => compareUnderWrites(community, standby())))

  // The last one: the first is none after it.
  it('go on one without the other once that is promoted', (t) =>
    withProcesses(t, 1, async (community) => {
      const { store } = community
      await standby().replica.run('select pg_promote()')
      await until(() => /timeline|a primary itself/.test(complaintOf(store, 0) ?? ''), 'it is not used')
      await goesOn(community, 1)
      assert.equal(store.replicas.each[0]!.isPrimary(), false)
    }))
})
