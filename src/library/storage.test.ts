// That nothing is lost, mixed up or left behind: on both engines, with both stores.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rm, utimes, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { join } from 'node:path'
import { noise } from '../../test/corpus/archive-parts.ts'
import { automationFile, orgFile } from '../../test/library.ts'
import { onEveryStore, type StoredWorld } from '../../test/stores.ts'
import type { World } from '../../test/world.ts'
import { sessionCookie } from '../identity/sessions.ts'
import { createNodeServer, stopServer } from '../surfaces/http/listen.ts'

const DAY = 24 * 3600

async function artifacts({ dependencies }: World): Promise<string[]> {
  const found: string[] = []
  for await (const { sha256 } of dependencies.blobs.artifacts.list()) found.push(sha256)
  return found.sort()
}

const staged = async ({ staging }: StoredWorld) => (await readdir(staging).catch(() => [])).length

/** That an upload which failed left neither rows nor files. */
async function assertNothing(world: StoredWorld): Promise<void> {
  assert.deepEqual(await artifacts(world), [])
  assert.equal(await staged(world), 0)
  for (const table of [
    'libraryItem',
    'itemVersion',
    'itemText',
    'slug',
    'feedEntry',
    'libraryUpload',
    'itemCount',
  ] as const) {
    assert.deepEqual(await world.db.selectFrom(table).selectAll().execute(), [], table)
  }
}

/** About 6 MiB, so that a bucket takes it in parts. */
const largeAutomation = () => automationFile({}, [{ name: 'data.bin', data: noise(6 * 1024 * 1024), method: 0 }])

onEveryStore('library files', (it) => {
  it('are stored once by what they hold, and swept when nothing refers to them', async (world) => {
    const { alice, bob, app, clock } = world
    const first = await alice.library.publish({ kind: 'org', file: orgFile() })
    const second = await bob.library.publish({ kind: 'org', file: orgFile(), visibility: 'public' })
    await alice.library.publishVersion({ id: first.id, file: orgFile({ goal: 'Another' }) })
    assert.equal(first.sha256, second.sha256)
    assert.equal((await artifacts(world)).length, 2)
    await alice.library.delete({ id: first.id })
    await app.cleanUp()
    assert.equal((await artifacts(world)).length, 2)
    clock.pass(DAY + 3600)
    await app.cleanUp()
    assert.deepEqual(await artifacts(world), [second.sha256])
    const bytes = await (await alice.library.download({ id: second.id })).text()
    assert.equal(bytes, await orgFile().text())
  })

  it('come back whole and in ranges', async ({ alice }) => {
    const file = largeAutomation()
    const { id, size } = await alice.library.publish({ kind: 'automation', file })
    const expected = new Uint8Array(await file.arrayBuffer())
    const answer = await alice.library.download({ id })
    assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), expected)
    const path = `/api/library/items/${id}/artifact`
    const part = await alice.request(path, { headers: { range: `bytes=${size - 100_000}-` } })
    assert.deepEqual(new Uint8Array(await part.arrayBuffer()), expected.subarray(size - 100_000))
  })

  it('leave nothing when the store fails half-way', async (world) => {
    const { alice, store, storage, folder, staging } = world
    await alice.account()
    if (store === 'bucket') storage.gate = (request) => request.method === 'PUT' && Boolean(request.socket.destroy())
    else await writeFile(join(folder, 'artifacts', (await digestOf(largeAutomation())).slice(0, 2)), 'in the way')
    const failing = alice.library.publish({ kind: 'automation', file: largeAutomation(), visibility: 'public' })
    await assert.rejects(failing, { status: 503, code: 'unavailable' })
    storage.gate = () => undefined
    if (store === 'directory') await rm(join(folder, 'artifacts'), { recursive: true })
    await assertNothing(world)
    assert.deepEqual(await storage.unfinished(), [])
    if (store === 'bucket') {
      storage.gate = (_, response) => Boolean(response.writeHead(507).end())
      await assert.rejects(alice.library.publish({ kind: 'org', file: orgFile() }), { status: 503 })
      storage.gate = () => undefined
    }
    await rm(staging, { recursive: true })
    await assert.rejects(alice.library.publish({ kind: 'org', file: orgFile() }), { status: 503, code: 'unavailable' })
    await assertNothing(world)
  })

  it('leave nothing when the rows fail after the bytes, once they are swept', async (world) => {
    const { alice, db, app, clock } = world
    await alice.account()
    // What a crash between bytes and rows leaves: the same bytes, and nobody who knows of them.
    await db.schema.alterTable('versionDetails').renameTo('hidden').execute()
    await assert.rejects(alice.library.publish({ kind: 'org', file: orgFile() }), { status: 500, code: 'internal' })
    await db.schema.alterTable('hidden').renameTo('versionDetails').execute()
    assert.equal((await artifacts(world)).length, 1)
    await app.cleanUp()
    assert.equal((await artifacts(world)).length, 1)
    clock.pass(DAY + 3600)
    await app.cleanUp()
    await assertNothing(world)
    assert.equal((await alice.library.publish({ kind: 'org', file: orgFile() })).slug, 'invoice-desk')
  })

  it('survive a sweep that meets their publishing', async (world) => {
    const { alice, bob, app, dependencies, store } = world
    const file = () => new File([JSON.stringify({ name: 'n', roles: [{ id: 'a' }], x: 'same' })], 'f')
    await Promise.all([alice.account(), bob.account()])
    for (let round = 0; round < 5; round++) {
      const { id, sha256 } = await alice.library.publish({ kind: 'org', file: file() })
      await alice.library.delete({ id })
      const path = await dependencies.blobs.artifacts.path(sha256)
      if (store === 'directory') await utimes(path!, new Date(0), new Date(0))
      const publishing = bob.library.publish({ kind: 'org', file: file() })
      await app.cleanUp()
      const again = await publishing
      assert.equal(again.sha256, sha256)
      assert.ok(await dependencies.blobs.artifacts.stat(sha256))
      assert.equal((await bob.library.download({ id: again.id })).status, 200)
      await bob.library.delete({ id: again.id })
    }
  })
})

async function digestOf(file: File): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())).toString('hex')
}

/** A server on a port, for senders that misbehave below HTTP; `cookie` is alice's. */
async function serve(world: StoredWorld) {
  const { app, dependencies, alice, db } = world
  const { id: userId } = await alice.account()
  const { sha256 } = await import('../runtime/hash.ts')
  const token = randomBytes(32).toString('base64url')
  const now = new Date().toISOString()
  const expiresAt = '2099-01-01T00:00:00.000Z'
  const times = { createdAt: now, seenAt: now, authenticatedAt: now, expiresAt }
  await db
    .insertInto('session')
    .values({ id: token, tokenHash: sha256(token), userId, ...times })
    .execute()
  const server = createNodeServer({
    app: app.fetch,
    observe: app.observe,
    config: dependencies.config,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const cookie = sessionCookie(dependencies.config.baseUrl, token, { now, expiresAt }).split(';')[0]!
  return { port, cookie, url: `http://127.0.0.1:${port}`, close: () => stopServer(server, 100) }
}

const head = (cookie: string, length: string) =>
  `POST /api/library/items HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nContent-Type: multipart/form-data; boundary=b\r\n${length}\r\n\r\n`
const opening =
  '--b\r\nContent-Disposition: form-data; name="kind"\r\n\r\nworkflow\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'

onEveryStore('library uploads over a wire', (it) => {
  it('that break off leave nothing', async (world) => {
    const { port, cookie, close } = await serve(world)
    const socket = connect(port, '127.0.0.1')
    socket.write(head(cookie, 'Content-Length: 1000000') + opening + 'x'.repeat(200_000))
    await until(async () => (await staged(world)) === 1)
    socket.destroy()
    await until(async () => (await staged(world)) === 0)
    await close()
    await assertNothing(world)
  })

  it('that end too early are refused', async (world) => {
    const { cookie, url, close } = await serve(world)
    const headers = { cookie, 'content-type': 'multipart/form-data; boundary=b' }
    const answer = await fetch(`${url}/api/library/items`, { method: 'POST', headers, body: `${opening}{"nodes":[` })
    assert.equal(answer.status, 400)
    assert.equal(((await answer.json()) as { error: { code: string } }).error.code, 'invalid_request')
    await close()
    await assertNothing(world)
  })

  it('that never end are cut off', async (world) => {
    const { port, cookie, close } = await serve(world)
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk))
    socket.on('error', () => {})
    socket.write(head(cookie, 'Transfer-Encoding: chunked'))
    socket.write(`${opening.length.toString(16)}\r\n${opening}\r\n`)
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`
    for (let sent = 0; !answer && !socket.destroyed && sent < 1_000; sent++) {
      if (!socket.write(chunk)) await new Promise((next) => setTimeout(next, 2))
    }
    await until(async () => answer !== '')
    assert.match(answer, /^HTTP\/1\.1 413 /)
    assert.match(answer, /"code":"too_large"/)
    socket.destroy()
    await close()
    await assertNothing(world)
  })

  it('and downloads go through a pipe', async (world) => {
    const { cookie, url, close } = await serve(world)
    const file = largeAutomation()
    const { id, sha256, size } = await world.alice.library.publish({ kind: 'automation', file })
    const path = `${url}/api/library/items/${id}/artifact`
    const expected = new Uint8Array(await file.arrayBuffer())
    const whole = await fetch(path, { headers: { cookie } })
    assert.equal(whole.headers.get('x-content-sha256'), sha256)
    assert.equal(whole.headers.get('content-length'), String(size))
    assert.deepEqual(new Uint8Array(await whole.arrayBuffer()), expected)
    const part = await fetch(path, { headers: { cookie, range: 'bytes=5-1048580' } })
    assert.deepEqual([part.status, part.headers.get('content-length')], [206, '1048576'])
    assert.deepEqual(new Uint8Array(await part.arrayBuffer()), expected.subarray(5, 1_048_581))
    const unread = await fetch(path, { headers: { cookie } })
    await unread.body!.cancel()
    assert.equal((await fetch(path, { method: 'HEAD', headers: { cookie } })).status, 200)
    assert.equal((await fetch(path, { headers: { cookie, 'if-none-match': `"${sha256}"` } })).status, 304)
    await close()
  })
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let left = 500; left > 0; left--) {
    if (await holds()) return
    await new Promise((next) => setTimeout(next, 10))
  }
  assert.fail('It did not come to that')
}
