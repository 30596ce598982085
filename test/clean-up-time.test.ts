// A clock that is wrong for some minutes removes nothing that people need afterwards; one that stays is believed after a day.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { createApp } from '../src/app.ts'
import { newestIn, witnesses } from '../src/database/clean-up-time.ts'
import { engineOf } from '../src/database/engine.ts'
import { oauthClient } from './oauth.ts'
import { filesOnDisk } from './stored.ts'
import { onEveryEngine, type World } from './world.ts'

const HOUR = 3_600
const DAY = 86_400
const JUMP = 40 * DAY

const tables = [
  'session',
  'emailCode',
  'grant',
  'oauthToken',
  'oauthClient',
  'rateLimit',
  'outbox',
  'dpopProof',
] as const

/** How many rows of each table there are, and files. */
async function count(world: World): Promise<Record<string, number>> {
  const counted: Record<string, number> = { files: (await filesOnDisk(world)).length }
  for (const table of tables) {
    counted[table] = (await world.db.selectFrom(table).selectAll().execute()).length
  }
  return counted
}

/** Something of all that a clean-up may take. */
async function live(world: World) {
  const { alice, bob, anonymous, dependencies, mails } = world
  const client = oauthClient(world)
  const clientId = await client.register()
  const tokens = await client.signIn(alice, { clientId, scope: 'community:read offline_access' })
  const refreshed = await client.refresh(clientId, tokens.refresh_token)
  await client.claim((await bob.account()).email, 'community:read')
  await anonymous.accounts.sendCode({ email: alice.email })
  await mails(alice.email)
  await assert.rejects(anonymous.accounts.signIn({ email: alice.email, password: 'not the password' }))
  const { artifacts } = dependencies.blobs
  await artifacts.commit(await artifacts.stage(Readable.from([Buffer.from('its rows follow')]), { maxBytes: 100 }))
  return { clientId, refreshed }
}

onEveryEngine(
  'a clean-up',
  (it) => {
    it('takes nothing while the clock is wrong for five minutes, also when people write then', async (world) => {
      const { alice, app, clock } = world
      const { clientId, refreshed } = await live(world)
      const before = await count(world)
      clock.jump(JUMP)
      await app.cleanUp()
      assert.deepEqual(await count(world), before)
      await world.person('carol').posts.create({ title: 'Of the future', body: 'B' })
      clock.pass(300)
      await app.cleanUp()
      clock.jump(-JUMP)
      await app.cleanUp()
      const after = await count(world)
      for (const [what, number] of Object.entries(before)) assert.ok(after[what]! >= number, `${what}: ${after[what]}`)
      assert.equal((await alice.request('/api/account/sessions')).status, 200)
      const client = oauthClient(world)
      assert.equal((await client.call(refreshed.access_token)).status, 200)
      assert.equal((await client.refresh(clientId, refreshed.refresh_token)).status, 200)
    })

    it('takes nothing when the process starts with a clock that is wrong', async (world) => {
      await live(world)
      const before = await count(world)
      world.clock.jump(JUMP)
      const restarted = createApp(world.dependencies)
      await world.person('carol').account()
      await restarted.cleanUp()
      world.clock.jump(-JUMP)
      await restarted.cleanUp()
      const after = await count(world)
      for (const [what, number] of Object.entries(before)) assert.ok(after[what]! >= number, `${what}: ${after[what]}`)
    })

    it('takes nothing that is valid of a clock an hour ahead, also if people wrote then and it starts again', async (world) => {
      const { alice, anonymous, app, clock, db, dependencies } = world
      const { email } = await alice.account()
      await live(world)
      await anonymous.accounts.sendCode({ email })
      const code = await world.code(email)
      const before = await count(world)
      const unchanged = async (when: string) => {
        const now = await count(world)
        for (const [what, number] of Object.entries(before)) assert.ok(now[what]! >= number, `${when}: ${what}`)
      }
      clock.jump(HOUR)
      await app.work()
      await alice.posts.create({ title: 'Of then', body: 'B' })
      await app.cleanUp()
      await unchanged('ahead')
      await createApp(dependencies).cleanUp()
      await unchanged('started again')
      clock.jump(-HOUR)
      await app.cleanUp()
      await unchanged('right again')
      const restarted = createApp(dependencies)
      await restarted.cleanUp()
      await unchanged('right, and started again')
      assert.equal((await anonymous.accounts.signInWithCode({ email, code })).user.email, email)
      clock.pass(300)
      await restarted.cleanUp()
      const left = async () => (await db.selectFrom('emailCode').selectAll().execute()).length
      assert.notEqual(await left(), 0)
      clock.pass(3_900)
      await restarted.cleanUp()
      assert.equal(await left(), 0)
    })

    it('believes a clock that stays ahead for a day, as after a time without the server', async (world) => {
      await live(world)
      world.clock.jump(JUMP)
      await world.app.cleanUp()
      world.clock.pass(DAY - 60)
      await world.app.cleanUp()
      assert.notEqual((await count(world)).session, 0)
      world.clock.pass(120)
      await world.app.cleanUp()
      const { session, emailCode, grant, files } = await count(world)
      assert.deepEqual({ session, emailCode, grant, files }, { session: 0, emailCode: 0, grant: 0, files: 0 })
    })

    it('reads the last row of a table, and sorts none, at a start', async ({ db }) => {
      for (const witness of witnesses) {
        const query = newestIn(witness, '2026-01-01T00:00:00.000Z')
        if (engineOf(db) === 'sqlite') {
          const plan = JSON.stringify((await sql`explain query plan ${query}`.execute(db)).rows)
          assert.doesNotMatch(plan, /TEMP B-TREE/, plan)
        } else {
          // A table of a few rows is sorted faster than its index is read, unless that is not allowed.
          const plan = await db.transaction().execute(async (transaction) => {
            for (const way of ['sort', 'seqscan', 'bitmapscan'])
              await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(transaction)
            return JSON.stringify((await sql`explain ${query}`.execute(transaction)).rows)
          })
          assert.doesNotMatch(plan, /Sort/, plan)
        }
      }
    })
  },
  { RATE_LIMITS: 'on' },
)
