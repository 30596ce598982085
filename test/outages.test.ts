// What is away is said so: 503 with Retry-After in the words of each area, by REST, MCP and the site, and the log says why.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { api } from '../src/api.ts'
import type { Contract, Operation } from '../src/contract/operation.ts'
import { openDatabase } from '../src/database/open.ts'
import { openMailer } from '../src/mail/mail.ts'
import { openOutbox } from '../src/mail/outbox.ts'
import { StorageHealth } from '../src/runtime/outage.ts'
import { requestOf } from '../src/surfaces/client.ts'
import { exampleOf } from '../src/surfaces/openapi/examples.ts'
import { type Open, onEngines, onPostgres } from './databases.ts'
import { orgFile } from './library.ts'
import { ask, tokenOf } from './mcp/caller.ts'
import { openObjectStorage } from './object-storage.ts'
import { tinyPng } from './pictures.ts'
import { openProxy } from './tcp-proxy.ts'
import { temporaryDirectory } from './temporary.ts'
import { BASE_URL, makeWorld, onEveryEngine, type World } from './world.ts'

const operations = Object.entries(api as Record<string, Contract>).flatMap(([slice, contract]) =>
  Object.entries(contract).map(([verb, operation]) => ({ name: `${slice}.${verb}`, operation })),
)

function logged() {
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: undefined }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { lines, log, health: new StorageHealth(log) }
}

/** A world whose PostgreSQL is behind a line that can be cut. */
async function openWorld(t: TestContext, postgresDatabase: Open) {
  const database = await postgresDatabase()
  const url = new URL(database.url)
  const proxy = await openProxy(t, { host: url.hostname, port: Number(url.port || 5432) })
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  const folder = await temporaryDirectory(t)
  const logging = logged()
  const store = await openDatabase(url.href)
  const world = await makeWorld({ ...store, url: url.href }, { BLOB_URL: `file:${folder}` }, logging)
  t.after(async () => {
    proxy.set('cut')
    await store.db.destroy()
    await database.remove()
  })
  return { ...world, proxy, lines: logging.lines, join: store.join }
}

/** The request of an operation with an input that is good. */
function exampleRequest(operation: Operation): Request {
  const input = exampleOf(operation.deferredBody ?? operation.input, 'input') as Record<string, unknown>
  const inPath = exampleOf(operation.input, 'input') as Record<string, unknown>
  return requestOf(operation, { ...inPath, ...input }, { baseUrl: BASE_URL })
}

onPostgres('PostgreSQL that does not answer', (postgresDatabase) => {
  it('leaves no read behind that nothing waits for, wherever it goes in a list', async (t) => {
    const { proxy, alice, anonymous } = await openWorld(t, postgresDatabase)
    await alice.posts.create({ title: 'One', body: 'A post that is long enough' })
    await alice.bugs.create({ title: 'One', description: 'It does not work', severity: 'low' })
    // An error that nothing waits for fails the file.
    for (let turn = 0; turn < 80; turn++) {
      const paths = ['posts', 'bugs', 'features'].map((kind) => `/api/community/${kind}?limit=${(turn % 40) + 1}`)
      const answers = paths.flatMap((path) => [anonymous.request(path), alice.request(path)])
      for (let tick = 0; tick < turn; tick++) await setImmediate()
      proxy.set('cut')
      for (const { status } of await Promise.all(answers)) assert.ok(status === 200 || status === 503, `${status}`)
      proxy.set('open')
      const until = performance.now() + 20_000
      while ((await anonymous.request('/api/community/posts')).status !== 200) assert.ok(performance.now() < until)
    }
  })

  it('ends what waits for it within seconds, and what comes after at once, until it answers again', async (t) => {
    const { proxy, anonymous, join } = await openWorld(t, postgresDatabase)
    await join?.()
    const status = async (q: string) => (await anonymous.request(`/api/community/bugs?q=${q}`)).status
    assert.equal(await status('before'), 200)
    proxy.set('silent')
    const begun = performance.now()
    const waiting = await Promise.all(Array.from({ length: 40 }, (_, n) => status(`waiting${n}`)))
    assert.deepEqual(new Set(waiting), new Set([503]))
    assert.ok(performance.now() - begun < 20_000, 'no request waits for the timeout of a statement, 60 seconds')
    const after = performance.now()
    for (let n = 0; n < 40; n++) assert.equal(await status(`after${n}`), 503)
    assert.ok(performance.now() - after < 10_000)
    proxy.set('cut')
    proxy.set('open')
    const until = performance.now() + 20_000
    while ((await status('again')) !== 200) {
      assert.ok(performance.now() < until, 'it answers again')
      await sleep(50)
    }
  })
})

async function assertAway(response: Response, name: string, { access }: Operation): Promise<void> {
  assert.match(response.headers.get('retry-after') ?? '', /^\d+$/, name)
  const body: unknown = await response.json()
  assert.doesNotThrow(() => access.area.errorBody.parse(body), name)
  assert.match(JSON.stringify(body), /does not answer right now|temporarily_unavailable/, name)
}

onPostgres('a database that is away', (postgresDatabase) => {
  it('is 503 with Retry-After at every operation that needs it, in the words of its area', async (t) => {
    const { alice, proxy, lines } = await openWorld(t, postgresDatabase)
    await alice.account()
    proxy.set('cut')
    let away = 0
    for (const { name, operation } of operations) {
      const request = exampleRequest(operation)
      const { pathname, search } = new URL(request.url)
      const type = request.headers.get('content-type')
      const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
      const headers = { ...(type && { 'Content-Type': type }), ...(body && { 'Content-Length': String(body.length) }) }
      const answer = await alice.request(pathname + search, {
        method: operation.method,
        headers,
        ...(body && { body }),
      })
      assert.notEqual(answer.status, 500, `${name}: ${await answer.clone().text()}`)
      if (operation.access.credential !== 'none') assert.equal(answer.status, 503, name)
      if (answer.status !== 503) continue
      away++
      await assertAway(answer, name, operation)
    }
    assert.ok(away > operations.length * 0.85, `${away} of ${operations.length}`)
    const [line] = lines.filter(({ store }) => store === 'database')
    assert.match(String(line!['msg']), /^the database does not answer: .*(ECONNREFUSED|ECONNRESET|terminated)/)
  })

  it('is said by the authorization server, by MCP and on pages too; all is well again when it is back', async (t) => {
    const world = await openWorld(t, postgresDatabase)
    const { alice, app, proxy } = world
    await alice.account()
    const token = await tokenOf(world, alice)
    proxy.set('cut')
    const form = { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43), client_id: 'monoagent' }
    const refresh = await app.fetch(
      new Request(`${BASE_URL}/api/auth/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) }),
    )
    assert.deepEqual([refresh.status, (await refresh.json()).error], [503, 'temporarily_unavailable'])
    assert.match(refresh.headers.get('retry-after')!, /^\d+$/)
    const tool = await ask(app, 'tools/call', { name: 'create_post', arguments: { title: 'T', body: 'B' } }, { token })
    assert.equal(tool.status, 503)
    assert.match(tool.headers.get('retry-after')!, /^\d+$/)
    assert.match(tool.messages.at(-1)!.error!.message, /database does not answer/)
    const open = await ask(app, 'tools/call', { name: 'get_feed', arguments: {} })
    assert.equal(open.messages.at(-1)!.result!.isError, true)
    assert.match(open.messages.at(-1)!.result!.content[0]!.text!, /database does not answer .*Retry-After: \d+ seconds/)
    for (const path of ['/', '/community', '/library', '/settings']) {
      const page = await alice.request(path)
      assert.equal(page.status, 503, path)
      assert.match(page.headers.get('retry-after')!, /^\d+$/, path)
      assert.match(await page.text(), /not available right now|does not answer right now/)
    }
    proxy.set('open')
    assert.equal((await alice.request('/')).status, 200)
    await alice.posts.create({ title: 'Back', body: 'B' })
  })

  it('that says nothing at all makes /readyz 503 within a second', async (t) => {
    const { app, proxy } = await openWorld(t, postgresDatabase)
    const ready = () => app.fetch(new Request(`${BASE_URL}/readyz`))
    assert.equal((await ready()).status, 200)
    proxy.set('silent')
    const took: number[] = []
    for (let n = 0; n < 3; n++) {
      const started = performance.now()
      const answer = await ready()
      assert.equal(answer.status, 503)
      assert.match(await answer.text(), /^database: /m)
      took.push(performance.now() - started)
    }
    // The best of three: a busy machine is late with any of them.
    assert.ok(Math.min(...took) < 1_000, `${took.join(', ')} ms`)
    proxy.set('cut')
    assert.equal((await ready()).status, 503)
    proxy.set('open')
    while ((await ready()).status !== 200) await new Promise((resolve) => setTimeout(resolve, 50))
  })
})

describe('an object storage that is away', () => {
  let storage: Awaited<ReturnType<typeof openObjectStorage>>
  before(async () => {
    storage = await openObjectStorage()
  })
  after(() => storage.close())

  onEngines('an object storage', (open, engine) => {
    it('that is away is 503 with Retry-After wherever files are kept or sent', async (t) => {
      const database = await open()
      const { lines, ...logging } = logged()
      const BLOB_URL = storage.url(await temporaryDirectory(t), engine.toLowerCase())
      const world = await makeWorld(database, { BLOB_URL }, logging)
      try {
        await isAway(world)
        const [line] = lines.filter(({ store }) => store === 'files')
        assert.match(String(line!['msg']), /^the store of files does not answer: The object storage does not answer/)
        assert.match(String(line!['reason']), /socket hang up|ECONNRESET/)
      } finally {
        storage.gate = () => undefined
        world.dependencies.blobs.close()
        await database.remove()
      }
    })
  })

  async function isAway({ alice }: World): Promise<void> {
    const { id } = await alice.library.publish({ kind: 'org', file: orgFile() })
    const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    const run = await alice.orgRuns.add({ id: org.id, files: [new File(['# Hi'], 'a.md')] })
    storage.gate = (request) => {
      request.socket.destroy()
      return true
    }
    const away = (error: { status: number; headers: Headers; message: string }) => {
      assert.equal(error.status, 503)
      assert.match(error.headers.get('retry-after')!, /^\d+$/)
      assert.match(error.message, /Stored files cannot be reached right now/)
      return true
    }
    await Promise.all([
      assert.rejects(alice.library.publish({ kind: 'org', file: orgFile({ name: 'Other' }) }), away),
      assert.rejects(alice.orgRuns.add({ id: org.id, files: [new File(['# Hi'], 'a.md')] }), away),
      assert.rejects(
        tinyPng().then((avatar) => alice.avatars.set({ avatar })),
        away,
      ),
      assert.rejects(alice.orgRuns.file({ fileId: run.files[0]!.id }), away),
      assert.rejects(alice.library.download({ id }), away),
    ])
  }
})

onEveryEngine('a mail server that is away', (it) => {
  it('is 503 for what is worth nothing without its mail, and the log names it; the rest waits', async (world) => {
    const { lines, log, health } = logged()
    const { db, clock, alice, bob } = world
    const port = await closedPort()
    const mailer = openMailer(`smtp://127.0.0.1:${port}`, {
      name: 'Guildhall',
      from: 'hello@guild.example',
      baseUrl: 'https://guild.example',
    })
    await Promise.all([alice.account(), bob.account()])
    await world.dependencies.outbox.flush()
    const outbox = openOutbox({
      site: { name: 'Guildhall' },
      db,
      mailer,
      clock,
      log,
      health,
      secretFor: world.dependencies.secretFor,
    })
    Object.assign(world.dependencies.outbox, outbox)
    await world.anonymous.accounts.sendCode({ email: alice.email })
    await outbox.flush()
    const line = lines.find(({ store }) => store === 'mail')!
    assert.match(
      String(line['msg']),
      /^the mail server does not answer: The mail server 127\.0\.0\.1:\d+ does not take mail/,
    )
    assert.match(String(line['reason']), /ECONNREFUSED/)
    const away = { status: 503, message: /Mail cannot be sent right now/ }
    await assert.rejects(world.anonymous.accounts.sendCode({ email: alice.email }), away)
    await assert.rejects(world.anonymous.accounts.sendCode({ email: 'unknown@example.com' }), away)
    await assert.rejects(world.anonymous.claims.claim({ email: alice.email, client_id: 'monoagent' } as never), {
      status: 503,
      message: 'temporarily_unavailable',
    })
    await alice.posts.create({ title: 'No mail in it', body: 'B' })
    // Half a minute later one more try is allowed.
    clock.pass(31)
    await world.anonymous.accounts.sendCode({ email: alice.email })
    mailer.close()
  })
})

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
