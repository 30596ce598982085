// What a member reads twice is sent again until something changes: for that session alone, and no longer than it lasts.
import assert from 'node:assert/strict'
import { memberOf } from '../../../test/processes.ts'
import { listening } from '../../../test/stored.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { openPostgres } from '../../database/postgres.ts'
import { openSqlite } from '../../database/sqlite.ts'
import { isPostgres } from '../../runtime/addresses.ts'

const FEED = '/api/community/feed'
const DAY = 86_400
const READY = 'ready'

interface Reader {
  get(path: string, headers?: Record<string, string>): Promise<{ status: number; text: string; by: string }>
  /** Reads until the answer is one that was kept, which takes as long as an engine that is busy needs to begin. */
  getReady(path: string): Promise<string>
  vote(id: string, value: number): Promise<void>
  cookie: string
}

type Work = (of: { world: World; bug: string; ada: Reader; eve: Reader; anonymous: Reader }) => Promise<void>

/** A bug, two members and an anonymous user at a server that tells what each answer was counted as. */
const reading = (work: Work) => async (world: World) => {
  const { id: bug } = await world.alice.bugs.create({ title: 'Crash', description: 'On start', severity: 'low' })
  const cookies = [(await memberOf(world, 'ada')).cookie, (await memberOf(world, 'eve')).cookie]
  let by = ''
  const observe = (operation: string) => {
    by = operation
  }
  await listening(
    world,
    async (port) => {
      const [ada, eve, anonymous] = [...cookies, ''].map((cookie) => readerAt(port, cookie, () => by))
      await work({ world, bug, ada: ada!, eve: eve!, anonymous: anonymous! })
    },
    observe,
  )
}

function readerAt(port: number, cookie: string, countedAs: () => string): Reader {
  const url = (path: string) => `http://127.0.0.1:${port}${path}`
  const own: Record<string, string> = cookie === '' ? {} : { Cookie: cookie }
  const get: Reader['get'] = async (path, headers = {}) => {
    const answer = await fetch(url(path), { headers: { ...own, ...headers }, redirect: 'manual' })
    return { status: answer.status, text: await answer.text(), by: countedAs() }
  }
  return {
    cookie,
    get,
    async getReady(path) {
      for (let tries = 0; tries < 100; tries++) {
        const { text, by } = await get(path)
        if (by === READY) return text
      }
      throw new Error(`${path} is not kept`)
    },
    async vote(id, value) {
      const body = JSON.stringify({ value })
      const headers = { ...own, 'Content-Type': 'application/json' }
      const answer = await fetch(url(`/api/community/bugs/${id}/vote`), { method: 'POST', headers, body })
      assert.equal(answer.status, 200)
    },
  }
}

const votesIn = (text: string): number[] => JSON.parse(text).items.map(({ myVote }: { myVote: number }) => myVote)

/** Changes the database as another process does that serves members. */
async function elsewhere({ databaseUrl }: World, change: (db: World['db']) => Promise<unknown>): Promise<void> {
  if (!isPostgres(databaseUrl)) {
    const { db } = openSqlite(databaseUrl, { synchronous: 'OFF' })
    await change(db)
    return db.destroy()
  }
  const store = openPostgres(databaseUrl, { connections: 1 })
  await store.join()
  await change(store.db)
  await store.db.destroy()
}

onEveryEngine(
  'what a member reads twice',
  (it) => {
    it(
      'is the same answer, with another id',
      reading(async ({ ada }) => {
        const first = await ada.get(FEED)
        assert.equal(first.by, 'feed.list')
        assert.equal(await ada.getReady(FEED), first.text)
      }),
    )

    it(
      'is of that member alone: others get what they voted themselves',
      reading(async ({ bug, ada, eve, anonymous }) => {
        await ada.vote(bug, 1)
        await eve.vote(bug, -1)
        for (const [reader, own] of [
          [ada, 1],
          [eve, -1],
        ] as const) {
          assert.deepEqual(votesIn(await reader.getReady(FEED)), [own])
          assert.deepEqual(votesIn((await anonymous.get(FEED)).text), [0])
        }
        assert.deepEqual(votesIn(await ada.getReady(FEED)), [1])
      }),
    )

    it(
      'has a vote that was changed since',
      reading(async ({ bug, ada }) => {
        for (const value of [1, -1, 0]) {
          await ada.vote(bug, value)
          assert.deepEqual(votesIn((await ada.get(FEED)).text), [value])
          assert.deepEqual(votesIn(await ada.getReady(FEED)), [value])
        }
      }),
    )

    it(
      'is read anew for a session that was revoked, or an account that was blocked, by another process too',
      reading(async ({ world, bug, ada, eve }) => {
        for (const reader of [ada, eve]) {
          await reader.vote(bug, 1)
          await reader.getReady(FEED)
        }
        const accounts = await world.db
          .selectFrom('user')
          .select(['id', 'name'])
          .where('name', 'in', ['ada', 'eve'])
          .execute()
        const idOf = (name: string) => accounts.find((account) => account.name === name)!.id
        await elsewhere(world, (db) => db.deleteFrom('session').where('userId', '=', idOf('ada')).execute())
        assert.deepEqual(votesIn((await ada.get(FEED)).text), [0])
        const blockedAt = new Date().toISOString()
        await elsewhere(world, (db) =>
          db.updateTable('user').set({ blockedAt }).where('id', '=', idOf('eve')).execute(),
        )
        assert.deepEqual(votesIn((await eve.get(FEED)).text), [0])
      }),
    )

    it(
      'has no board that was closed since',
      reading(async ({ world, ada }) => {
        await world.admin.boards.create({ slug: 'labs', name: 'Labs' })
        assert.match(await ada.getReady('/api/community/boards'), /"labs"/)
        await world.admin.boards.update({ board: 'labs', readers: 'roles: moderator' })
        assert.doesNotMatch((await ada.get('/api/community/boards')).text, /"labs"/)
      }),
    )

    it(
      'has nothing of a role that was taken away since',
      reading(async ({ world, ada }) => {
        await world.admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
        const become = (role: 'member' | 'moderator') =>
          elsewhere(world, (db) => db.updateTable('user').set({ role }).where('name', '=', 'ada').execute())
        await become('moderator')
        assert.match(await ada.getReady('/api/community/boards'), /"staff"/)
        await become('member')
        assert.doesNotMatch((await ada.get('/api/community/boards')).text, /"staff"/)
      }),
    )

    it(
      'is not kept past the end of the session, nor for longer than ten seconds',
      reading(async ({ world, bug, ada }) => {
        await ada.vote(bug, 1)
        world.clock.stop()
        await ada.getReady(FEED)
        world.clock.pass(11)
        assert.equal((await ada.get(FEED)).by, 'feed.list')
        // A session that is used every six days lasts 90 days; the last use is a second before its end.
        for (let day = 6; day < 90; day += 6) {
          world.clock.pass(6 * DAY)
          await ada.get(FEED)
        }
        world.clock.pass(6 * DAY - 12)
        await ada.get(FEED)
        assert.deepEqual(votesIn(await ada.getReady(FEED)), [1])
        world.clock.pass(2)
        const { text, by } = await ada.get(FEED)
        assert.deepEqual([by, votesIn(text)], ['feed.list', [0]])
      }),
    )

    it(
      'is not sent for a token, as a table, with other cookies, or where the operation needs an account',
      reading(async ({ ada }) => {
        const kept = await ada.getReady(FEED)
        const others: Record<string, string>[] = [
          { Authorization: 'Bearer none' },
          { Accept: 'text/csv' },
          { Cookie: `${ada.cookie}; theme=dark` },
        ]
        for (const headers of others) assert.notEqual((await ada.get(FEED, headers)).by, READY)
        assert.equal(await ada.getReady(FEED), kept)
        for (let time = 0; time < 3; time++) assert.notEqual((await ada.get('/api/community/notifications')).by, READY)
      }),
    )
  },
  // The other process of a test has not said that it is there.
  { TEST_PROCESSES: '1' },
)
