// Rules for every request.
import assert from 'node:assert/strict'
import { it as plainIt } from 'node:test'
import { addressKey } from '../src/budgets/budgets.ts'
import { clientAddress } from '../src/surfaces/http/origin.ts'
import { BASE_URL, onEveryEngine } from './world.ts'

const json = { 'Content-Type': 'application/json' }
const bug = JSON.stringify({ title: 'T', description: 'D', severity: 'low' })

onEveryEngine('every answer', (it) => {
  it('carries a request id of its own, and headers that keep browsers from guessing', async ({ anonymous }) => {
    const ids = new Set<string>()
    for (const path of [
      '/api/community/feed',
      '/api/nothing',
      '/api/auth/get-session',
      '/healthz',
      '/readyz',
      '/metrics',
      '/api/openapi.json',
      '/nothing',
    ]) {
      const { headers } = await anonymous.request(path, { headers: { 'X-Request-Id': 'mine' } })
      ids.add(headers.get('x-request-id')!)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
      assert.match(headers.get('content-security-policy')!, /frame-ancestors 'none'/, path)
      assert.equal(headers.get('referrer-policy'), 'strict-origin-when-cross-origin', path)
    }
    assert.equal(ids.size, 8)
    assert.ok(!ids.has('mine'))
  })

  it('is JSON 404 for an unknown path, in the format of its area', async ({ anonymous }) => {
    const community = await anonymous.request('/api/community/nothing')
    assert.deepEqual([community.status, await community.json()], [404, { error: 'There is nothing here' }])
    const accounts = await anonymous.request('/api/auth/nothing', { method: 'POST' })
    assert.deepEqual([accounts.status, (await accounts.json()).code], [404, 'not_found'])
    assert.equal((await anonymous.request('/api')).status, 404)
  })

  it('is 405 with Allow for a method a path does not take', async ({ anonymous }) => {
    const feed = await anonymous.request('/api/community/feed', { method: 'POST', body: '{}' })
    assert.deepEqual([feed.status, feed.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
    const bugs = await anonymous.request('/api/community/bugs/1', { method: 'PUT', body: '{}' })
    assert.deepEqual([bugs.status, bugs.headers.get('allow')], [405, 'DELETE, GET, HEAD, OPTIONS, PATCH'])
    assert.equal((await anonymous.request('/api/openapi.json', { method: 'POST' })).status, 405)
  })

  it('has the same headers for HEAD as for GET, and no body', async ({ alice, anonymous }) => {
    const { id } = await alice.bugs.create({ title: 'T', description: 'D', severity: 'low' })
    for (const path of ['/api/community/feed', `/api/community/bugs/${id}`, '/healthz', '/api/openapi.json']) {
      const [get, head] = [await anonymous.request(path), await anonymous.request(path, { method: 'HEAD' })]
      assert.equal(head.status, get.status)
      assert.equal(head.headers.get('content-type'), get.headers.get('content-type'))
      assert.equal(await head.text(), '')
    }
    assert.equal((await anonymous.request('/api/community/bugs/nothing', { method: 'HEAD' })).status, 404)
  })
})

onEveryEngine('a body', (it) => {
  it('that is not a JSON object in UTF-8 is 400, and changes nothing', async ({ alice }) => {
    const bodies = [
      '{',
      'null',
      '[]',
      '"x"',
      '1',
      'title=T&description=D',
      '{"title":"T",}',
      "{'title':1}",
      '\u0000',
      '{"title":"T"}{}',
    ]
    for (const body of [...bodies, new Uint8Array([0x7b, 0xff, 0x7d])]) {
      const response = await alice.request('/api/community/bugs', { method: 'POST', headers: json, body })
      assert.equal(response.status, 400, String(body))
      assert.equal(typeof (await response.json()).error, 'string')
    }
    assert.equal((await alice.bugs.list()).total, 0)
  })

  it('is read for a known caller only, so that 401 comes before 400', async ({ anonymous, alice }) => {
    const send = { method: 'POST', headers: json, body: '{' }
    assert.equal((await anonymous.request('/api/community/bugs', send)).status, 401)
    assert.equal((await alice.request('/api/community/labels', send)).status, 403)
    assert.equal((await alice.request('/api/community/bugs', send)).status, 400)
    assert.equal((await alice.request('/api/community/bugs/nothing/vote', send)).status, 400)
  })

  it('above the limit is refused before it is read, declared or not', async ({ alice }) => {
    const room = 256 * 1024 - JSON.stringify({ title: 'T', description: 'D', severity: 'low', x: '' }).length
    const filled = (length: number) =>
      JSON.stringify({ title: 'T', description: 'D', severity: 'low', x: 'x'.repeat(length) })
    const send = (body: BodyInit, headers: Record<string, string> = {}) =>
      alice.request('/api/community/bugs', {
        method: 'POST',
        headers: { ...json, ...headers },
        body,
        duplex: 'half',
      } as RequestInit)
    assert.equal((await send(filled(room))).status, 201)
    assert.equal((await send(filled(room + 1))).status, 400)
    assert.equal((await send(bug, { 'Content-Length': '99999999' })).status, 400)
    let pulled = 0
    const endless = new ReadableStream({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
      },
    })
    assert.equal((await send(endless)).status, 400)
    assert.ok(pulled < 10, `read ${pulled} chunks`)
  })

  it('may be nested within bounds in fields that are not read, and its tricks stay text', async ({ alice }) => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const bodyOf = (deep: string) =>
      `{"title":"'); drop table bug; --","description":"\${7*7}","severity":"low","__proto__":{"role":"admin"},"constructor":1,"x":${deep}}`
    const post = (body: string) => alice.request('/api/community/bugs', { method: 'POST', headers: json, body })
    assert.equal((await post(bodyOf(nested(100_000)))).status, 400)
    assert.equal((await post(bodyOf(nested(60)))).status, 201)
    assert.equal((await alice.bugs.list()).items[0]!.title, "'); drop table bug; --")
    assert.equal(({} as { role?: string }).role, undefined)
    assert.equal((await alice.account()).role, 'member')
  })

  it('holds no NUL and no lone surrogate, anywhere', async ({ alice, anonymous }) => {
    for (const text of ['a\u0000b', 'a\ud800b', '\udc00']) {
      const body = JSON.stringify({ title: text, description: 'D', severity: 'low' })
      const response = await alice.request('/api/community/bugs', { method: 'POST', headers: json, body })
      assert.deepEqual(await response.json(), { error: 'title: must be well-formed text without NUL characters' })
      await assert.rejects(alice.profile.setUsername({ username: `abc${text}` }), { status: 400 })
    }
    for (const path of [
      'bugs?q=%00',
      'bugs?authorId=%00',
      'bugs?label=%00',
      'feed?authorId=%00',
      'bugs/%00',
      'bugs/%ff%fe',
      'bugs/%00/comments',
    ]) {
      const { status } = await anonymous.request(`/api/community/${path}`)
      assert.ok(
        status === 400 || status === 404 || (path.startsWith('bugs?') && status === 200),
        `${path} is ${status}`,
      )
    }
  })
})

onEveryEngine('browsers', (it) => {
  it('of any origin may read, without cookies, and send a token', async ({ anonymous }) => {
    const { headers } = await anonymous.request('/api/community/feed', {
      headers: { Origin: 'https://elsewhere.example' },
    })
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('access-control-allow-credentials'), null)
    const preflight = await anonymous.request('/api/community/bugs', {
      method: 'OPTIONS',
      headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' },
    })
    assert.equal(preflight.status, 204)
    assert.match(preflight.headers.get('access-control-allow-methods')!, /POST/)
    assert.match(preflight.headers.get('access-control-allow-headers')!, /Authorization/)
  })

  it('on other sites cannot write with a cookie', async ({ alice }) => {
    const send = (headers: Record<string, string>) =>
      alice.request('/api/community/bugs', { method: 'POST', headers: { ...json, ...headers }, body: bug })
    const elsewhere = { Origin: 'https://elsewhere.example' }
    const status = async (headers: Record<string, string>) => (await send(headers)).status
    assert.equal(await status({}), 201)
    assert.equal(await status({ 'Sec-Fetch-Site': 'same-origin', ...elsewhere }), 201)
    assert.equal(await status({ 'Sec-Fetch-Site': 'none' }), 201)
    assert.equal(await status({ 'Sec-Fetch-Site': 'cross-site' }), 403)
    assert.equal(await status({ 'Sec-Fetch-Site': 'same-site', Origin: BASE_URL }), 403)
    assert.equal(await status({ Origin: BASE_URL }), 201)
    for (const origin of ['http://127.0.0.1:3000', 'http://[::1]:3000'])
      assert.equal(await status({ Origin: origin }), 201)
    for (const origin of ['http://localhost:3001', 'https://localhost:3000', 'http://localhost.example:3000', 'null']) {
      assert.equal(await status({ Origin: origin }), 403, origin)
    }
    assert.deepEqual(await (await send(elsewhere)).json(), { error: 'This request came from another site' })
  })

  it('on other sites get the same 401 as everybody when they bring no cookie', async ({ anonymous }) => {
    const response = await anonymous.request('/api/community/bugs', {
      method: 'POST',
      headers: { ...json, Origin: 'https://elsewhere.example' },
      body: bug,
    })
    assert.equal(response.status, 401)
    assert.match(
      response.headers.get('www-authenticate')!,
      /^Bearer resource_metadata="http:\/\/localhost:3000\/\.well-known\/oauth-protected-resource\/api", scope="community:write"$/,
    )
  })
})

onEveryEngine('a token that is no good', (it) => {
  it('is no credential: 401 if one is required, an anonymous caller otherwise', async ({ anonymous }) => {
    const headers = { Authorization: 'bearer not-a-token' }
    assert.equal((await anonymous.request('/api/community/me', { headers })).status, 401)
    assert.equal((await anonymous.request('/api/community/feed', { headers })).status, 200)
  })
})

plainIt('An invented X-Forwarded-For counts for nothing: only what trusted proxies appended is read', () => {
  assert.equal(clientAddress('192.0.2.1', '6.6.6.6', 0), '192.0.2.1')
  assert.equal(clientAddress('192.0.2.1', '6.6.6.6, 198.51.100.7', 1), '198.51.100.7')
  assert.equal(clientAddress('192.0.2.1', '6.6.6.6, 198.51.100.7, 10.0.0.2', 2), '198.51.100.7')
  assert.equal(clientAddress('192.0.2.1', null, 2), '192.0.2.1')
  assert.equal(clientAddress('192.0.2.1', '198.51.100.7', 2), '198.51.100.7')
})

plainIt('A limit is held against an IPv4 address or the /64 of an IPv6 one', () => {
  assert.equal(addressKey('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(addressKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  assert.equal(addressKey('2001:db8::1'), addressKey('2001:db8::2'))
  assert.notEqual(addressKey('2001:db8:0:1::1'), addressKey('2001:db8:0:2::1'))
  assert.equal(addressKey('::1'), '0:0:0:0')
})
