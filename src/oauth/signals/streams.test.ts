// Streams that receivers manage (SSF 1.0): made, read, changed and ended by their own receiver, verified, pushed and polled.
import assert from 'node:assert/strict'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { home, receiving } from '../../../test/webhook-receiver.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { KEPT_ON_STREAM_SECONDS } from '../server/feature.ts'
import { SESSION_REVOKED, VERIFICATION } from './events.ts'

const servers = [
  { id: 'mail', secret: 'm'.repeat(32), signals: true },
  { id: 'wiki', secret: 'w'.repeat(32), signals: true },
  { id: 'reports', secret: 'r'.repeat(32) },
]
const SETTINGS = { RESOURCE_SERVERS: JSON.stringify(servers) }
const PUSH = 'urn:ietf:rfc:8935'
const POLL = 'urn:ietf:rfc:8936'

type Fields = Record<string, unknown>

/** A receiver, by its id and its secret. */
const receiverAt =
  ({ app, dependencies }: World, id = 'mail', secret = servers.find((one) => one.id === id)?.secret ?? '') =>
  async (method: string, path: string, body?: object) => {
    const url = `${dependencies.config.baseUrl}/api/auth/ssf${path}`
    const headers = { Authorization: `Basic ${btoa(`${id}:${secret}`)}`, 'Content-Type': 'application/json' }
    const response = await app.fetch(new Request(url, { method, headers, ...(body && { body: JSON.stringify(body) }) }))
    const text = await response.text()
    return { status: response.status, body: (text ? JSON.parse(text) : {}) as Fields }
  }

type Receiver = ReturnType<typeof receiverAt>

const created = async (call: Receiver, more: object = {}) => {
  const { status, body } = await call('POST', '/stream', { events_requested: [SESSION_REVOKED, 'urn:other'], ...more })
  assert.equal(status, 201, JSON.stringify(body))
  return body as Fields & { stream_id: string }
}

async function verified(world: World, token: string, audience: string) {
  const { baseUrl, issuer } = world.dependencies.config
  const keys = (await (await world.app.fetch(new Request(`${baseUrl}/api/auth/jwks`))).json()) as never
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), { issuer, audience, typ: 'secevent+jwt' })
  return payload
}

const polled = async (call: Receiver, body: object = {}) => {
  const { body: answer } = await call('POST', '/poll', body)
  return answer as { sets: Record<string, string>; moreAvailable?: boolean }
}

const revoke = async ({ admin }: World, id: string) => {
  await admin.admin.block({ id, blocked: true })
  await admin.admin.block({ id, blocked: false })
}

onEveryEngine(
  'a stream of signals',
  (it) => {
    it('is found by its metadata, at the place that its issuer has', async ({ app, dependencies }) => {
      const { baseUrl, issuer } = dependencies.config
      for (const path of ['/.well-known/ssf-configuration', '/.well-known/ssf-configuration/api/auth']) {
        const response = await app.fetch(new Request(baseUrl + path))
        const told = (await response.json()) as Fields
        assert.deepEqual([told['spec_version'], told['issuer']], ['1_0', issuer])
        assert.deepEqual(told['delivery_methods_supported'], [PUSH, POLL])
        assert.equal(told['configuration_endpoint'], `${baseUrl}/api/auth/ssf/stream`)
      }
    })

    it('is made, read, changed, replaced and ended by its receiver', async (world) => {
      const call = receiverAt(world)
      assert.deepEqual((await call('GET', '/stream')).body, [])
      const { stream_id: id, ...stream } = await created(call, { description: 'Sign-ins of mail' })
      const { baseUrl, issuer } = world.dependencies.config
      assert.deepEqual(stream, {
        ...{ iss: issuer, aud: 'mail', events_supported: [SESSION_REVOKED] },
        ...{ events_requested: [SESSION_REVOKED, 'urn:other'], events_delivered: [SESSION_REVOKED] },
        delivery: { method: POLL, endpoint_url: `${baseUrl}/api/auth/ssf/poll` },
        ...{ min_verification_interval: 60, description: 'Sign-ins of mail' },
      })
      assert.deepEqual((await call('GET', '/stream')).body, [{ stream_id: id, ...stream }])
      assert.equal((await call('POST', '/stream', {})).status, 409)
      const pushed = { method: PUSH, endpoint_url: 'https://mail.example/set', authorization_header: 'Bearer hidden' }
      const patched = await call('PATCH', '/stream', { stream_id: id, iss: issuer, delivery: pushed })
      const { authorization_header: _, ...told } = pushed
      assert.deepEqual(patched.body, { stream_id: id, ...stream, delivery: told })
      const stored = await world.db.selectFrom('signalStream').select('authorization').execute()
      assert.ok(stored[0]?.authorization && !stored[0].authorization.includes('hidden'))
      assert.deepEqual((await call('PATCH', '/stream', { stream_id: id, events_requested: [] })).body['delivery'], told)
      const replaced = (await call('PUT', '/stream', { stream_id: id, events_requested: [SESSION_REVOKED] })).body
      assert.deepEqual([replaced['description'], (replaced['delivery'] as Fields)['method']], [undefined, POLL])
      assert.equal((await call('DELETE', `/stream?stream_id=${id}`)).status, 204)
      assert.equal((await call('GET', `/stream?stream_id=${id}`)).status, 404)
    })

    it('is of its receiver alone', async (world) => {
      const { stream_id: id } = await created(receiverAt(world))
      const calls = (call: Receiver) => [
        call('GET', `/stream?stream_id=${id}`),
        call('PATCH', '/stream', { stream_id: id, events_requested: [] }),
        call('PUT', '/stream', { stream_id: id }),
        call('DELETE', `/stream?stream_id=${id}`),
        call('GET', `/status?stream_id=${id}`),
        call('POST', '/status', { stream_id: id, status: 'disabled' }),
        call('POST', '/verify', { stream_id: id }),
        call('POST', '/poll', {}),
      ]
      const wrong: [number, Receiver][] = [
        [404, receiverAt(world, 'wiki')],
        [403, receiverAt(world, 'reports')],
        [401, receiverAt(world, 'mail', 'w'.repeat(32))],
        [401, receiverAt(world, 'none', '')],
      ]
      for (const [status, call] of wrong)
        for (const answer of await Promise.all(calls(call))) assert.equal(answer.status, status)
      assert.equal((await receiverAt(world)('GET', `/status?stream_id=${id}`)).body['status'], 'enabled')
    })

    it('takes what it must be, and nothing else', async (world) => {
      const call = receiverAt(world)
      const push = (endpoint_url: string, more: object = {}) => ({ delivery: { method: PUSH, endpoint_url, ...more } })
      for (const bad of [
        push('http://mail.example/set'),
        push('https://me:pass@mail.example/set'),
        push(`https://mail.example/${'a'.repeat(2_000)}`),
        push('https://mail.example/', { authorization_header: 'Bearer a\r\nX-Evil: 1' }),
        { delivery: { method: 'urn:ietf:rfc:1' } },
        { events_requested: Array.from({ length: 51 }, () => 'urn:a') },
        { events_requested: 'all' },
        { description: 'a'.repeat(501) },
      ])
        assert.equal((await call('POST', '/stream', bad)).status, 400, JSON.stringify(bad).slice(0, 90))
      const { stream_id } = await created(call, { events_requested: Array.from({ length: 50 }, () => 'urn:a') })
      const { body: stream } = await call('GET', `/stream?stream_id=${stream_id}`)
      const { delivery } = stream as { delivery: object }
      for (const wrong of [
        { aud: 'wiki' },
        { aud: ['mail'] },
        { iss: 'https://other.example' },
        { events_supported: [] },
        { events_delivered: [SESSION_REVOKED] },
        { min_verification_interval: 1 },
        { inactivity_timeout: 60 },
        { delivery: { ...delivery, endpoint_url: 'https://mail.example/poll' } },
      ])
        for (const method of ['PATCH', 'PUT'])
          assert.equal((await call(method, '/stream', { stream_id, ...wrong })).status, 400, JSON.stringify(wrong))
      assert.deepEqual(await call('PUT', '/stream', stream), { status: 200, body: stream }, 'as it was read')
      assert.equal((await call('POST', '/status', { stream_id, status: 'gone' })).status, 400)
      assert.equal((await call('POST', '/verify', { stream_id, state: 'a'.repeat(1_001) })).status, 400)
    })

    it('is polled: what waits is given again until it is taken, and holds while it is paused', async (world) => {
      const call = receiverAt(world)
      const other = receiverAt(world, 'wiki')
      const { stream_id } = await created(call)
      await created(other)
      const { id } = await world.alice.account()
      await revoke(world, id)
      const { sets } = await polled(call)
      const [jti = ''] = Object.keys(sets)
      const payload = await verified(world, sets[jti]!, 'mail')
      assert.deepEqual(
        [payload.jti, payload['sub_id']],
        [jti, { format: 'iss_sub', iss: world.dependencies.config.issuer, sub: id }],
      )
      assert.deepEqual([payload.sub, payload.exp], [undefined, undefined], 'SSF 1.0, 4.1.3')
      const [theirs = ''] = Object.values((await polled(other)).sets)
      const same = await verified(world, theirs, 'wiki')
      assert.ok(typeof payload['txn'] === 'string' && payload.jti !== same.jti)
      assert.equal(payload['txn'], same['txn'], 'one event on two streams')
      assert.deepEqual(Object.keys((await polled(call)).sets), [jti], 'it was not taken')
      assert.equal(Object.keys((await polled(other, { ack: [jti], maxEvents: 1 })).sets).length, 1, 'of another stream')
      assert.deepEqual(await polled(call, { maxEvents: 0 }), { sets: {}, moreAvailable: true })
      assert.deepEqual(await polled(call, { ack: [jti] }), { sets: {} })
      await call('POST', '/status', { stream_id, status: 'paused', reason: 'We move' })
      assert.deepEqual((await call('GET', `/status?stream_id=${stream_id}`)).body, {
        stream_id,
        status: 'paused',
        reason: 'We move',
      })
      await revoke(world, id)
      assert.deepEqual(await polled(call), { sets: {} })
      await call('POST', '/status', { stream_id, status: 'enabled' })
      assert.equal(Object.keys((await polled(call)).sets).length, 1)
      await call('POST', '/status', { stream_id, status: 'disabled' })
      await revoke(world, id)
      await call('POST', '/status', { stream_id, status: 'enabled' })
      assert.deepEqual(await polled(call), { sets: {} }, 'nothing is kept for one that is disabled')
      await revoke(world, id)
      world.clock.pass(KEPT_ON_STREAM_SECONDS - 5)
      await world.app.cleanUp()
      assert.equal(Object.keys((await polled(call)).sets).length, 1)
      world.clock.pass(10)
      await world.app.cleanUp()
      assert.deepEqual(await polled(call), { sets: {} })
    })

    it('is verified with the state that was given, once a minute', async (world) => {
      const call = receiverAt(world)
      const { stream_id } = await created(call)
      const asked = await Promise.all(
        Array.from({ length: 10 }, () => call('POST', '/verify', { stream_id, state: 'is it you?' })),
      )
      assert.deepEqual(asked.map(({ status }) => status).sort(), [204, ...Array.from({ length: 9 }, () => 429)])
      const [[, token] = ['', '']] = Object.entries((await polled(call)).sets)
      const payload = await verified(world, token, 'mail')
      assert.deepEqual(payload['events'], { [VERIFICATION]: { state: 'is it you?' } })
      assert.deepEqual(payload['sub_id'], { format: 'opaque', id: stream_id })
      world.clock.pass(59)
      assert.equal((await call('POST', '/verify', { stream_id })).status, 429)
      for (const [given, told] of [[{ state: '' }, { state: '' }] as const, [{}, {}] as const]) {
        await polled(call, { ack: Object.keys((await polled(call)).sets) })
        world.clock.pass(61)
        assert.equal((await call('POST', '/verify', { stream_id, ...given })).status, 204)
        const [other = ''] = Object.values((await polled(call)).sets)
        assert.deepEqual((await verified(world, other, 'mail'))['events'], { [VERIFICATION]: told })
      }
    })

    it('is pushed with the header that was given, to public addresses alone, and ends with its receiver', async (world) => {
      const { app, dependencies, db } = world
      await receiving(async (receiver) => {
        const call = receiverAt(world)
        const delivery = { method: PUSH, endpoint_url: receiver.url, authorization_header: 'Bearer theirs' }
        await created(call, { delivery })
        await revoke(world, (await world.alice.account()).id)
        await assert.rejects(app.jobs.run('signals.push'))
        assert.equal(receiver.arrived.length, 0, 'this machine is no public address')
        dependencies.reach = home
        world.clock.pass(86_400)
        await app.jobs.run('signals.push')
        const arrived = receiver.arrived.at(-1)
        assert.equal(arrived?.headers['authorization'], 'Bearer theirs')
        await verified(world, arrived!.body, 'mail')
        assert.deepEqual(await db.selectFrom('signalDelivery').select('id').execute(), [])
        assert.equal((await call('POST', '/poll', {})).status, 404)
        await revoke(world, (await world.alice.account()).id)
        // The settings of all worlds of this file are one list.
        const { resourceServers } = dependencies.config
        const [taken] = resourceServers.splice(0, 1)
        await app.jobs.run('signals.push').finally(() => resourceServers.unshift(taken!))
        assert.equal(receiver.arrived.length, 1)
        assert.deepEqual(await db.selectFrom('signalStream').select('id').execute(), [])
      })
    })

    it('says nothing of an account that is gone', async (world) => {
      const call = receiverAt(world)
      await created(call)
      const { id } = await world.alice.account()
      await revoke(world, id)
      await world.db.deleteFrom('user').where('id', '=', id).execute()
      assert.deepEqual(await polled(call), { sets: {} })
    })
  },
  SETTINGS,
)

onEveryEngine('a server without receivers of streams', (it) => {
  it('has no such endpoints', async ({ app, dependencies }) => {
    for (const path of ['/.well-known/ssf-configuration', '/api/auth/ssf/stream']) {
      const { status } = await app.fetch(new Request(dependencies.config.baseUrl + path))
      assert.equal(status, 404, path)
    }
  })
})
