// How often a write waits for PostgreSQL: over a network that is most of the time it takes, and its rows are locked for as long.
import assert from 'node:assert/strict'
import { after, before, it, type TestContext } from 'node:test'
import pg from 'pg'
import { HEARTBEAT } from '../src/database/listening-statements.ts'
import { onPostgres } from './databases.ts'
import { oauthClient } from './oauth.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld, type World } from './world.ts'

const { query } = pg.Client.prototype

/** The statements of each round trip: what is sent while its connection still waits for an answer is part of the same one. */
let trips: string[][] = []
const lines = new WeakMap<object, { waiting: number; trip: string[] }>()

/** `query` of a client, which notes its statements. */
function noted(this: object, ...given: unknown[]): unknown {
  const [statement] = given
  const text = typeof statement === 'string' ? statement : String(Reflect.get(Object(statement), 'text'))
  const running: unknown = Reflect.apply(query, this, given)
  if (text === HEARTBEAT || !(running instanceof Promise)) return running
  const line = lines.get(this) ?? { waiting: 0, trip: [] }
  lines.set(this, line)
  if (line.waiting++ === 0) {
    line.trip = []
    trips.push(line.trip)
  }
  line.trip.push(text)
  const end = () => void line.waiting--
  running.then(end, end)
  return running
}

/** Fails when `write` always waits more often than this: on a busy machine what is cached may be read again in between. */
async function assertTrips(most: number, write: () => Promise<unknown>): Promise<void> {
  for (let round = 0; round < 20; round++) {
    trips = []
    await write()
    assert.ok(trips.length > 0, 'nothing was sent')
    if (trips.length <= most) return
  }
  assert.fail(`${trips.length}:\n${trips.map((trip) => trip.join('\n  ')).join('\n')}`)
}

onPostgres('round trips to PostgreSQL', (postgresDatabase) => {
  before(() => {
    pg.Client.prototype.query = noted as typeof query
  })
  after(() => {
    pg.Client.prototype.query = query
  })

  async function openWorld(t: TestContext): Promise<World> {
    const database = await postgresDatabase()
    t.after(database.remove)
    const { sync: _, ...store } = database
    const settings = { BLOB_URL: `file:${await temporaryDirectory(t)}`, RATE_LIMITS: 'on' }
    const world = await makeWorld(store, settings)
    await Promise.all([world.alice.account(), world.bob.account()])
    // From then on sessions are cached.
    do await world.alice.bugs.list()
    while (store.caughtUp?.())
    return world
  }

  it('of a new bug are three: its budget, its number, and its rows with the commit', async (t) => {
    const { alice } = await openWorld(t)
    await assertTrips(3, () => alice.bugs.create({ title: 'T', description: 'D', severity: 'low' }))
  })

  it('of a comment are three: its target, its budget, and its rows with the commit', async (t) => {
    const { alice, bob } = await openWorld(t)
    const { id } = await alice.bugs.create({ title: 'T', description: 'D', severity: 'low' })
    await assertTrips(3, () => bob.bugs.comment({ id, body: 'The same here' }))
  })

  it('of a vote are four: its target, its budget, the vote before, and its rows with the commit', async (t) => {
    const { alice, bob } = await openWorld(t)
    const { id } = await alice.bugs.create({ title: 'T', description: 'D', severity: 'low' })
    let value: 1 | -1 = -1
    await assertTrips(4, () => {
      value = value === 1 ? -1 : 1
      return bob.bugs.vote({ id, value })
    })
  })

  it('of a refresh are nine', async (t) => {
    const world = await openWorld(t)
    const client = oauthClient(world)
    const clientId = await client.register()
    let { refresh_token: token } = await client.signIn(world.alice, {
      clientId,
      scope: 'community:read offline_access',
    })
    await assertTrips(9, async () => {
      const answer = await client.refresh(clientId, token)
      assert.equal(answer.status, 200)
      token = answer.refresh_token
    })
  })
})
