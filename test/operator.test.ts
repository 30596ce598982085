// What is for the operator alone: figures and reasons, by a listener or a token of their own; and the files of the data folder.
import assert from 'node:assert/strict'
import { chmod, lstat, mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { defaultMailUrl, deleteOldMails } from '../src/mail/mail.ts'
import { type Environment, freePort, runProgram, startServer, type TestServer, withData, withFolder } from './server.ts'
import { onEveryEngine } from './world.ts'

const TOKEN = 'a-token-of-the-operator'
const KEY = JSON.stringify((await import('../src/oauth/server/server.ts')).newSigningKey())

async function ask(server: Pick<TestServer, 'url'>, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(server.url + path, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Does `work` while a server runs. */
const running = (environment: Environment, work: (server: TestServer, folder: string) => Promise<void>) =>
  withData(async (DATA_DIR) => {
    const server = await startServer({ DATA_DIR, ...environment })
    try {
      await work(server, DATA_DIR)
    } finally {
      await server.end('SIGTERM')
    }
  })

const isDetailed = ({ text }: { text: string }) => /^ready\nwriting: ok\n/.test(text)

describe('/metrics and the details of /readyz', () => {
  it('are for a direct call from this machine unless told otherwise, never through a proxy or another name', () =>
    running({}, async (server) => {
      const metrics = await ask(server, '/metrics')
      assert.equal(metrics.status, 200)
      assert.match(metrics.text, /^guildhall_writes_refused 0$/m)
      // No page of another site may read it in the operator's browser.
      assert.equal(metrics.headers.get('access-control-allow-origin'), null)
      assert.ok(isDetailed(await ask(server, '/readyz')))
      for (const headers of [
        { 'X-Forwarded-For': '203.0.113.5' },
        { Forwarded: 'for=203.0.113.5' },
        { 'X-Real-IP': '203.0.113.5' },
        { Via: '1.1 proxy' },
        { 'X-Forwarded-Proto': 'https' },
        { 'Sec-Fetch-Site': 'cross-site' },
      ] as Record<string, string>[]) {
        assert.equal((await ask(server, '/metrics', headers)).status, 404, JSON.stringify(headers))
        const ready = await ask(server, '/readyz', headers)
        assert.deepEqual([ready.status, ready.text], [200, 'ready\n'])
      }
      // A foreign name that leads to this machine.
      const { port } = new URL(server.url)
      const { request } = await import('node:http')
      const status = await new Promise<number>((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path: '/metrics', headers: { Host: `evil.example:${port}` } }
        request(options, (answer) => resolve(answer.resume().statusCode!))
          .on('error', reject)
          .end()
      })
      assert.equal(status, 404)
    }))

  it('are not served on a public origin without a token', () =>
    running({ BASE_URL: 'https://guild.example', RATE_LIMITS: 'on', SIGNING_KEY: KEY }, async (server) => {
      assert.equal((await ask(server, '/metrics')).status, 404)
      assert.equal((await ask(server, '/readyz')).text, 'ready\n')
      assert.equal((await ask(server, '/healthz')).text, 'ok\n')
    }))

  it('are served for the token, from anywhere', () =>
    running(
      { BASE_URL: 'https://guild.example', RATE_LIMITS: 'on', SIGNING_KEY: KEY, METRICS_TOKEN: TOKEN },
      async (server) => {
        for (const authorization of ['', 'Bearer nothing', `Basic ${TOKEN}`]) {
          const headers: Record<string, string> = authorization ? { authorization } : {}
          const refused = await ask(server, '/metrics', headers)
          assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, 'Bearer realm="metrics"'])
          assert.equal((await ask(server, '/readyz', headers)).text, 'ready\n')
        }
        const headers = { Authorization: `Bearer ${TOKEN}`, 'X-Forwarded-For': '203.0.113.5' }
        assert.match((await ask(server, '/metrics', headers)).text, /guildhall_requests_total/)
        assert.ok(isDetailed(await ask(server, '/readyz', headers)))
      },
    ))

  it('have a listener of their own on loopback with METRICS_PORT, and then no other', async () => {
    const port = await freePort()
    await running({ METRICS_PORT: String(port) }, async (server) => {
      const operators = { url: `http://127.0.0.1:${port}` }
      assert.match((await ask(operators, '/metrics')).text, /guildhall_requests_total/)
      assert.ok(isDetailed(await ask(operators, '/readyz')))
      assert.equal((await ask(operators, '/healthz')).text, 'ok\n')
      assert.equal((await ask(operators, '/api/community/feed')).status, 404)
      assert.equal((await ask(operators, '/metrics', { 'X-Forwarded-For': '203.0.113.5' })).status, 404)
      assert.equal((await ask(server, '/metrics')).status, 404)
      assert.equal((await ask(server, '/readyz')).text, 'ready\n')
    })
  })

  it('are refused a token or port that is no good, without repeating the token', () =>
    withFolder(async (DATA_DIR) => {
      const start = (environment: Environment) => runProgram(['src/main.ts'], { DATA_DIR, ...environment })
      const short = await start({ METRICS_TOKEN: 'short-secret' })
      assert.equal(short.code, 1)
      assert.match(short.output, /METRICS_TOKEN is not what it must be .*16 to 200/)
      assert.ok(!short.output.includes('short-secret'))
      assert.match((await start({ PORT: '4321', METRICS_PORT: '4321' })).output, /METRICS_PORT is 4321, where PORT is/)
    }))
})

/** Every file and folder below, with what others may do with it. */
async function open(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found = await Promise.all(
    [folder, ...entries.map(({ parentPath, name }) => join(parentPath, name))].map(async (path) => {
      const { mode } = await lstat(path)
      return (mode & 0o077) === 0 || (await lstat(path)).isSymbolicLink()
        ? []
        : [`${path} ${(mode & 0o777).toString(8)}`]
    }),
  )
  return found.flat()
}

describe('the data folder', { skip: process.platform === 'win32' }, () => {
  it('is private: what is made in it, and what was there before', () =>
    withFolder(async (folder) => {
      const DATA_DIR = join(folder, 'data')
      const first = await startServer({ DATA_DIR })
      await use(first)
      await mailIn(join(DATA_DIR, 'mail'))
      assert.deepEqual(await open(DATA_DIR), [])
      await first.end('SIGKILL')
      // As an older version, or a copy, would have left it.
      const entries = await readdir(DATA_DIR, { recursive: true, withFileTypes: true })
      assert.ok(entries.some(({ name }) => name === 'guildhall.db-wal'))
      assert.ok(entries.some(({ name }) => name.endsWith('.eml')))
      await mkdir(join(DATA_DIR, 'blobs', 'staging'), { recursive: true })
      await writeFile(join(DATA_DIR, 'blobs', 'staging', 'x.part'), 'x')
      await writeFile(join(folder, 'elsewhere'), 'x', { mode: 0o644 })
      await symlink(join(folder, 'elsewhere'), join(DATA_DIR, 'link'))
      for (const entry of entries) {
        await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
      }
      await chmod(DATA_DIR, 0o755)
      assert.ok((await open(DATA_DIR)).length > 5)
      const second = await startServer({ DATA_DIR })
      for (let n = 0; n < 100 && (await open(DATA_DIR)).length > 0; n++) await setTimeout(20)
      assert.deepEqual(await open(DATA_DIR), [])
      assert.equal((await lstat(join(folder, 'elsewhere'))).mode & 0o777, 0o644)
      await use(second)
      assert.deepEqual(await open(DATA_DIR), [])
      await second.end('SIGTERM')
    }))

  it('keeps its mode where all accounts share it, with a warning; what is made in it is private', () =>
    withFolder(async (folder) => {
      const DATA_DIR = join(folder, 'shared')
      await mkdir(DATA_DIR)
      await writeFile(join(DATA_DIR, 'of-another'), 'x')
      await chmod(join(DATA_DIR, 'of-another'), 0o644)
      await chmod(DATA_DIR, 0o1777)
      const server = await startServer({ DATA_DIR, LOG_LEVEL: 'warn' })
      await use(server)
      await server.end('SIGTERM')
      assert.match(server.output(), /other accounts use DATA_DIR too/)
      assert.deepEqual(await open(DATA_DIR), [`${DATA_DIR} 777`, `${join(DATA_DIR, 'of-another')} 644`])
    }))
})

/** Makes Guildhall write everything it writes: rows, files, pictures, mail. */
/** Resolves once a mail was written there: that is after the answer to the request that caused it. */
async function mailIn(folder: string): Promise<void> {
  const isThere = async () => (await readdir(folder).catch(() => [])).some((name) => name.endsWith('.eml'))
  while (!(await isThere())) await setTimeout(20)
}

async function use({ url }: TestServer): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  const email = `${Math.random().toString(36).slice(2)}@example.com`
  const body = JSON.stringify({ name: 'Carol', email, password: 'correct horse battery' })
  const joined = await fetch(`${url}/api/auth/sign-up/email`, { method: 'POST', headers, body })
  const cookie = joined.headers.get('set-cookie')!.split(';')[0]!
  const form = new FormData()
  form.set('kind', 'org')
  form.set('file', new File([JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] })], 'org.json'))
  assert.equal(
    (await fetch(`${url}/api/library/items`, { method: 'POST', headers: { cookie }, body: form })).status,
    201,
  )
  const orgJson = JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] })
  const org = await fetch(`${url}/api/community/orgs`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify({ orgJson }),
  })
  const files = new FormData()
  files.set('files', new File(['# Hi'], 'a.md'))
  const run = `${url}/api/community/orgs/${((await org.json()) as { id: string }).id}/runs`
  assert.equal((await fetch(run, { method: 'POST', headers: { cookie }, body: files })).status, 201)
  await fetch(`${url}/api/auth/sign-in/code`, { method: 'POST', headers, body: JSON.stringify({ email }) })
  await setTimeout(500)
}

onEveryEngine('the default mail folder', (it) => {
  it('keeps a mail for a day; one that the operator named is left alone', async ({ app, dependencies }) => {
    const dataDir = dependencies.config.blobUrl.slice('file:'.length)
    for (const [name, value] of Object.entries({ dataDir, mailUrl: defaultMailUrl(dataDir) })) {
      Object.defineProperty(dependencies.config, name, { value, configurable: true })
    }
    const folder = join(dataDir, 'mail')
    await mkdir(folder, { recursive: true })
    const day = 86_400_000
    const write = async (name: string, age: number) => {
      const then = new Date(dependencies.clock.now() - age)
      await writeFile(join(folder, name), 'x')
      await utimes(join(folder, name), then, then)
    }
    await write('old.eml', day + 1_000)
    await write('old.eml.part', day + 1_000)
    await write('young.eml', day - 60_000)
    await write('notes.txt', 9 * day)
    await deleteOldMails({ mailUrl: `file:${folder}x`, dataDir }, dependencies.clock.now())
    assert.equal((await readdir(folder)).length, 4)
    await app.cleanUp()
    assert.deepEqual((await readdir(folder)).sort(), ['notes.txt', 'young.eml'])
  })
})
