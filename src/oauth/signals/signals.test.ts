// Shared signals (CAEP 1.0, RFC 8417, RFC 8935): that sessions were revoked, taken from an issuer that is not ours, and pushed to a receiver.
import assert from 'node:assert/strict'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { issuerFor } from '../../../test/ci.ts'
import { isSignedIn } from '../../../test/passkeys.ts'
import { home, receiving } from '../../../test/webhook-receiver.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { SESSION_REVOKED } from './events.ts'

type Changes = Record<string, unknown>

const post = (world: World, body: string, type = 'application/secevent+jwt') =>
  world.app.fetch(
    new Request('http://localhost:3000/api/auth/signals', { method: 'POST', headers: { 'Content-Type': type }, body }),
  )

/** An issuer whose signals a world takes. */
async function transmitter(world: World) {
  const issuer = await issuerFor(world)
  await world.admin.settings.change({ changes: { SIGNAL_ISSUERS: issuer.url } })
  const signal = (subject: object, changes: Changes = {}, typ = 'secevent+jwt') =>
    issuer.token({}, ({ header, payload }) => {
      header['typ'] = typ
      Object.assign(payload, {
        exp: undefined,
        nbf: undefined,
        sub_id: subject,
        events: { [SESSION_REVOKED]: { event_timestamp: 1 } },
        ...changes,
      })
    })
  return { issuer, signal }
}

const ofEmail = ({ email }: { email: string }) => ({ format: 'email', email })

onEveryEngine('a signal of another server', (it) => {
  it('ends the sessions of the account that it names, and of no other', async (world) => {
    const { alice, bob } = world
    const { id } = await alice.account()
    await bob.account()
    const { issuer, signal } = await transmitter(world)
    assert.equal((await post(world, await signal(ofEmail(alice)))).status, 202)
    assert.deepEqual([await isSignedIn(alice), await isSignedIn(bob)], [false, true])
    const external = { id: crypto.randomUUID(), issuer: issuer.url, subject: 'b-1', userId: (await bob.account()).id }
    const times = { createdAt: '2026-01-01T00:00:00.000Z', lastUsedAt: null, email: null }
    await world.db
      .insertInto('externalIdentity')
      .values({ ...external, ...times } as never)
      .execute()
    const complex = { format: 'complex', user: { format: 'iss_sub', iss: issuer.url, sub: 'b-1' } }
    for (const subject of [
      { format: 'iss_sub', iss: 'https://other.example', sub: 'b-1' },
      { format: 'opaque', id: 'b-1' },
    ]) {
      assert.equal((await post(world, await signal(subject))).status, 202)
      assert.equal(await isSignedIn(bob), true)
    }
    assert.equal((await post(world, await signal(complex))).status, 202)
    assert.equal(await isSignedIn(bob), false)
    const { items } = await world.admin.admin.listAudit({ action: 'session.signal' })
    assert.deepEqual(
      items.map(({ targetId }) => targetId),
      [external.userId, id],
    )
  })

  it('is refused where it is forged, replayed, of another or for another, in the form of RFC 8935', async (world) => {
    const { alice } = world
    await alice.account()
    const { signal } = await transmitter(world)
    const good = await signal(ofEmail(alice))
    const now = Math.floor(world.clock.now() / 1000)
    const refused: [string, string, string?][] = [
      ['invalid_request', 'nothing'],
      ['invalid_request', good, 'application/json'],
      ['invalid_request', await signal(ofEmail(alice), {}, 'at+jwt')],
      ['invalid_request', await signal(ofEmail(alice), { iat: now - 86_400 - 120 })],
      ['invalid_request', await signal(ofEmail(alice), { jti: undefined })],
      ['invalid_issuer', await signal(ofEmail(alice), { iss: 'https://evil.example' })],
      ['invalid_audience', await signal(ofEmail(alice), { aud: 'https://other.example' })],
      ['invalid_key', `${good.slice(0, good.lastIndexOf('.'))}.${'A'.repeat(342)}`],
    ]
    for (const [err, body, type] of refused) {
      const response = await post(world, body, type)
      assert.equal(response.status, 400, err)
      assert.equal(((await response.json()) as { err: string }).err, err)
    }
    assert.equal(await isSignedIn(alice), true)
    const twice = await Promise.all([post(world, good), post(world, good), post(world, good)])
    assert.deepEqual(twice.map(({ status }) => status).toSorted(), [202, 400, 400])
    await world.admin.settings.change({ changes: { SIGNAL_ISSUERS: 'off' } })
    assert.equal((await post(world, await signal(ofEmail(alice)))).status, 404)
  })
})

onEveryEngine('our own signals', (it) => {
  it('are pushed when sessions are revoked or an account is blocked, again with the same id until they are taken', async (world) => {
    const { alice, admin, app, dependencies } = world
    await receiving(async (receiver) => {
      dependencies.reach = home
      const url = receiver.url
      await admin.settings.change({ changes: { SIGNAL_URL: url, SIGNAL_TOKEN: 'ours' } })
      const { id } = await alice.account()
      receiver.answer = (_request, response) => response.writeHead(500).end()
      await admin.admin.block({ id, blocked: true })
      await assert.rejects(app.jobs.run('signals.send'), /status 500/)
      assert.equal(receiver.arrived.length, 1)
      receiver.answer = (_request, response) => response.writeHead(202).end()
      world.clock.pass(86_400)
      await app.jobs.run('signals.send')
      const [first, second] = receiver.arrived
      const keys = (await (await app.fetch(new Request('http://localhost:3000/api/auth/jwks'))).json()) as never
      const { issuer } = dependencies.config
      const verified = await Promise.all(
        [first, second].map((one) =>
          jwtVerify(one!.body, createLocalJWKSet(keys), { issuer, audience: url, typ: 'secevent+jwt' }),
        ),
      )
      assert.equal(new Set(verified.map(({ payload }) => payload.jti)).size, 1)
      const { payload } = verified[0]!
      assert.deepEqual(payload['sub_id'], { format: 'iss_sub', iss: issuer, sub: id })
      assert.deepEqual(Object.keys(payload['events'] as object), [SESSION_REVOKED])
      assert.equal(first!.headers['authorization'], 'Bearer ours')
      assert.equal(first!.headers['content-type'], 'application/secevent+jwt')
      assert.deepEqual(await world.db.selectFrom('signal').select('id').execute(), [])
    })
  })
})
