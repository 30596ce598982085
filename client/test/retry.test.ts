// What is sent again, when, and what is not.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GuildhallError, InputError, NetworkError } from '../src/errors.ts'
import { answering, clientWith, errorOf, jsonAnswer, noConnection } from './platform.ts'

const bug = { title: 'Crash', description: 'On start', severity: 'high' } as const
const page = { items: [], hasMore: false, total: 0 }
const unavailable = (seconds?: number) =>
  jsonAnswer(
    503,
    { error: 'The database does not respond' },
    seconds === undefined ? {} : { 'Retry-After': String(seconds) },
  )

describe('a call that may be sent twice', () => {
  it('is tried again after no connection, 429, 502, 503 and 504', async () => {
    const statuses = [429, 502, 503, 504].map((status) => jsonAnswer(status, { error: 'Later' }))
    const { fetch, requests } = answering(noConnection(), ...statuses, jsonAnswer(200, page))
    const { client, waits } = clientWith({ fetch, retries: 5 })
    assert.deepEqual(await client.bugs.list(), page)
    assert.equal(requests.length, 6)
    waits.forEach((wait, n) => {
      assert.ok(wait >= 0 && wait <= 250 * 2 ** n, `wait ${n} was ${wait}`)
    })
  })

  it('is tried as often as it was told, and not once more', async () => {
    for (const retries of [0, 1, 3]) {
      const { fetch, requests } = answering(...Array.from({ length: 5 }, noConnection))
      const { client } = clientWith({ fetch, retries })
      await assert.rejects(client.bugs.list(), NetworkError)
      assert.equal(requests.length, retries + 1)
    }
  })

  it('waits as long as the server asks for, up to the bound', async () => {
    const { fetch, requests } = answering(unavailable(30), unavailable(31))
    const { client, waits } = clientWith({ fetch })
    const error = await errorOf<GuildhallError>(client.bugs.list())
    assert.equal(error.retryAfterSeconds, 31)
    assert.deepEqual(waits, [30_000])
    assert.equal(requests.length, 2)
  })

  it('understands Retry-After as a date', async () => {
    const later = new Date(Date.now() + 25_000).toUTCString()
    const { fetch } = answering(jsonAnswer(503, { error: 'Later' }, { 'Retry-After': later }), jsonAnswer(200, page))
    const { client, waits } = clientWith({ fetch })
    await client.bugs.list()
    assert.ok(waits[0]! >= 1_000 && waits[0]! <= 25_000, `waited ${waits[0]}`)
  })

  it('is tried again when its answer broke off', async () => {
    const broken = new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"items":'))
          controller.error(new TypeError('terminated'))
        },
      }),
    )
    const { fetch } = answering(broken, jsonAnswer(200, page))
    assert.deepEqual(await clientWith({ fetch }).client.bugs.list(), page)
  })

  it('is not tried again after any other error', async () => {
    for (const status of [400, 401, 403, 404, 409, 500]) {
      const { fetch, requests } = answering(jsonAnswer(status, { error: 'No' }))
      await assert.rejects(clientWith({ fetch }).client.bugs.list(), GuildhallError)
      assert.equal(requests.length, 1, String(status))
    }
  })

  it('stops trying when it is aborted, with the reason', async () => {
    const controller = new AbortController()
    const reason = new Error('Enough')
    const { fetch, requests } = answering(() => {
      controller.abort(reason)
      return noConnection()
    })
    for (const options of [{ fetch }, { fetch, signal: controller.signal }]) {
      const { client } = clientWith(options)
      assert.equal(await errorOf(client.bugs.list({}, { signal: controller.signal })), reason)
    }
    assert.equal(requests.length, 1)
  })

  it('may be what writes something new: all its tries have one key, and another call has another one', async () => {
    const running = jsonAnswer(409, { error: 'Still running' }, { 'Retry-After': '1' })
    const { fetch, requests } = answering(
      noConnection(),
      unavailable(1),
      running,
      jsonAnswer(201, bug),
      jsonAnswer(201, bug),
    )
    const { client } = clientWith({ fetch })
    await client.bugs.create(bug)
    await client.bugs.create(bug)
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
    assert.match(keys[0] ?? '', /^"[0-9a-f]{32}"$/)
    assert.deepEqual(keys.slice(0, 4), Array(4).fill(keys[0]))
    assert.notEqual(keys[4], keys[0])
  })

  it('has the key that it is given, or none when it is only tried', async () => {
    const { fetch, requests } = answering(jsonAnswer(201, bug), jsonAnswer(201, bug), jsonAnswer(200, page))
    const { client } = clientWith({ fetch })
    await client.bugs.create(bug, { idempotencyKey: 'mine' })
    await client.bugs.create(bug, { dryRun: true, idempotencyKey: 'mine' })
    await client.bugs.list()
    const said = requests.map(({ headers }) => [headers.get('idempotency-key'), headers.get('prefer')])
    assert.deepEqual(said, [
      ['"mine"', null],
      [null, 'handling=dry-run'],
      [null, null],
    ])
  })

  it('is not one that takes a password or a code', async () => {
    const given = { email: 'ada@example.com', password: 'a long enough password' }
    for (const answer of [noConnection(), unavailable(1), jsonAnswer(429, { error: 'Later' })]) {
      const once = answering(answer)
      await assert.rejects(clientWith({ fetch: once.fetch }).client.accounts.signIn(given))
      assert.deepEqual([once.requests.length, once.requests[0]?.headers.has('idempotency-key')], [1, false])
    }
    const { client } = clientWith({ fetch: answering().fetch })
    for (const options of [{ dryRun: true }, { idempotencyKey: 'k' }]) {
      await assert.rejects(client.accounts.signIn(given, options), InputError)
    }
  })
})

describe('an error', () => {
  const thrown = async (status: number, body: unknown, headers?: Record<string, string>) =>
    errorOf<GuildhallError>(
      clientWith({ fetch: answering(jsonAnswer(status, body, headers)).fetch }).client.bugs.list(),
    )

  it('has a code in each of the forms of the server', async () => {
    const cases = [
      [404, { error: 'There is no such bug' }, 'not_found', 'There is no such bug'],
      [403, { error: 'Account blocked' }, 'blocked', 'Account blocked'],
      [403, { error: 'Forbidden' }, 'forbidden', 'Forbidden'],
      [400, { error: 'invalid_or_expired_code' }, 'invalid_or_expired_code', 'invalid_or_expired_code'],
      [409, { error: { code: 'version_conflict', message: 'Older' } }, 'version_conflict', 'Older'],
      [400, { code: 'invalid_request', message: 'No' }, 'invalid_request', 'No'],
      [400, { error: 'invalid_target', error_description: 'Not here' }, 'invalid_target', 'Not here'],
      [418, 'tea', 'invalid_request', 'HTTP 418'],
    ] as const
    for (const [status, body, code, message] of cases) {
      const error = await thrown(status, body)
      assert.deepEqual([error.status, error.code, error.message, error.details], [status, code, message, body])
    }
  })

  it('says which scope is missing by its code', async () => {
    const headers = { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="community:read"' }
    assert.equal((await thrown(403, { error: 'The token lacks a scope' }, headers)).code, 'insufficient_scope')
  })

  it('has the id of the request, and the text of what is not JSON', async () => {
    const { fetch } = answering(new Response('<h1>Bad</h1>', { status: 400, headers: { 'X-Request-Id': 'r-1' } }))
    const error = await errorOf<GuildhallError>(clientWith({ fetch }).client.bugs.list())
    assert.deepEqual([error.requestId, error.details], ['r-1', '<h1>Bad</h1>'])
  })
})
