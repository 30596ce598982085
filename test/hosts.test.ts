// The Host of a request has no say in what is routed and cached: one that is no name is refused, any other only tells origins apart.
import assert from 'node:assert/strict'
import { raw } from './raw.ts'
import { listening } from './stored.ts'
import { onEveryEngine } from './world.ts'

const host = (value: string) => `Host: ${value}\r\n`

const BAD = [
  '',
  ' ',
  'ü.ü.ü',
  sideways('/api/library/items/workflow/evil?'),
  'localhost/api/community/feed?x',
  'localhost/healthz?',
  'localhost\\healthz',
  'localhost?x',
  'localhost#x',
  'user@localhost',
  'user:word@localhost',
  'localhost, localhost',
  'local host',
  'http://localhost',
  '.localhost',
  'local..host',
  'localhost..',
  '.',
  'local%68ost',
  'localhost:',
  'localhost:0',
  'localhost:65536',
  'localhost:000080',
  'localhost:80:80',
  'localhost:8a',
  'localhost:-1',
  '::1',
  '[::1',
  '[::1]:',
  '[::1]:65536',
  '[::1]x',
  '[]',
  '[1::2::3]',
  '[fe80::1%25lo]',
  '[127.0.0.1]',
  `${'a'.repeat(300)}`,
]

const GOOD = [
  'localhost',
  'LocalHost',
  'localhost.',
  'localhost.:65535',
  'localhost:1',
  'a_b-c.example:8080',
  'xn--tda.example',
  '127.0.0.1:3000',
  '[::1]',
  '[::1]:3000',
  '[::ffff:127.0.0.1]',
]

/** A Host that goes on as the target `rest`; its name in ASCII is as long as all of it, which is all that a library compared. */
function sideways(rest: string): string {
  const whole = rest.padEnd(Math.ceil(rest.length / 6) * 6, 'x')
  return Array.from({ length: whole.length / 6 }, () => 'ü').join('.') + whole
}

const SIDEWAYS = [
  ...['/api/community/feed?', '\\api\\community\\feed?', '/api/community/feed#', '/readyz?'].map(sideways),
  'localhost/api/community/feed?',
]

onEveryEngine(
  'the Host of a request',
  (it) => {
    it('is one name or address with or without a port, or the request is 400 before anything', async (world) => {
      await listening(world, async (port) => {
        for (const value of BAD) {
          for (const method of ['GET', 'POST', 'OPTIONS']) {
            const answer = await raw(port, `${method} /healthz`, { head: host(value), more: 'Content-Length: 0\r\n' })
            assert.equal(answer.status, 400, `${method} ${value}`)
            assert.ok(answer.headers['x-request-id'], value)
          }
        }
        for (const value of GOOD) {
          assert.equal((await raw(port, 'GET /api/community/feed', { head: host(value) })).status, 200, value)
          assert.equal((await raw(port, 'GET /healthz', { head: host(value) })).status, 200, value)
        }
      })
    })

    it('is there once; a request of HTTP/1.0 may have none', async (world) => {
      await listening(world, async (port) => {
        const status = async (head: string, version = '1.1') =>
          (await raw(port, 'GET /api/community/feed', { head, version })).status
        assert.equal(await status('Host: localhost\r\nHost: localhost\r\n'), 400)
        assert.equal(await status('Host: localhost\r\nhOST: evil.example\r\n'), 400)
        assert.equal(await status(''), 400)
        assert.equal(await status('', '1.0'), 200)
        assert.equal(await status('Host: localhost\r\n', '1.0'), 200)
        assert.equal(await status(host('ü.ü.ü/healthz?'), '1.0'), 400)
        for (const target of ['http://localhost/healthz', 'http://x/', 'https://localhost:3000/api/community/feed'])
          assert.equal((await raw(port, `GET ${target}`)).status, 400, target)
      })
    })

    it('chooses no route, and poisons no cache', async (world) => {
      const { alice } = world
      await listening(world, async (port) => {
        for (const value of SIDEWAYS) {
          const title = `So that the caches are empty: ${value}`
          const { number } = await alice.bugs.create({ title, description: 'It is', severity: 'low' })
          const expected = new Map([
            ['/api/community/bugs', title],
            [`/api/community/numbers/${number}`, String(number)],
            ['/community', 'Community'],
            ['/healthz', 'ok'],
          ])
          for (const [path, holds] of expected) {
            const poison = await raw(port, `GET ${path}`, { head: host(value) })
            assert.equal(poison.status, 400, `${path} by ${value}`)
            const { status, body } = await raw(port, `GET ${path}`)
            assert.equal(status, 200, `${path} by ${value}`)
            const text = path.startsWith('/api') ? JSON.stringify(JSON.parse(body)) : body
            assert.ok(
              text.includes(path.startsWith('/api') ? JSON.stringify(holds).slice(1, -1) : holds),
              `${path} by ${value}`,
            )
          }
        }
      })
    })

    it('does not change what a good one gets, and the URL is that of BASE_URL', async (world) => {
      const urls: string[] = []
      const { fetch } = world.app
      world.app.fetch = (request, context) => {
        urls.push(request.url)
        return fetch(request, context)
      }
      await listening(world, async (port) => {
        for (const value of GOOD) await raw(port, 'GET /nothing?of=it', { head: host(value) })
        for (const value of ['files.localhost:3000', 'FILES.localhost.:3000'])
          assert.equal((await raw(port, 'GET /healthz', { head: host(value) })).status, 404, value)
        await raw(port, 'POST /api/auth/sign-out', { more: 'Content-Length: 0\r\n' })
      })
      world.app.fetch = fetch
      assert.deepEqual(
        [...new Set(urls)],
        [
          'http://localhost:3000/nothing?of=it',
          'http://files.localhost:3000/healthz',
          'http://localhost:3000/api/auth/sign-out',
        ],
      )
    })
  },
  { FILES_URL: 'http://files.localhost:3000', TEST_PROCESSES: '1' },
)
