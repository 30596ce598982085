// One time, not that of the clocks of the machines: three processes on one PostgreSQL whose clocks differ, and on both engines a clock that
// jumps by an hour. Nobody misses a notification, no limit lets more through, and nothing that is valid is refused.
import assert from 'node:assert/strict'
import { describe, it as plainIt, type TestContext } from 'node:test'
import { type Api, api } from '../src/api.ts'
import { createApp } from '../src/app.ts'
import { keepTime } from '../src/database/open.ts'
import { openPostgres } from '../src/database/postgres.ts'
import { KeptClock } from '../src/runtime/clock.ts'
import { type Client, connect } from '../src/surfaces/client.ts'
import { CookieJar } from './cookies.ts'
import { type Open, onEngines, onPostgres, sqliteDatabase } from './databases.ts'
import { workflowFile } from './library.ts'
import { oauthClient } from './oauth.ts'
import { startServer, withFolder } from './server.ts'
import { temporaryDirectory } from './temporary.ts'
import { BASE_URL, makeWorld, type World } from './world.ts'

const HOUR = 3_600
const DIFFERENCES = { '25 seconds': 25, 'five minutes': 300, 'an hour': HOUR }
const PASSWORD = 'a long enough password'

/** A member whose requests go to the process that the test names. */
interface Roamer {
  id: string
  email: string
  at(place: number): Client<Api>
}

interface Processes {
  worlds: World[]
  join(name: string): Promise<Roamer>
  /** Delivers what waits, at one of the processes. */
  deliver(place: number): Promise<void>
}

async function withProcesses(
  t: TestContext,
  { open, difference }: { open: Open; difference: number },
  work: (processes: Processes) => Promise<void>,
): Promise<void> {
  const database = await open()
  const blobs = await temporaryDirectory(t)
  const stores = await Promise.all([0, 1, 2].map(() => openPostgres(database.url, { connections: 3 })))
  const worlds: World[] = []
  for (const { sync: _, ...store } of stores) {
    const place = worlds.length
    const world = await makeWorld(
      { ...store, url: database.url },
      { BLOB_URL: `file:${blobs}`, RATE_LIMITS: 'on' },
      { keep: (machine) => new KeptClock(machine) },
    )
    world.clock.jump((place - 1) * difference)
    await keepTime(world.dependencies.clock as KeptClock, store)
    worlds.push(world)
  }
  await Promise.all(stores.map((store) => store.join()))
  let joined = 0
  const join = async (name: string): Promise<Roamer> => {
    const jar = new CookieJar()
    const email = `${name}@example.com`
    const at = (place: number) => {
      const { app } = worlds[place]!
      return connect(api, { baseUrl: BASE_URL, fetch: async (request) => jar.take(await app.fetch(jar.give(request))) })
    }
    const { user } = await at(joined++ % 3).accounts.signUp({ name, email, password: PASSWORD })
    return { id: user.id, email, at }
  }
  const deliver = (place: number) => worlds[place]!.app.deliver()
  try {
    await work({ worlds, join, deliver })
  } finally {
    for (const { db } of stores) await db.destroy()
    await database.remove()
  }
}

const places = [0, 1, 2]
const pairs = places.flatMap((one) => places.map((other) => [one, other] as const))

for (const [words, difference] of Object.entries(DIFFERENCES)) {
  onPostgres(`three processes whose clocks differ by ${words}`, (open) => {
    plainIt('tell followers and authors of everything', (t) =>
      withProcesses(t, { open, difference }, async ({ worlds, join, deliver }) => {
        const [author, reader] = [await join('ada'), await join('bert')]
        await worlds[0]!.db.updateTable('user').set({ emailVerifiedAt: new Date().toISOString() }).execute()
        await author.at(0).profile.setUsername({ username: 'ada' })
        const told = async (who: Roamer) => (await who.at(1).notifications.list({ per_page: 100 })).items
        for (const [n, [here, there]] of pairs.entries()) {
          const bug = { title: `Bug ${n}`, description: 'It stops', severity: 'low' } as const
          const { id } = await author.at(here).bugs.create(bug)
          await reader.at(there).bugs.comment({ id, body: `Comment ${n}` })
          await reader.at(there).follows.set({ id: author.id, state: 'following' })
          const post = await author.at(here).posts.create({ title: `Post ${n}`, body: 'B' })
          await deliver(n % 3)
          assert.ok(
            (await told(author)).some(({ target }) => target?.id === id),
            `the author, ${here} ${there}`,
          )
          assert.ok(
            (await told(reader)).some(({ target }) => target?.id === post.id),
            `the follower, ${here} ${there}`,
          )
          await reader.at(here).follows.set({ id: author.id, state: 'none' })
        }
      }),
    )

    plainIt('count uploads and wrong passwords together', (t) =>
      withProcesses(t, { open, difference }, async ({ join }) => {
        const member = await join('ada')
        const publish = (n: number) => member.at(n % 3).library.publish({ kind: 'workflow', file: workflowFile() })
        const stranger = await join('bert')
        for (let n = 0; n < 30; n++) await publish(n)
        for (const n of places) await assert.rejects(publish(n), { code: 'rate_limited' })
        const signIn = (n: number, password: string) =>
          stranger.at(n % 3).accounts.signIn({ email: member.email, password })
        for (let n = 0; n < 10; n++) await assert.rejects(signIn(n, 'not the password'), { status: 401 })
        for (const n of places) await assert.rejects(signIn(n, PASSWORD), { status: 429 })
      }),
    )

    plainIt('take codes and refresh tokens of each other', (t) =>
      withProcesses(t, { open, difference }, async ({ worlds, join }) => {
        for (const [n, [here, there]] of pairs.entries()) {
          const { email, at } = await join(`member${n}`)
          await at(here).accounts.sendCode({ email })
          const code = await worlds[here]!.code(email)
          assert.equal((await at(there).accounts.signInWithCode({ email, code })).user.email, email)
        }
        const { alice } = worlds[0]!
        for (const [here, there] of pairs) {
          const clientId = await oauthClient(worlds[here]!).register()
          const { refresh_token: first } = await oauthClient(worlds[0]!).signIn(alice, {
            clientId,
            scope: 'community:read offline_access',
          })
          const [one, again] = [
            await oauthClient(worlds[here]!).refresh(clientId, first),
            await oauthClient(worlds[there]!).refresh(clientId, first),
          ]
          assert.deepEqual([one.status, again.status], [200, 200], `${here} ${there}`)
          assert.equal(again.refresh_token, one.refresh_token)
        }
      }),
    )

    plainIt('let three claims through, not more', (t) =>
      withProcesses(t, { open, difference }, async ({ worlds, join }) => {
        const { email } = await join('ada')
        const clientId = await oauthClient(worlds[0]!).register()
        const statuses: number[] = []
        for (let n = 0; n < 5; n++) {
          statuses.push((await oauthClient(worlds[n % 3]!).claim(email, 'community:read', clientId)).status)
        }
        assert.deepEqual(statuses.slice(0, 3), [200, 200, 200])
        assert.ok(
          statuses.slice(3).every((status) => status === 429),
          String(statuses),
        )
      }),
    )

    plainIt('remove nothing that is valid when one of them restarts', (t) =>
      withProcesses(t, { open, difference }, async ({ worlds, join }) => {
        const { email, at } = await join('ada')
        await at(1).accounts.sendCode({ email })
        const code = await worlds[1]!.code(email)
        for (const name of ['bert', 'cleo']) await join(name)
        for (const { dependencies } of worlds) await createApp(dependencies).cleanUp()
        assert.equal((await at(0).accounts.signInWithCode({ email, code })).user.email, email)
      }),
    )
  })
}

/** A world whose clock is kept as that of a server, on each engine. */
const onEachEngine = (sentence: string, work: (world: World) => Promise<void>, settings = {}) => {
  onEngines('the clock', (open) => {
    plainIt(sentence, async (t) => {
      const database = await open()
      try {
        const BLOB_URL = `file:${await temporaryDirectory(t)}`
        const world = await makeWorld(
          database,
          { BLOB_URL, ...settings },
          { keep: (machine) => new KeptClock(machine) },
        )
        const { time } = database as { time?: Parameters<typeof keepTime>[1]['time'] }
        await keepTime(world.dependencies.clock as KeptClock, { db: database.db, ...(time && { time }) })
        await work(world)
      } finally {
        await database.remove()
      }
    })
  })
}

describe('a clock that jumps by an hour', () => {
  for (const jump of [HOUR, -HOUR]) {
    const words = jump > 0 ? 'ahead' : 'back'
    onEachEngine(`loses no notification when it goes ${words}, and when it goes on from there`, async (world) => {
      const { alice, bob, app, clock } = world
      for (const [n, by] of [0, jump, -jump].entries()) {
        const { id } = await alice.posts.create({ title: `Post ${n}`, body: 'B' })
        clock.jump(by)
        await bob.posts.comment({ id, body: 'C' })
        await app.deliver()
        const { items } = await alice.notifications.list({})
        assert.ok(
          items.some(({ target }) => target?.id === id),
          `jump ${n}`,
        )
      }
    })

    onEachEngine(`takes a code that is valid when it goes ${words}`, async (world) => {
      const { alice, anonymous, clock } = world
      const { email } = await alice.account()
      clock.jump(HOUR)
      await anonymous.accounts.sendCode({ email })
      const code = await world.code(email)
      clock.jump(jump - HOUR)
      if (jump < 0) assert.equal((await anonymous.accounts.signInWithCode({ email, code })).user.email, email)
      await anonymous.accounts.sendCode({ email })
      assert.ok((await anonymous.accounts.signInWithCode({ email, code: await world.code(email) })).user)
    })
  }

  plainIt('on SQLite: a process that starts after it went back has no earlier time than what is stored', async (t) => {
    const database = await sqliteDatabase()
    t.after(() => database.remove())
    const settings = { BLOB_URL: `file:${await temporaryDirectory(t)}` }
    const world = await makeWorld(database, settings, { keep: (machine) => new KeptClock(machine) })
    world.clock.jump(HOUR)
    const { createdAt } = await world.alice.posts.create({ title: 'Of then', body: 'B' })
    world.clock.jump(-HOUR)
    const restarted = await makeWorld(database, settings, { keep: (machine) => new KeptClock(machine) })
    await keepTime(restarted.dependencies.clock as KeptClock, { db: database.db })
    const { createdAt: next } = await restarted.bob.posts.create({ title: 'Of now', body: 'B' })
    assert.ok(next > createdAt, `${next} is not after ${createdAt}`)
  })
})

describe('a clock that is wrong', () => {
  const get = async ({ app }: World, path: string) => {
    const answer = await app.fetch(new Request(`${BASE_URL}${path}`))
    return { status: answer.status, text: await answer.text() }
  }
  onEachEngine('is named by /readyz and a figure above 5 s', async (world) => {
    world.dependencies.clock.now()
    assert.doesNotMatch((await get(world, '/readyz')).text, /clock/)
    world.clock.jump(-30)
    const { status, text } = await get(world, '/readyz')
    assert.equal(status, 200)
    assert.match(text, /^clock: this machine is (30\.\d|29\.\d) s behind /m)
    assert.match((await get(world, '/metrics')).text, /^guildhall_clock_difference_seconds -(30|29)\b/m)
  })

  onEngines('above a minute', (open, engine) => {
    plainIt('leaves the work to other processes on PostgreSQL, and goes on where there is none', async (t) => {
      const database = await open()
      t.after(() => database.remove())
      const settings = { BLOB_URL: `file:${await temporaryDirectory(t)}` }
      const world = await makeWorld(database, settings, { keep: (machine) => new KeptClock(machine) })
      await keepTime(world.dependencies.clock as KeptClock, database)
      world.dependencies.clock.now()
      world.clock.jump(-59)
      assert.equal((await get(world, '/readyz')).status, 200)
      world.clock.jump(-3)
      assert.equal((await get(world, '/readyz')).status, engine === 'PostgreSQL' ? 503 : 200)
    })
  })

  onPostgres('a process', (open) =>
    plainIt('writes the time of PostgreSQL, and ids that name it', async () => {
      const database = await open()
      try {
        await withFolder(async (DATA_DIR) => {
          const server = await startServer({
            DATA_DIR,
            DATABASE_URL: database.url,
            CLOCK_SHIFT: '50',
            NODE_OPTIONS: `--import=${new URL('shifted-clock.ts', import.meta.url).href}`,
          })
          try {
            const body = JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: PASSWORD })
            const headers = { 'Content-Type': 'application/json' }
            const before = Date.now()
            const answer = await fetch(`${server.url}/api/auth/sign-up/email`, { method: 'POST', headers, body })
            const { user } = (await answer.json()) as { user: { id: string } }
            const { createdAt } = await database.db.selectFrom('user').select('createdAt').executeTakeFirstOrThrow()
            const made = Number.parseInt(user.id.replaceAll('-', '').slice(0, 12), 16)
            for (const moment of [made, Date.parse(createdAt)]) {
              assert.ok(moment > before - 5_000 && moment < Date.now() + 5_000, `${moment - before} ms from now`)
            }
          } finally {
            await server.end('SIGTERM')
          }
        })
      } finally {
        await database.remove()
      }
    }),
  )
})
