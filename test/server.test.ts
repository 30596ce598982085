// Guildhall as a process: what it says, what it survives, and how it stops.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { connect as connectSocket } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { runProgram, startServer, type TestServer, withData, withFolder } from './server.ts'

const json = { 'Content-Type': 'application/json' }
const bug = (title: string) => JSON.stringify({ title, description: 'D', severity: 'low' })

async function signUp({ url }: TestServer, email: string): Promise<string> {
  const body = JSON.stringify({ name: 'Carol', email, password: 'a long password' })
  const response = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: json,
    body,
  })
  assert.equal(response.status, 200)
  return response.headers.get('set-cookie')!.split(';')[0]!
}

const file = ({ url }: TestServer, cookie: string, title: string) =>
  fetch(`${url}/api/community/bugs`, { method: 'POST', headers: { ...json, cookie }, body: bug(title) })

const feed = async ({ url }: TestServer) =>
  (await (await fetch(`${url}/api/community/feed`)).json()) as { items: { title: string }[] }

describe('the server', () => {
  it('says where it is, where mail goes and how to make an admin', () =>
    withFolder(async (DATA_DIR) => {
      const server = await startServer({ DATA_DIR })
      assert.match(server.output(), /Guildhall is at http:\/\/localhost:\d+/)
      assert.ok(server.output().includes(join(DATA_DIR, 'mail')))
      assert.ok(server.output().includes('npm run admin -- grant <email> admin'))
      assert.equal(await server.end('SIGTERM'), 0)
    }))

  it('keeps everything on disk, mail included, and gives roles while it runs', () =>
    withFolder(async (DATA_DIR) => {
      const first = await startServer({ DATA_DIR })
      const cookie = await signUp(first, 'carol@example.com')
      assert.equal((await file(first, cookie, 'One')).status, 201)
      await fetch(`${first.url}/api/auth/sign-in/code`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ email: 'carol@example.com' }),
      })
      const grant = await runProgram(['src/admin.ts', 'grant', 'Carol@example.com', 'moderator'], { DATA_DIR })
      assert.deepEqual([grant.code, grant.output], [0, 'carol@example.com is moderator now.\n'])
      const session = await fetch(`${first.url}/api/auth/get-session`, { headers: { cookie } })
      assert.equal((await session.json()).user.role, 'moderator')
      assert.equal(await first.end('SIGTERM'), 0)
      const [mail] = await readdir(join(DATA_DIR, 'mail'))
      assert.match(await readFile(join(DATA_DIR, 'mail', mail!), 'utf8'), /^\d{6}$/m)
      const second = await startServer({ DATA_DIR })
      assert.deepEqual(
        (await feed(second)).items.map(({ title }) => title),
        ['One'],
      )
      assert.equal((await file(second, cookie, 'Two')).status, 201)
      await second.end('SIGTERM')
    }))

  it('loses no acknowledged write when it is killed in the middle of many', () =>
    withData(async (DATA_DIR) => {
      const first = await startServer({ DATA_DIR })
      const cookie = await signUp(first, 'carol@example.com')
      const acknowledged = new Set<string>()
      let running = true
      const writer = async (name: number) => {
        for (let index = 0; running; index++) {
          const title = `${name}/${index}`
          const response = await file(first, cookie, title).catch(() => undefined)
          if (response?.status === 201) acknowledged.add(title)
        }
      }
      const writers = Array.from({ length: 16 }, (_, name) => writer(name))
      while (acknowledged.size <= 200) await new Promise((resolve) => setTimeout(resolve, 5))
      const killed = first.end('SIGKILL')
      running = false
      await Promise.all([killed, ...writers])
      const second = await startServer({ DATA_DIR })
      const kept = new Set<string>()
      for (let page = 0; ; page++) {
        const response = await fetch(`${second.url}/api/community/bugs?per_page=100&page=${page}`)
        const { items, hasMore } = (await response.json()) as { items: { title: string }[]; hasMore: boolean }
        for (const { title } of items) kept.add(title)
        if (!hasMore) break
      }
      assert.deepEqual(
        [...acknowledged].filter((title) => !kept.has(title)),
        [],
      )
      await second.end('SIGTERM')
    }))

  it('never shows an anonymous user a feed that is one commit old', () =>
    withData(async (DATA_DIR) => {
      const server = await startServer({ DATA_DIR })
      const cookie = await signUp(server, 'carol@example.com')
      for (let index = 0; index < 30; index++) {
        await file(server, cookie, `Bug ${index}`)
        const [once, twice] = [await feed(server), await feed(server)]
        assert.equal(once.items[0]!.title, `Bug ${index}`)
        assert.deepEqual(once, twice)
      }
      const { headers } = await fetch(`${server.url}/api/community/feed`)
      const again = await fetch(`${server.url}/api/community/feed`)
      assert.notEqual(headers.get('x-request-id'), again.headers.get('x-request-id'))
      const metrics = await (await fetch(`${server.url}/metrics`)).text()
      assert.match(metrics, /guildhall_requests_total\{operation="ready",status="200"\} \d+/)
      assert.match(metrics, /guildhall_requests_total\{operation="bugs\.create",status="201"\} 30/)
      await server.end('SIGTERM')
    }))

  it('answers what is no HTTP in the form of every refusal', () =>
    withData(async (DATA_DIR) => {
      const server = await startServer({ DATA_DIR })
      for (const [head, status] of [
        ['POST /api/community/orgs HTTP/1.1\r\nHost: x\r\nContent-Length: abc', '400 Bad Request'],
        ['POST /api/community/orgs HTTP/1.1\r\nHost: x\r\nContent-Length: -5', '400 Bad Request'],
        [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}`, '431 Request Header Fields Too Large'],
      ] as const) {
        const socket = connectSocket(Number(new URL(server.url).port), '127.0.0.1')
        socket.write(`${head}\r\n\r\n`)
        let answer = ''
        for await (const chunk of socket) answer += chunk
        assert.ok(answer.startsWith(`HTTP/1.1 ${status}\r\n`), answer)
        assert.match(answer, /X-Request-Id: [0-9a-f-]{36}\r\n/)
        assert.deepEqual(JSON.parse(answer.split('\r\n\r\n')[1]!), { error: status.slice(4) })
      }
      assert.equal(await server.end('SIGTERM'), 0)
    }))

  it('answers the request in hand before it stops', () =>
    withData(async (DATA_DIR) => {
      const server = await startServer({ DATA_DIR })
      const cookie = await signUp(server, 'carol@example.com')
      const { port } = new URL(server.url)
      const socket = connectSocket(Number(port), '127.0.0.1')
      const body = bug('Last')
      const answered = new Promise<string>((resolve) => {
        let text = ''
        socket.on('data', (chunk) => {
          text += chunk.toString()
        })
        socket.on('close', () => resolve(text))
      })
      socket.write(
        `POST /api/community/bugs HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
      )
      // That it is in hand is said by the server, that it stops by its refusing others.
      await new Promise((resolve) => socket.once('data', resolve))
      const ended = server.end('SIGTERM')
      while (await fetch(`${server.url}/healthz`).catch(() => undefined)) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      socket.write(body)
      assert.match(await answered, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
      assert.equal(await ended, 0)
    }))

  it('logs no password, cookie or code', () =>
    withData(async (DATA_DIR) => {
      const server = await startServer({ DATA_DIR, LOG_LEVEL: 'trace' })
      const cookie = await signUp(server, 'carol@example.com')
      await fetch(`${server.url}/api/auth/sign-in/code`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ email: 'carol@example.com' }),
      })
      await fetch(`${server.url}/api/community/feed?q=x`, { headers: { Authorization: 'Bearer secret-token' } })
      await server.end('SIGTERM')
      const [mail] = await readdir(join(DATA_DIR, 'mail'))
      const code = (await readFile(join(DATA_DIR, 'mail', mail!), 'utf8')).match(/^\d{6}$/m)![0]
      assert.match(server.output(), /"requestId":"[\w-]{36}"/)
      for (const secret of ['a long password', cookie.split('=')[1]!, `"${code}"`, 'secret-token'])
        assert.ok(!server.output().includes(secret))
    }))

  it('says what to change when it cannot start', () =>
    withData(async (DATA_DIR) => {
      const start = (environment: Record<string, string>) => runProgram(['src/main.ts'], { DATA_DIR, ...environment })
      const bad = await start({ PORT: 'http', TRUST_PROXY: 'yes' })
      assert.equal(bad.code, 1)
      assert.match(bad.output, /^Guildhall cannot start:\nPORT is "http"; set it to .*\nTRUST_PROXY is "yes"/)
      const unreachable = await start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
      assert.equal(unreachable.code, 1)
      assert.match(unreachable.output, /cannot open its database.*\n.*DATABASE_URL/)
      const server = await startServer({ DATA_DIR })
      const second = await start({ PORT: new URL(server.url).port })
      assert.deepEqual([second.code, /is in use; set PORT/.test(second.output)], [1, true])
      await server.end('SIGTERM')
    }))
})

describe('the operator', () => {
  it('prints the arguments of a command, and its errors', () =>
    withData(async (DATA_DIR) => {
      const admin = (...args: string[]) => runProgram(['src/admin.ts', ...args], { DATA_DIR })
      assert.deepEqual((await admin()).code, 2)
      assert.match((await admin('grant', 'a@example.com', 'king')).output, /no role king/)
      assert.match((await admin('grant', 'a@example.com', 'admin')).output, /No account has the address a@example.com/)
    }))
})
