// A line that is cut, falls silent or is slow stands between the server and PostgreSQL, S3 and the mail server: what was acknowledged is
// there, what was not is there once or not at all, and no call waits longer than the timeouts say.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '../src/database/open.ts'
import { openMailer } from '../src/mail/mail.ts'
import { openOutbox } from '../src/mail/outbox.ts'
import { openLog } from '../src/runtime/log.ts'
import { type Open, onEngines, onPostgres } from './databases.ts'
import { orgFile } from './library.ts'
import { openObjectStorage } from './object-storage.ts'
import { smtpServer } from './smtp-server.ts'
import { assertSound } from './sound.ts'
import { openProxy } from './tcp-proxy.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld, onEveryEngine, type World } from './world.ts'

/** The longest that a call takes which waits for nothing, on a busy machine. */
const AT_ONCE_MILLISECONDS = 10_000
const DAY = 86_400

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Votes in turn while something else does not answer. */
async function assertVotesGoOn({ alice, bob }: World): Promise<void> {
  const { id } = await alice.bugs.create({ title: 'T', description: 'D', severity: 'low' })
  for (const value of [1, -1, 0, 1] as const) {
    const took = await millisecondsOf(() => bob.bugs.vote({ id, value }))
    assert.ok(took < AT_ONCE_MILLISECONDS, `a vote took ${took} ms`)
  }
}

describe('an object storage with a bad line', () => {
  let storage: Awaited<ReturnType<typeof openObjectStorage>>
  before(async () => {
    storage = await openObjectStorage()
  })
  after(() => storage.close())

  /** A world whose bucket is behind a line, and counts as away after so many seconds of silence. */
  async function openWorld(t: TestContext, open: Open, timeout: number) {
    const database = await open()
    const url = new URL(storage.url(await temporaryDirectory(t), randomBytes(8).toString('hex')))
    const proxy = await openProxy(t, {
      host: '127.0.0.1',
      port: Number(new URL(url.searchParams.get('endpoint')!).port),
    })
    url.searchParams.set('endpoint', `http://127.0.0.1:${proxy.port}`)
    url.searchParams.set('timeout', String(timeout))
    const world = await makeWorld(database, { BLOB_URL: url.href })
    t.after(async () => {
      storage.gate = () => undefined
      world.dependencies.blobs.close()
      await database.remove()
    })
    await Promise.all([world.alice.account(), world.bob.account()])
    return { ...world, proxy }
  }

  onEngines('a line', (open) => {
    it('that is silent delays no other request', async (t) => {
      const world = await openWorld(t, open, 60)
      const { alice, proxy } = world
      // The bytes arrive, and from then on nothing is heard, until the test ends it: a late upload must not begin it again.
      let isOver = false
      storage.gate = (request, response) => {
        if (request.method === 'PUT') response.once('close', () => isOver || proxy.set('silent'))
        return false
      }
      const publishing = alice.library.publish({ kind: 'org', file: orgFile({ name: 'First' }) })
      await Promise.race([publishing, setTimeout(1_000)])
      const second = alice.library.publish({ kind: 'org', file: orgFile({ name: 'Second' }) })
      await assertVotesGoOn(world)
      isOver = true
      storage.gate = () => undefined
      proxy.set('open')
      await Promise.all([publishing, second])
      await assertSound(world)
    })

    it('is 503 when the timeouts are over, and nothing is left behind', async (t) => {
      const world = await openWorld(t, open, 0.5)
      const { alice, proxy } = world
      const publish = () =>
        alice.library.publish({ kind: 'org', file: orgFile({ name: 'Once' }), visibility: 'public' })
      for (const state of ['silent', 'cut'] as const) {
        proxy.set(state)
        const took = await millisecondsOf(() => assert.rejects(publish(), { status: 503 }))
        // Three attempts with the pauses between them.
        assert.ok(took < 3 * 500 + AT_ONCE_MILLISECONDS, `${state}: ${took} ms`)
      }
      proxy.set('open')
      proxy.delay(50)
      const { id } = await publish()
      const { items } = await alice.library.list({ kind: 'org' })
      assert.deepEqual(
        items.map((item) => item.id),
        [id],
      )
      await assertSound(world)
    })

    it('delays only uploads of the bytes that it does not remove', async (t) => {
      const world = await openWorld(t, open, 60)
      const { alice, app, clock } = world
      const create = () => alice.orgs.create({ orgJson: JSON.stringify({ name: 'Same', roles: [{ id: 'solo' }] }) })
      const { id } = await create()
      await alice.orgs.delete({ id })
      clock.pass(2 * DAY)
      const deletion = Promise.withResolvers<[IncomingMessage, ServerResponse]>()
      storage.gate = (request, response) => {
        if (request.method === 'DELETE') deletion.resolve([request, response])
        return request.method === 'DELETE'
      }
      const sweeping = app.cleanUp()
      const [request, response] = await deletion.promise
      await assertVotesGoOn(world)
      const took = await millisecondsOf(() => assert.rejects(create(), { status: 503 }))
      assert.ok(took < 10_000 + AT_ONCE_MILLISECONDS, `${took} ms`)
      storage.gate = () => undefined
      storage.handle(request, response)
      await sweeping
      const again = await create()
      assert.equal((await alice.orgs.definition({ id: again.id })).status, 200)
      await assertSound(world)
    })
  })
})

onPostgres('PostgreSQL with a bad line', (postgresDatabase) => {
  async function openWorld(t: TestContext, parameters: Record<string, string> = {}) {
    const database = await postgresDatabase()
    const url = new URL(database.url)
    const proxy = await openProxy(t, { host: url.hostname, port: Number(url.port || 5432) })
    url.hostname = '127.0.0.1'
    url.port = String(proxy.port)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    const store = await openDatabase(url.href)
    const world = await makeWorld({ ...store, url: url.href }, { BLOB_URL: `file:${await temporaryDirectory(t)}` })
    t.after(async () => {
      proxy.set('cut')
      await store.db.destroy()
      await database.remove()
    })
    return { world, proxy, database }
  }

  it('has every post that was acknowledged, and of the others each once or not at all', async (t) => {
    const { world, proxy, database } = await openWorld(t)
    const people = Array.from({ length: 6 }, (_, index) => world.person(`writer-${index}`))
    await Promise.all(people.map((person) => person.account()))
    const acknowledged = new Set<string>()
    let isOver = false
    const write = async (index: number) => {
      for (let n = 0; !isOver; n++) {
        const title = `${index} ${n}`
        const took = await millisecondsOf(() =>
          people[index]!.posts.create({ title, body: 'B' }).then(
            () => acknowledged.add(title),
            (error: { status: number }) => assert.equal(error.status, 503),
          ),
        )
        assert.ok(took < AT_ONCE_MILLISECONDS, `${title}: ${took} ms`)
        await setTimeout(5)
      }
    }
    const fourMore = async () => {
      const before = acknowledged.size
      while (acknowledged.size < before + 4) await setTimeout(10)
    }
    const writing = Promise.all(people.map((_, index) => write(index)))
    for (let round = 0; round < 6; round++) {
      await fourMore()
      proxy.set('silent')
      await setTimeout(100)
      proxy.set(round % 2 === 0 ? 'cut' : 'open')
      await setTimeout(50)
      proxy.set('open')
      proxy.delay(round % 3 === 0 ? 10 : 0)
    }
    await fourMore()
    isOver = true
    await writing
    const rows = await database.db.selectFrom('post').select('title').execute()
    const titles = rows.map(({ title }) => title)
    assert.equal(new Set(titles).size, titles.length, 'none is there twice')
    assert.deepEqual(
      [...acknowledged].filter((title) => !titles.includes(title)),
      [],
    )
    await assertSound({ ...world, db: database.db })
  })

  it('has every vote that was acknowledged, though those of many share a transaction, and of the others each once or not at all', async (t) => {
    const { world, proxy, database } = await openWorld(t)
    const people = Array.from({ length: 8 }, (_, index) => world.person(`voter-${index}`))
    const accounts = await Promise.all(people.map((person) => person.account()))
    const posts = await Promise.all(
      Array.from({ length: 5 }, (_, n) => world.alice.posts.create({ title: `${n}`, body: 'B' })),
    )
    /** What each person's vote may be, by post and account: one value, or all since the last that was acknowledged. */
    const possible = new Map<string, Set<number>>()
    let acknowledged = 0
    let isOver = false
    const cast = async (index: number) => {
      for (let n = 0; !isOver; n++) {
        const { id } = posts[n % posts.length]!
        const key = `${id} ${accounts[index]!.id}`
        const value = ([1, -1, 0] as const)[(n + index) % 3]!
        const before = possible.get(key) ?? new Set([0])
        possible.set(key, new Set([...before, value]))
        await people[index]!.posts.vote({ id, value }).then(
          () => {
            acknowledged++
            possible.set(key, new Set([value]))
          },
          (error: { status: number }) => {
            assert.equal(error.status, 503)
            return setTimeout(5)
          },
        )
      }
    }
    const casting = Promise.all(people.map((_, index) => cast(index)))
    for (let round = 0; round < 8; round++) {
      const before = acknowledged
      while (acknowledged < before + 20) await setTimeout(5)
      proxy.set(round % 2 === 0 ? 'cut' : 'silent')
      await setTimeout(20)
      proxy.set('cut')
      await setTimeout(20)
      proxy.set('open')
    }
    isOver = true
    await casting
    const votes = await database.db.selectFrom('vote').selectAll().execute()
    const stored = new Map(votes.map(({ targetId, userId, value }) => [`${targetId} ${userId}`, value]))
    for (const [key, values] of possible) assert.ok(values.has(stored.get(key) ?? 0), `${key}: ${stored.get(key)}`)
    for (const { id } of posts) {
      const sum = votes.filter(({ targetId }) => targetId === id).reduce((total, { value }) => total + value, 0)
      const { score } = await database.db
        .selectFrom('post')
        .select('score')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      assert.equal(score, sum)
    }
    await assertSound({ ...world, db: database.db })
  })

  it('that says nothing is 503 when the timeout of its address is over', async (t) => {
    const { world, proxy } = await openWorld(t, { query_timeout: '1000' })
    const { alice } = world
    await alice.posts.create({ title: 'Before', body: 'B' })
    proxy.set('silent')
    const write = () => alice.posts.create({ title: 'Then', body: 'B' })
    const took = await millisecondsOf(() => assert.rejects(write(), { status: 503 }))
    assert.ok(took < 1_000 + AT_ONCE_MILLISECONDS, `${took} ms`)
  })
})

onEveryEngine('a mail server with a bad line', (each) => {
  each('gets every mail in the end, and no request waits for it', async (world) => {
    const { db, clock, anonymous, alice, dependencies } = world
    await alice.account()
    await dependencies.outbox.flush()
    const taken: string[] = []
    const server = smtpServer((text) => void taken.push(text)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const ends: (() => void)[] = []
    const proxy = await openProxy(
      { after: (end) => void ends.push(end as () => void) },
      {
        host: '127.0.0.1',
        port: (server.address() as AddressInfo).port,
      },
    )
    const mailer = openMailer(`smtp://127.0.0.1:${proxy.port}`, {
      name: 'Guildhall',
      from: 'hello@guild.example',
      baseUrl: 'https://guild.example',
    })
    const { secretFor } = dependencies
    Object.assign(
      dependencies.outbox,
      openOutbox({ site: { name: 'Guildhall' }, db, mailer, clock, log: openLog('silent'), secretFor }),
    )
    try {
      for (const state of ['silent', 'cut'] as const) {
        proxy.set(state)
        const took = await millisecondsOf(() => anonymous.accounts.sendCode({ email: alice.email }))
        assert.ok(took < AT_ONCE_MILLISECONDS, `${state}: ${took} ms`)
        const sending = dependencies.outbox.flush()
        await setTimeout(100)
        proxy.set('cut')
        await sending
        clock.pass(31)
      }
      assert.deepEqual(taken, [])
      proxy.set('open')
      proxy.delay(20)
      clock.pass(60)
      await dependencies.outbox.flush()
      await dependencies.outbox.flush()
      assert.equal(taken.length, 2)
    } finally {
      mailer.close()
      for (const end of ends) end()
      server.close()
    }
  })
})
