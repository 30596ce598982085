// The stream of unread counts, through a real port, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { tokenOf } from '../../../test/mcp/caller.ts'
import { serve } from '../../../test/mcp/serve.ts'
import { AGENT, bearing, oauthClient, tokenHolder } from '../../../test/oauth.ts'
import { verified } from '../../../test/pending.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { engineOf } from '../../database/engine.ts'
import { MAX_STREAMS_OF_ACCOUNT } from './streams.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const
const PATH = '/api/community/notifications/stream'
const headers = { Accept: 'text/event-stream' }

const listen = (person: Pick<Person, 'request'>) => person.request(PATH, { headers })

/** Reads until the text has this, or the stream ends; gives what came. */
async function until(reader: ReadableStreamDefaultReader<Uint8Array>, wanted: string | undefined): Promise<string> {
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    text += new TextDecoder().decode(value)
    if (done || (wanted !== undefined && text.includes(wanted))) return text
  }
}

const readerOf = (response: Response) => response.body!.getReader()

async function commented({ alice, bob, app }: World): Promise<string> {
  const { id } = await alice.bugs.create(crash)
  await bob.bugs.comment({ id, body: 'One' })
  await app.deliver()
  return id
}

/** How a token ends, or loses its scope, without an end of all credentials of its account. */
const ends: Readonly<Record<string, (world: World, token: string) => Promise<unknown>>> = {
  'a block': async ({ admin, alice }) => admin.admin.block({ id: (await alice.account()).id, blocked: true }),
  'the access of its app': async ({ alice }) => alice.signIns.end({ id: (await alice.signIns.list()).items[0]!.id }),
  'a token that is revoked': async (world, token) => oauthClient(world).revoke(AGENT, token),
  'a token that expires': async ({ clock }) => clock.pass(3_700),
  'the scope that its account takes away': async ({ alice }) => {
    const [app] = (await alice.signIns.list()).items
    await alice.signIns.update({ id: app!.id, scopes: ['library:read'] })
  },
}

/** Whether a stream ends within some seconds. */
async function isOver(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, 9_000, false))
  const isEnded = await Promise.race([until(reader, undefined).then(() => true), late])
  if (!isEnded) await reader.cancel()
  return isEnded
}

onEveryEngine('the stream of unread counts', (it) => {
  it('begins with the count and tells each change, to a session and to a token', async (world) => {
    const { alice, app, bob } = world
    const id = await commented(world)
    const holder = await tokenHolder(world, alice, 'community:read')
    const answers = [await listen(alice), await listen(holder)]
    assert.equal(answers[0]!.headers.get('content-type'), 'text/event-stream')
    const readers = answers.map(readerOf)
    for (const reader of readers) assert.match(await until(reader, 'data: 1\n\n'), /^retry: 5000\n\nevent: unread\n/)
    await bob.bugs.comment({ id, body: 'Two' })
    await app.deliver()
    for (const reader of readers) await until(reader, 'data: 2\n\n')
    await alice.notifications.read({ through: '9' })
    for (const reader of readers) {
      await until(reader, 'data: 0\n\n')
      await reader.cancel()
    }
  })

  it('does not count what is in a closed board that the account reads no more', async (world) => {
    const { admin, moderator, alice, app } = world
    await admin.boards.create({ slug: 'inner', name: 'Inner', readers: 'members' })
    const { id } = await moderator.bugs.create({ ...crash, board: 'inner' })
    await alice.follows.set({ id, state: 'following' })
    await moderator.bugs.comment({ id, body: 'One' })
    await app.deliver()
    const holder = await tokenHolder(world, alice, 'community:read')
    const readers = (await Promise.all([listen(alice), listen(holder)])).map(readerOf)
    for (const reader of readers) await until(reader, 'data: 1\n\n')
    await admin.boards.update({ board: 'inner', readers: 'none' })
    for (const reader of readers) {
      await until(reader, 'data: 0\n\n')
      await reader.cancel()
    }
  })

  it('is bounded for an account, and one that ended counts no more', async (world) => {
    const { alice, bob, db } = world
    await Promise.all([alice.account(), bob.account()])
    // Each process counts its own.
    const processes = engineOf(db) === 'postgres' && process.env['TEST_PROCESSES'] === '2' ? 2 : 1
    const open: Response[] = []
    for (let n = 0; n < processes * MAX_STREAMS_OF_ACCOUNT; n++) open.push(await listen(alice))
    assert.ok(open.every(({ status }) => status === 200))
    for (let n = 0; n < processes; n++) assert.equal((await listen(alice)).status, 429)
    open.push(await listen(bob))
    assert.equal(open.at(-1)!.status, 200)
    for (const ended of open.splice(0, processes)) await ended.body!.cancel()
    open.push(await listen(alice))
    assert.equal(open.at(-1)!.status, 200)
    for (const { body } of open) await body!.cancel()
  })

  it('ends with the session and when the server stops, and is for who asks for a stream', async (world) => {
    const { alice, bob, anonymous, app } = world
    const [one, two] = [readerOf(await listen(alice)), readerOf(await listen(bob))]
    assert.equal((await alice.request(PATH)).status, 400)
    assert.equal((await alice.request(PATH, { headers, method: 'HEAD' })).status, 200)
    assert.equal((await listen(anonymous)).status, 401)
    assert.equal((await listen(bearing(world, 'nothing'))).status, 401)
    await alice.accounts.signOut()
    await until(one, undefined)
    app.drain()
    await until(two, undefined)
    assert.equal(await until(readerOf(await listen(bob)), undefined), 'retry: 5000\n\n')
  })

  it('comes through a port as it happens', async (world) => {
    const { alice, app, bob } = world
    const id = await commented(world)
    const token = await tokenOf(world, alice)
    const server = await serve(app)
    try {
      const response = await fetch(server.url + PATH, { headers: { ...headers, Authorization: `Bearer ${token}` } })
      const reader = readerOf(response)
      await until(reader, 'data: 1\n\n')
      await bob.bugs.comment({ id, body: 'Two' })
      await app.deliver()
      await until(reader, 'data: 2\n\n')
      await reader.cancel()
    } finally {
      await server.close()
    }
  })

  it('ends when its account is no reader of the instance any more, and goes on for those who are', async (world) => {
    const { alice, moderator, admin } = world
    const holder = await tokenHolder(world, alice, 'community:read')
    await verified(world)
    const change = (changes: Record<string, string>) => admin.settings.change({ changes })
    await change({ READERS: 'members', READER_DOMAINS: 'example.com' })
    const [own, byToken, other] = [await listen(alice), await listen(holder), await listen(moderator)].map(readerOf)
    for (const reader of [own, byToken, other]) assert.match(await until(reader!, 'event: unread'), /event: unread/)
    await change({ READER_DOMAINS: 'lab.example' })
    // A process of a test looks for its settings when it is asked.
    for (let n = 0; n < 2; n++) assert.equal((await listen(alice)).status, 403)
    for (const reader of [own, byToken]) await until(reader!, undefined)
    const { id } = await moderator.bugs.create(crash)
    await admin.bugs.comment({ id, body: 'Here' })
    await world.app.deliver()
    assert.match(await until(other!, 'data: 1\n\n'), /data: 1/)
    await other!.cancel()
  })

  for (const [what, end] of Object.entries(ends)) {
    it(`ends with ${what}`, async (world) => {
      const { alice, clock } = world
      const client = oauthClient(world)
      await alice.account()
      const { access_token } = await client.signIn(alice, { clientId: AGENT, scope: 'community:read library:read' })
      const reader = readerOf(await listen(bearing(world, access_token)))
      assert.match(await until(reader, 'event: unread'), /event: unread/)
      await end(world, access_token)
      clock.pass(1)
      assert.ok(await isOver(reader), 'it goes on')
    })
  }
})
