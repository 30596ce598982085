// The gate in front of all routing: a path that is not canonical is refused, regardless of its route.
import assert from 'node:assert/strict'
import { it as plainIt } from 'node:test'
import fc from 'fast-check'
import { judgeTarget } from '../src/surfaces/http/gate.ts'
import { raw } from './raw.ts'
import { listening } from './stored.ts'
import { onEveryEngine, type World } from './world.ts'

const crooked = [
  '/api/community\\feed',
  '/\\evil.example',
  '/api/community/%5c',
  '/api//community/feed',
  '//evil.example/feed.atom',
  '//',
  '/community//',
  '/api/./community/feed',
  '/api/community/..',
  '/api/community/../library/items',
  '/api/%2e%2e/x',
  '/api/.%2E/x',
  '/api/%2e/community/feed',
  '/api/..%2fcommunity/feed',
  '/%2fevil.example',
  '/api/community/bugs/..%2F..',
  '/api/community/feed%',
  '/api/community/%zz',
  '/api/community/%ff',
  '/community?q=%zz',
  '/community?q=%ff',
  '/community?q=%00',
  '/community?q=%ed%a0%80',
  '/community#here',
  'http://evil.example/api/community/feed',
  'api/community/feed',
  '*',
]

onEveryEngine('a path that is not canonical', (it) => {
  it('is 400 before any other check, for every caller', async (world) => {
    await listening(world, async (port) => {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        for (const target of crooked) {
          const { status, headers } = await raw(port, `${method} ${target}`, { more: 'Content-Length: 0\r\n' })
          assert.equal(status, 400, `${method} ${target}`)
          assert.ok(headers['x-request-id'], target)
        }
      }
      const { status } = await raw(port, 'GET /community/u/jos\u00e9')
      assert.equal(status, 400)
    })
  })

  it('with needless encoding redirects reads to the canonical one, and nothing else', async (world) => {
    await listening(world, async (port) => {
      for (const [target, plain] of [
        ['/%61pi/community/feed', '/api/community/feed'],
        ['/api/community/%66eed?sort=%6catest', '/api/community/feed?sort=%6catest'],
        ['/community/u/%7Ealice', '/community/u/~alice'],
        ['/community/u/%D0%B0%2Db', '/community/u/%D0%B0-b'],
      ] as const) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await raw(port, `${method} ${target}`)
          assert.deepEqual([answer.status, answer.headers['location']], [308, plain])
        }
        assert.equal((await raw(port, `POST ${target}`, { more: 'Content-Length: 0\r\n' })).status, 400, target)
        assert.equal((await raw(port, `DELETE ${target}`)).status, 400, target)
      }
    })
  })

  it('is refused in the words of its area, and as a page where people look', async (world) => {
    await listening(world, async (port) => {
      const json = async (target: string) => JSON.parse((await raw(port, `GET ${target}`)).body)
      assert.equal(typeof (await json('/api/community//feed')).error, 'string')
      assert.equal((await json('/api/library/../items')).error, (await json('/api/library/../items')).error)
      assert.equal((await json('/api/library//items')).error.code, 'invalid_request')
      assert.equal((await json('/api/auth//sign-out')).code, 'invalid_request')
      assert.equal((await json('/api/auth/oauth2//token')).error, 'invalid_request')
      const page = await raw(port, 'GET /community//bugs')
      assert.match(page.headers['content-type']!, /^text\/html/)
      assert.match(page.headers['content-security-policy']!, /default-src 'none'/)
      assert.doesNotMatch((await raw(port, 'GET /<script>//x')).body, /<script>/)
    })
  })

  it('that holds NUL or half a surrogate pair is not found, as any other that is not there', async (world) => {
    await listening(world, async (port) => {
      for (const text of ['%00', 'a%00b', '%ED%A0%80', 'x%ed%bf%bf']) {
        for (const path of ['/api/community/bugs/', '/api/library/items/', '/api/images/org/', '/community/u/'])
          assert.equal((await raw(port, `GET ${path}${text}`)).status, 404, path + text)
        assert.equal((await raw(port, `DELETE /api/community/bugs/${text}`)).status, 404)
      }
    })
  })

  it('is refused of calls in process, too', async (world) => {
    const { anonymous, alice } = world
    assert.equal((await anonymous.request('/api//community/feed')).status, 400)
    assert.equal((await anonymous.request('/%61pi/community/feed')).status, 308)
    for (const id of ['', '.', '..', 'a/b', '..\\..', 'a\u0000b', '\ud800', '../../auth/sign-out']) {
      await assert.rejects(alice.bugs.get({ id }), { status: 404 }, JSON.stringify(id))
      await assert.rejects(alice.bugs.delete({ id }), { status: 404 }, JSON.stringify(id))
      await assert.rejects(alice.library.get({ id }), { status: 404, code: 'not_found' }, JSON.stringify(id))
    }
    assert.equal((await anonymous.request('/api/community/bugs/a%2Fb')).status, 404)
    await canStillRead(world)
  })

  it('builds the addresses of pages from BASE_URL, regardless of the host of the request', async (world) => {
    await listening(world, async (port) => {
      for (const host of ['evil.example', 'evil.example:81', 'localhost']) {
        const { status, body } = await raw(port, 'GET /feed.atom', { head: `Host: ${host}\r\n` })
        assert.equal(status, 200)
        assert.ok(body.includes('http://localhost:3000/feed.atom') && !body.includes('evil'), body)
      }
    })
  })
})

async function canStillRead({ anonymous }: World): Promise<void> {
  assert.equal((await anonymous.request('/api/community/feed')).status, 200)
}

plainIt('A target that may go on is one that a URL parser leaves as it is', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '//',
      '.',
      '..',
      '%2e',
      '%2E%2e',
      '%2f',
      '%5c',
      '\\',
      '%61',
      '%00',
      '%',
      '?',
      '#',
      '@',
      ':',
      '%c3%a9',
      'é',
    ),
    fc.string({ maxLength: 4 }),
    fc.webSegment(),
  )
  const target = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`)
  fc.assert(
    fc.property(target, (given) => {
      if (judgeTarget(given) !== undefined) return
      const url = URL.parse(given, 'http://site.invalid')
      assert.equal(url?.origin, 'http://site.invalid', given)
      const path = given.split('?')[0]!
      // A parser may encode what a browser would have encoded; it takes no segment away and adds none.
      assert.equal(url.pathname.split('/').length, path.split('/').length, given)
      assert.equal(decodeURIComponent(url.pathname), decodeURIComponent(path), given)
    }),
    { numRuns: 20_000 },
  )
})
