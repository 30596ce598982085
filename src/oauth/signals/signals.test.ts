// Shared signals (CAEP 1.0, RFC 8417, RFC 8935): that sessions were revoked, taken from an issuer that is not ours, and pushed to a receiver.
import assert from 'node:assert/strict'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { issuerFor, withBadKeys } from '../../../test/ci.ts'
import { isSignedIn } from '../../../test/passkeys.ts'
import { home, receiving } from '../../../test/webhook-receiver.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { retryJob } from '../../core/jobs/report.ts'
import { timestamp } from '../../runtime/clock.ts'
import { required } from '../../runtime/untyped.ts'
import { GIVEN_UP_SECONDS } from '../server/feature.ts'
import { SESSION_REVOKED } from './events.ts'

type Changes = Record<string, unknown>

const post = (world: World, body: string, type = 'application/secevent+jwt') =>
  world.app.fetch(
    new Request('http://localhost:3000/api/auth/signals', { method: 'POST', headers: { 'Content-Type': type }, body }),
  )

/** An issuer whose signals a world takes. */
async function transmitter(world: World, isOwn = false) {
  const issuer = await issuerFor(world, isOwn)
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

  it('is refused where it is forged, of another or for another, in the form of RFC 8935', async (world) => {
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
    await world.admin.settings.change({ changes: { SIGNAL_ISSUERS: 'off' } })
    assert.equal((await post(world, await signal(ofEmail(alice)))).status, 404)
  })
})

onEveryEngine('a signal that comes more than once', (it) => {
  it('is taken as one that is known (RFC 8935, 2.4), and ends nothing again: ten races', async (world) => {
    const { alice } = world
    const { email } = await alice.account()
    const { signal } = await transmitter(world)
    const entries = async () => (await world.admin.admin.listAudit({ action: 'session.signal' })).items.length
    for (let round = 1; round <= 10; round++) {
      const good = await signal(ofEmail(alice))
      const all = await Promise.all(Array.from({ length: 3 }, () => post(world, good)))
      assert.deepEqual(
        all.map(({ status }) => status),
        [202, 202, 202],
      )
      assert.equal(await entries(), round)
      if (round < 10) continue
      assert.equal(await isSignedIn(alice), false)
      await alice.accounts.signIn({ email, password: 'alice has a password' })
      assert.equal((await post(world, good)).status, 202)
      assert.equal(await isSignedIn(alice), true)
    }
  })
})

onEveryEngine('an issuer with keys that cannot be used', (it) => {
  it('is told so', async (world) => {
    await world.alice.account()
    const { issuer, signal } = await transmitter(world, true)
    for (const token of withBadKeys(issuer, await signal(ofEmail(world.alice)))) {
      const response = await post(world, token)
      assert.deepEqual([response.status, ((await response.json()) as { err: string }).err], [400, 'invalid_key'])
    }
    assert.equal(await isSignedIn(world.alice), true)
  })
})

onEveryEngine('our own signals', (it) => {
  it('are tried 20 times, can be retried for a week, and are deleted then', async (world) => {
    const { alice, admin, app, db, dependencies, clock } = world
    await receiving(async (receiver) => {
      dependencies.reach = home
      receiver.answer = (_request, response) => response.writeHead(500).end()
      await admin.settings.change({ changes: { SIGNAL_URL: receiver.url } })
      await admin.admin.block({ id: (await alice.account()).id, blocked: true })
      const waiting = () => db.selectFrom('signal').select(['id', 'givenUpAt']).execute()
      for (let attempt = 1; attempt <= 20; attempt++) {
        await assert.rejects(app.jobs.run('signals.send'), /status 500/)
        clock.pass(86_400)
      }
      await app.jobs.run('signals.send')
      assert.equal(receiver.arrived.length, 20)
      const [signal] = await waiting()
      assert.ok(signal?.givenUpAt)
      const job = required(app.jobs.jobs.find(({ kind }) => kind === 'signals.send'))
      assert.equal(await retryJob({ db, now: timestamp(clock.now()) }, job, signal.id), true)
      await assert.rejects(app.jobs.run('signals.send'), /status 500/)
      await db
        .updateTable('signal')
        .set({ givenUpAt: timestamp(clock.now()) })
        .execute()
      clock.pass(GIVEN_UP_SECONDS - 1)
      await app.cleanUp()
      assert.equal((await waiting()).length, 1)
      clock.pass(2)
      await app.cleanUp()
      assert.deepEqual(await waiting(), [])
    })
  })

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
