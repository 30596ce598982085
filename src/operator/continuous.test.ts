// A continuous backup beside a real server that is killed, and whose disk is gone: at most a second of it is lost.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { zstdDecompressSync } from 'node:zlib'
import { plainEnvironment, runProgram, startServer, type TestServer, withFolder } from '../../test/server.ts'
import { openSqlite } from '../database/sqlite.ts'

/** What a stored object begins with (storage/file-blobs.ts). */
const OBJECT_HEADER_BYTES = 128
const MOST_LOST_MILLISECONDS = 1_000

interface Running {
  server: TestServer
  shipping: ChildProcess
  /** Ends the backup by a signal and starts it again. */
  restart: (signal: NodeJS.Signals) => Promise<void>
  /** What the backup printed. */
  printed: () => string
}

interface Folders {
  folder: string
  data: string
  kept: string
}

/** Runs `work` beside a server and its continuous backup, whose first one is complete. */
const running = (work: (running: Running & Folders) => Promise<void>) =>
  withFolder(async (folder) => {
    const [data, kept] = [join(folder, 'data'), join(folder, 'kept')]
    const processes: ChildProcess[] = []
    try {
      await work({ ...(await start(processes, { data, kept })), folder, data, kept })
    } finally {
      for (const one of processes.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
        one.kill('SIGKILL')
        await once(one, 'exit')
      }
    }
  })

async function start(processes: ChildProcess[], { data: DATA_DIR, kept }: Omit<Folders, 'folder'>): Promise<Running> {
  const server = await startServer({ DATA_DIR })
  processes.push(server.process)
  const env = { ...plainEnvironment, DATA_DIR }
  let text = ''
  const spawnShipping = () => {
    const shipping = spawn(process.execPath, ['src/admin.ts', 'backup', kept, '--continuous'], { env })
    processes.push(shipping)
    for (const stream of [shipping.stdout, shipping.stderr]) stream?.on('data', (chunk) => (text += chunk))
    return shipping
  }
  let shipping = spawnShipping()
  const restart = async (signal: NodeJS.Signals) => {
    shipping.kill(signal)
    await once(shipping, 'exit')
    shipping = spawnShipping()
  }
  while (!text.includes('is complete')) {
    assert.equal(shipping.exitCode, null, text)
    await sleep(20)
  }
  return { server, shipping, restart, printed: () => text }
}

async function signUp(url: string, name = 'carol'): Promise<string> {
  const body = JSON.stringify({ name, email: `${name}@example.com`, password: 'correct horse battery' })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${url}/api/auth/sign-up/email`, { method: 'POST', headers, body })
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** Posts until the server is gone; the time of every post that was acknowledged. */
async function postUntilKilled(
  url: string,
  cookie: string,
  acknowledged = new Map<string, number>(),
): Promise<Map<string, number>> {
  const headers = { 'Content-Type': 'application/json', Cookie: cookie, Origin: url }
  for (let number = 0; ; number++) {
    const title = `Post ${number}<`
    const body = JSON.stringify({ title, body: 'x'.repeat(2_000) })
    const answer = await fetch(`${url}/api/community/posts`, { method: 'POST', headers, body }).catch(() => undefined)
    if (!answer) return acknowledged
    assert.equal(answer.status, 201)
    acknowledged.set(title, Date.now())
  }
}

function titlesIn(path: string): Promise<Set<string>> {
  const { db } = openSqlite(path)
  const rows = db.selectFrom('post').select('title').execute()
  return rows.then((all) => new Set(all.map(({ title }) => title))).finally(() => db.destroy())
}

/** The parts of all streams, as they were before they were compressed. */
async function partsIn(kept: string): Promise<Buffer[]> {
  const folder = join(kept, 'objects', 'streams')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const files = await Promise.all(paths.map((path) => readFile(path)))
  return files.map((bytes) => zstdDecompressSync(bytes.subarray(OBJECT_HEADER_BYTES)))
}

/** Publishes orgs until the server is gone; the time of each that was acknowledged. */
async function publishUntilKilled(url: string, acknowledged: Map<string, number>): Promise<void> {
  let cookie = await signUp(url)
  for (let number = 0; ; number++) {
    const name = `Org ${number}`
    const body = new FormData()
    const definition = JSON.stringify({ name, roles: [{ id: 'solo' }] })
    body.set('kind', 'org')
    body.set('file', new File([definition], 'org.json', { type: 'application/json' }))
    const headers = { Cookie: cookie, Origin: url }
    const answer = await fetch(`${url}/api/library/items`, { method: 'POST', headers, body }).catch(() => undefined)
    if (!answer) return
    // An account may publish so many an hour.
    if (answer.status === 429) cookie = await signUp(url, `carol${number}`).catch(() => '')
    else assert.equal(answer.status, 201)
    if (answer.status === 201) acknowledged.set(name, Date.now())
  }
}

/** More by hand: CONTINUOUS_ROUNDS=20 npm test -- src/operator/continuous.test.ts */
const ROUNDS = Number(process.env['CONTINUOUS_ROUNDS'] ?? 2)

describe('npm run admin -- backup --continuous', () => {
  for (let round = 1; round <= ROUNDS; round++) {
    it(`has every file that its rows name, whenever the server is killed and its folder removed, ${round}`, () =>
      running(async ({ server, shipping, printed, data, kept }) => {
        const acknowledged = new Map<string, number>()
        const publishing = publishUntilKilled(server.url, acknowledged)
        while (acknowledged.size < 3) await sleep(20)
        await sleep(Math.random() * 1_500)
        const killedAt = Date.now()
        await server.end('SIGKILL')
        await rm(data, { recursive: true })
        await publishing
        if (shipping.exitCode === null) await once(shipping, 'exit')
        assert.match(printed(), /guildhall\.db is gone/)
        // It verifies what it restored.
        const restored = await runProgram(['src/admin.ts', 'restore', kept, '--unauthenticated'], { DATA_DIR: data })
        assert.equal(restored.code, 0, restored.output)
        const { db } = openSqlite(join(data, 'guildhall.db'))
        const rows = await db.selectFrom('libraryItem').select('name').execute()
        await db.destroy()
        const names = new Set(rows.map(({ name }) => name))
        const lost = [...acknowledged].filter(([name]) => !names.has(name)).map(([, at]) => killedAt - at)
        assert.ok(Math.max(0, ...lost) <= MOST_LOST_MILLISECONDS, `lost for ${Math.max(...lost)} ms`)
      }))
  }

  for (let round = 1; round <= ROUNDS; round++) {
    it(`goes on with the same stream over its own restarts under writes, with nothing lost but the last second, ${round}`, () =>
      running(async ({ server, restart, data, kept }) => {
        const acknowledged = new Map<string, number>()
        const posting = postUntilKilled(server.url, await signUp(server.url), acknowledged)
        for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const) {
          await sleep(Math.random() * 1_500)
          await restart(signal)
          const last = [...acknowledged.keys()].at(-1) ?? 'none'
          while (!(await partsIn(kept)).some((part) => part.includes(last))) await sleep(100)
        }
        await sleep(Math.random() * 1_500)
        const killedAt = Date.now()
        await server.end('SIGKILL')
        await rm(data, { recursive: true })
        await posting
        await sleep(1_000)
        assert.equal((await readdir(join(kept, 'objects', 'snapshots'))).length, 1)
        const restored = await runProgram(['src/admin.ts', 'restore', kept, '--unauthenticated'], { DATA_DIR: data })
        assert.equal(restored.code, 0, restored.output)
        const titles = await titlesIn(join(data, 'guildhall.db'))
        const lost = [...acknowledged].filter(([title]) => !titles.has(title)).map(([, at]) => killedAt - at)
        assert.ok(Math.max(0, ...lost) <= MOST_LOST_MILLISECONDS, `lost for ${Math.max(...lost)} ms`)
      }))
  }

  it('has all but the last second of a server that is killed and whose folder is removed', () =>
    running(async ({ server, shipping, printed, data, kept }) => {
      const posting = postUntilKilled(server.url, await signUp(server.url))
      await sleep(4_000)
      const killedAt = Date.now()
      await server.end('SIGKILL')
      await rm(data, { recursive: true })
      const [code] = await once(shipping, 'exit')
      assert.deepEqual([code, /guildhall\.db is gone/.test(printed())], [1, true], printed())
      const acknowledged = await posting
      const restored = await runProgram(['src/admin.ts', 'restore', kept, '--unauthenticated'], { DATA_DIR: data })
      assert.equal(restored.code, 0, restored.output)
      const titles = await titlesIn(join(data, 'guildhall.db'))
      const lost = [...acknowledged].filter(([title]) => !titles.has(title)).map(([, at]) => killedAt - at)
      assert.ok(acknowledged.size > 10, `${acknowledged.size} posts`)
      assert.ok(Math.max(0, ...lost) <= MOST_LOST_MILLISECONDS, `lost for ${Math.max(...lost)} ms`)
    }))

  it('has everything once it is stopped, and is restored to a time within', () =>
    running(async ({ server, shipping, folder, kept }) => {
      const cookie = await signUp(server.url)
      const post = async (title: string) => {
        const headers = { 'Content-Type': 'application/json', Cookie: cookie, Origin: server.url }
        await fetch(`${server.url}/api/community/posts`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ title, body: 'B' }),
        })
      }
      await post('First')
      while (!(await partsIn(kept)).some((part) => part.includes('First'))) await sleep(50)
      const between = new Date().toISOString()
      await sleep(20)
      await post('Second')
      shipping.kill('SIGTERM')
      assert.deepEqual(await once(shipping, 'exit'), [0, null])
      await server.end('SIGTERM')
      const restore = async (DATA_DIR: string, ...at: string[]) => {
        const { code, output } = await runProgram(['src/admin.ts', 'restore', kept, '--unauthenticated', ...at], {
          DATA_DIR,
        })
        assert.equal(code, 0, output)
        return titlesIn(join(DATA_DIR, 'guildhall.db'))
      }
      assert.deepEqual(await restore(join(folder, 'all')), new Set(['First', 'Second']))
      assert.deepEqual(await restore(join(folder, 'then'), '--at', between), new Set(['First']))
    }))
})

describe('a backup beside a continuous one', () => {
  it('does not hide what the continuous one wrote after it, and does not remove where that began', () =>
    running(async ({ server, shipping, folder, data, kept }) => {
      const cookie = await signUp(server.url)
      const headers = { 'Content-Type': 'application/json', Cookie: cookie, Origin: server.url }
      const post = async (title: string) => {
        const body = JSON.stringify({ title, body: 'B' })
        const { status } = await fetch(`${server.url}/api/community/posts`, { method: 'POST', headers, body })
        assert.equal(status, 201)
      }
      await post('Before the daily backup')
      while (!(await partsIn(kept)).some((part) => part.includes('Before the daily'))) await sleep(50)
      const daily = () => runProgram(['src/admin.ts', 'backup', kept, '--keep', '1', '--json'], { DATA_DIR: data })
      for (const { code, output } of [await daily(), await daily()]) assert.equal(code, 0, output)
      const between = new Date().toISOString()
      await post('After it')
      while (!(await partsIn(kept)).some((part) => part.includes('After it'))) await sleep(50)
      shipping.kill('SIGKILL')
      await server.end('SIGKILL')
      const restore = async (DATA_DIR: string, ...at: string[]) => {
        const { code, output } = await runProgram(['src/admin.ts', 'restore', kept, '--unauthenticated', ...at], {
          DATA_DIR,
        })
        assert.equal(code, 0, output)
        return titlesIn(join(DATA_DIR, 'guildhall.db'))
      }
      assert.deepEqual(await restore(join(folder, 'all')), new Set(['Before the daily backup', 'After it']))
      const then = await restore(join(folder, 'then'), '--at', between)
      assert.deepEqual(then, new Set(['Before the daily backup']))
    }))
})
