// Only our own pages can change the user of a cookie, with or without a cookie; and the media types of JSON operations.
import assert from 'node:assert/strict'
import { describe, it as plainIt } from 'node:test'
import { api } from '../src/api.ts'
import type { Contract, Operation } from '../src/contract/operation.ts'
import { requestOf } from '../src/surfaces/client.ts'
import { clientAddress } from '../src/surfaces/http/origin.ts'
import { BASE_URL, onEveryEngine } from './world.ts'

const operations = Object.values(api as Record<string, Contract>).flatMap((contract): Operation[] =>
  Object.values(contract),
)
const elsewhere: Record<string, string>[] = [
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
]
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

onEveryEngine('another site', (it) => {
  it('signs no browser in, up or out, even without a cookie', async ({ anonymous }) => {
    const setting = operations.filter(({ setsCookie }) => setsCookie)
    assert.ok(setting.length >= 6)
    for (const operation of setting) {
      for (const headers of elsewhere) {
        const request = requestOf(operation, {}, { baseUrl: BASE_URL })
        const { pathname } = new URL(request.url)
        const response = await anonymous.request(pathname, { method: operation.method, headers: { ...headers } })
        assert.equal(response.status, 403, `${pathname} ${JSON.stringify(headers)}`)
        assert.equal(response.headers.get('set-cookie'), null)
      }
    }
  })

  it('cannot log a browser in to its own account, and our own page can', async ({ alice, anonymous }) => {
    const { email } = await alice.account()
    const body = JSON.stringify({ email, password: 'alice has a password' })
    const send = (headers: Record<string, string>) =>
      anonymous.request('/api/auth/sign-in/email', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body,
      })
    for (const headers of elsewhere) assert.equal((await send(headers)).status, 403)
    for (const headers of [{ 'Sec-Fetch-Site': 'same-origin' }, { Origin: BASE_URL }, {}] as Record<string, string>[]) {
      assert.equal((await send(headers)).status, 200)
    }
  })

  it('sends no form of the authorization server and none of the site', async ({ anonymous }) => {
    for (const path of ['/oauth/sign-in', '/oauth/sign-out', '/oauth/username', '/api/auth/oauth2/consent']) {
      for (const headers of elsewhere) {
        const response = await anonymous.request(path, {
          method: 'POST',
          headers: { ...FORM, ...headers },
          body: 'how=password',
        })
        assert.equal(response.status, 403, path)
        assert.equal(response.headers.get('set-cookie'), null)
      }
    }
    for (const path of [
      '/sign-in?/password',
      '/sign-up?/create',
      '/sign-out?/end',
      '/theme',
      '/forgot-password?/reset',
    ]) {
      for (const headers of elsewhere) {
        const response = await anonymous.request(path, {
          method: 'POST',
          headers: { ...FORM, 'Content-Length': '7', ...headers },
          body: 'email=x',
        })
        assert.equal(response.status, 403, path)
        assert.equal(response.headers.get('set-cookie'), null)
      }
    }
  })
})

onEveryEngine('an operation that takes JSON', (it) => {
  it('takes application/json and nothing that calls itself otherwise', async ({ alice }) => {
    const body = JSON.stringify({ title: 'T', description: 'D', severity: 'low' })
    const send = (type: string | undefined, given: string | Uint8Array<ArrayBuffer> = body) =>
      alice.request('/api/community/bugs', {
        method: 'POST',
        headers: type ? { 'Content-Type': type } : {},
        body: given,
      })
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
      assert.equal((await send(type)).status, 201, type)
    }
    const bytes = new TextEncoder().encode(body)
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/merge-patch+json',
      'multipart/form-data; boundary=x',
      'text/plain; application/json',
      undefined,
    ]) {
      assert.equal((await send(type, bytes)).status, 400, String(type))
    }
  })

  it('needs no type where nothing is sent', async ({ alice }) => {
    const { id } = await alice.bugs.create({ title: 'T', description: 'D', severity: 'low' })
    assert.equal((await alice.request(`/api/community/bugs/${id}`, { method: 'DELETE' })).status, 200)
    assert.equal((await alice.request('/api/auth/sign-out', { method: 'POST' })).status, 200)
  })
})

onEveryEngine('text that no database keeps', (it) => {
  it('is refused wherever it comes in', async ({ alice, anonymous }) => {
    await alice.account()
    for (const escaped of ['\\u0000', '\\ud800', 'a\\udc00b']) {
      const json = { 'Content-Type': 'application/json' }
      const send = (path: string, body: string, method = 'POST') => alice.request(path, { method, headers: json, body })
      for (const [path, body] of [
        ['/api/community/bugs', `{"title":"${escaped}","description":"D","severity":"low"}`],
        [
          '/api/community/bugs',
          `{"title":"T","description":"D","severity":"low","labelIds":[{"deep":["${escaped}"]}]}`,
        ],
        ['/api/auth/sign-up/email', `{"name":"N","email":"x@example.com","password":"long enough ${escaped}"}`],
        ['/api/auth/sign-in/code', `{"email":"x${escaped}@example.com"}`],
        ['/api/auth/sign-in/code/verify', `{"email":"x@example.com","code":"${escaped}"}`],
      ] as const) {
        assert.equal((await send(path, body)).status, 400, body)
      }
      const nested = JSON.stringify({
        orgJson: `{"name":"Desk","roles":[{"id":"solo","policy":{"x":["${escaped}"]}}]}`,
      })
      const created = await alice.request('/api/community/orgs', {
        method: 'POST',
        headers: { ...json, 'Content-Length': String(Buffer.byteLength(nested)) },
        body: nested,
      })
      assert.equal(created.status, 400, nested)
    }
    for (const encoded of ['%00', '%ed%a0%80', '%ff']) {
      for (const query of [
        `/api/community/bugs?q=${encoded}`,
        `/api/library/items?tag=${encoded}`,
        `/community?q=${encoded}`,
      ]) {
        assert.equal((await anonymous.request(query)).status, 400, query)
      }
      for (const path of ['/api/auth/oauth2/token', '/api/auth/oauth2/revoke', '/oauth/sign-in']) {
        const body = `grant_type=authorization_code&client_id=${encoded}&token=${encoded}&email=${encoded}`
        const response = await anonymous.request(path, { method: 'POST', headers: FORM, body })
        assert.equal(response.status, 400, `${path} ${encoded}`)
      }
      const inside = `how=password&email=a&password=b&oauth_query=${encodeURIComponent(`client_id=${encoded}`)}`
      const { status } = await anonymous.request('/oauth/sign-in', { method: 'POST', headers: FORM, body: inside })
      assert.ok(status >= 400 && status < 500, `${encoded} inside is ${status}`)
      assert.equal((await anonymous.request(`/api/auth/oauth2/authorize?client_id=x&state=${encoded}`)).status, 400)
    }
  })

  it('is refused in the fields of a form; names of files lose it', async ({ alice }) => {
    const { id } = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    const form = (label: string, filename: string) =>
      [
        `--x\r\nContent-Disposition: form-data; name="label"\r\n\r\n${label}\r\n`,
        `--x\r\nContent-Disposition: form-data; name="files"; filename="${filename}"\r\n\r\nwords\r\n--x--\r\n`,
      ].join('')
    const send = (body: string) =>
      alice.request(`/api/community/orgs/${id}/runs`, {
        method: 'POST',
        headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
        body,
      })
    assert.equal((await send(form('a', 'a.md'))).status, 201)
    assert.equal((await send(form('a\0b', 'a.md'))).status, 400)
    assert.ok((await send(form('a', 'a\0b.md'))).status < 500)
  })
})

describe('the address behind proxies', () => {
  plainIt('is read with or without a port', () => {
    for (const [entry, address] of [
      ['198.51.100.7:4711', '198.51.100.7'],
      ['[2001:db8::7]:4711', '2001:db8::7'],
      ['[2001:db8::7]', '2001:db8::7'],
      ['2001:db8::7', '2001:db8::7'],
    ] as const) {
      assert.equal(clientAddress('192.0.2.1', `6.6.6.6, ${entry}`, 1), address)
    }
  })

  plainIt('is not what is no address', () => {
    for (const entry of [
      'unknown',
      '_hidden',
      '1.2.3',
      '1.2.3.4:port',
      '1.2.3.4:',
      '[1.2.3.4]:80',
      '[::1',
      '300.1.1.1',
      '',
      'a b',
    ]) {
      assert.equal(clientAddress('192.0.2.1', `6.6.6.6, ${entry}`, 1), '192.0.2.1', entry)
      assert.equal(clientAddress('192.0.2.1', `${entry}, 10.0.0.2`, 2), '10.0.0.2', entry)
    }
  })
})
