// Passkeys by the front door: a device in software (test/authenticator.ts) answers soundly, and in every broken way.
import assert from 'node:assert/strict'
import { Authenticator, type Broken } from '../../../test/authenticator.ts'
import { prove, register, rejection, signIn } from '../../../test/passkeys.ts'
import { BASE_URL, onEveryEngine, type Person } from '../../../test/world.ts'
import type { Registration } from './contract.ts'

onEveryEngine('a passkey', (it) => {
  it('is asked for with what a browser needs, and nothing that says who it is for', async ({ alice }) => {
    const { id, email } = await alice.account()
    const device = new Authenticator()
    const first = await register(alice, device)
    const options = await alice.passkeys.beginRegistration({})
    assert.deepEqual(options.rp, { id: 'localhost', name: 'Guildhall' })
    assert.equal(Buffer.from(options.user.id, 'base64url').toString('hex'), id.replaceAll('-', ''))
    assert.deepEqual([options.user.name, options.user.displayName], [email, 'alice'])
    assert.equal(Buffer.from(options.challenge, 'base64url').length, 32)
    assert.deepEqual(options.authenticatorSelection, {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'preferred',
    })
    assert.deepEqual(
      options.excludeCredentials.map((known) => known.id),
      [device.held[0]!.id],
    )
    assert.ok(first.id)
  })

  it('is registered, and signs in to the account like any other way', async (world) => {
    const { id } = await world.alice.account()
    const device = new Authenticator()
    const options = await world.alice.passkeys.beginRegistration({})
    const answer = await world.alice.request('/api/auth/passkeys', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      // A browser says more than is looked at.
      body: JSON.stringify({
        response: { ...device.create(options), authenticatorAttachment: 'platform', clientExtensionResults: {} },
      }),
    })
    assert.equal(answer.status, 201)
    const made = await answer.json()
    assert.deepEqual(Object.keys(made), ['id', 'name', 'createdAt', 'lastUsedAt'])
    assert.deepEqual([made.name, made.lastUsedAt], ['Passkey', null])
    const asked = await world.anonymous.passkeys.beginSignIn({})
    assert.deepEqual(Object.keys(asked).sort(), ['challenge', 'rpId', 'timeout', 'userVerification'])
    const signed = await world.anonymous.request('/api/auth/sign-in/passkey', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ response: device.get(asked) }),
    })
    assert.equal(signed.status, 200)
    assert.equal((await signed.json()).user.id, id)
    const cookie = signed.headers.getSetCookie()[0]!
    assert.match(cookie, /^guildhall_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/)
    const session = await world.anonymous.request('/api/auth/get-session', {
      headers: { cookie: cookie.split(';')[0]! },
    })
    assert.equal((await session.json()).user.id, id)
    const [passkey] = (await world.alice.passkeys.list({})).items
    assert.ok(passkey!.lastUsedAt! >= passkey!.createdAt)
  })

  it('signs in again and again, with a device that counts and with one that does not', async (world) => {
    for (const counts of [true, false]) {
      const device = new Authenticator({ counts })
      await register(world.alice, device)
      for (let times = 0; times < 3; times++) await signIn(world, device)
    }
  })

  it('may come with a signature of its own, not with certificates: to check them is to fetch what they name', async (world) => {
    const device = new Authenticator()
    await register(world.alice, device, { selfSigned: true })
    await signIn(world, device)
    const x5c: [string, Uint8Array[]] = ['x5c', [Buffer.alloc(40)]]
    for (const broken of [
      { selfSigned: true, statement: new Map([x5c]) },
      { selfSigned: true, statement: new Map([['sig', Buffer.alloc(70)]]) },
      { statement: new Map([x5c]) },
      { format: 'fido-u2f', statement: new Map([x5c]) },
      { format: 'apple', statement: new Map([x5c]) },
      { format: 'unheard-of' },
    ] satisfies Broken[]) {
      const { status } = await rejection(register(world.alice, device, broken))
      assert.equal(status, 400, JSON.stringify(broken))
    }
    assert.equal((await world.alice.passkeys.list({})).items.length, 1)
  })

  it('is not registered from another origin, for another party, anonymously, or with nonsense', async ({ alice }) => {
    const device = new Authenticator()
    const messages = new Set<string>()
    for (const broken of [
      { origin: 'https://evil.example' },
      { origin: 'http://localhost:3001' },
      { origin: 'https://localhost:3000' },
      { crossOrigin: true },
      { rpId: 'evil.example' },
      { flags: 0 },
      { type: 'webauthn.get' },
      { challenge: 'bm90IG91cnM' },
    ] satisfies Broken[]) {
      const { status, message } = await rejection(register(alice, device, broken))
      assert.equal(status, 400, JSON.stringify(broken))
      messages.add(message)
    }
    const fresh = async () => device.create(await alice.passkeys.beginRegistration({}))
    const changes: ((whole: Registration) => Registration)[] = [
      (whole) => ({ ...whole, id: 'another', rawId: 'another' }),
      (whole) => ({ ...whole, rawId: 'another' }),
      (whole) => ({ ...whole, response: { ...whole.response, clientDataJSON: 'AAAA' } }),
      (whole) => ({ ...whole, response: { ...whole.response, attestationObject: 'oA' } }),
      (whole) => ({ ...whole, response: { ...whole.response, attestationObject: '-_8' } }),
    ]
    for (const change of changes) {
      const { status, message } = await rejection(alice.passkeys.register({ response: change(await fresh()) }))
      assert.equal(status, 400)
      messages.add(message)
    }
    assert.equal(messages.size, 1, 'always in the same words')
    assert.deepEqual((await alice.passkeys.list({})).items, [])
  })

  it('is taken from either name of loopback', async (world) => {
    const device = new Authenticator()
    const origin = BASE_URL.replace('localhost', '127.0.0.1')
    await register(world.alice, device, { origin })
    await signIn(world, device, { origin })
  })

  it('is registered with a challenge of this account and purpose, once, within five minutes', async (world) => {
    const { alice, bob, anonymous, clock, db } = world
    // After 10 minutes alice would have to confirm that it is her.
    clock.stop()
    const device = new Authenticator()
    const options = await alice.passkeys.beginRegistration({})
    const refuse = async (person: Person, challenge: string) => {
      const response = device.create({ ...options, challenge })
      assert.equal((await rejection(person.passkeys.register({ response }))).status, 400)
    }
    await refuse(alice, (await bob.passkeys.beginRegistration({})).challenge)
    await refuse(alice, (await anonymous.passkeys.beginSignIn({})).challenge)
    await refuse(bob, options.challenge)
    await alice.passkeys.register({ response: device.create(options) })
    await refuse(alice, options.challenge)
    const late = await alice.passkeys.beginRegistration({})
    clock.pass(301)
    await refuse(alice, late.challenge)
    const inTime = await alice.passkeys.beginRegistration({})
    clock.pass(298)
    await alice.passkeys.register({ response: device.create(inTime) })
    const spoilt = await alice.passkeys.beginRegistration({})
    const bad = device.create(spoilt, { origin: 'https://evil.example' })
    assert.equal((await rejection(alice.passkeys.register({ response: bad }))).status, 400)
    await refuse(alice, spoilt.challenge)
    const stored = JSON.stringify(await db.selectFrom('passkeyChallenge').selectAll().execute())
    assert.ok(!stored.includes((await anonymous.passkeys.beginSignIn({})).challenge))
  })

  it('belongs to one account: a known one is a conflict, with the same error for every caller', async (world) => {
    const device = new Authenticator()
    await register(world.alice, device)
    const messages = []
    for (const person of [world.alice, world.bob]) {
      const { challenge } = await person.passkeys.beginRegistration({})
      const response = device.attest(device.held[0]!, challenge)
      const { status, message } = await rejection(person.passkeys.register({ response }))
      assert.equal(status, 409)
      messages.push(message)
    }
    assert.equal(messages[0], messages[1])
    assert.equal((await signIn(world, device)).user.email, world.alice.email)
  })

  it('has a name of 1 to 60 characters, which its owner changes', async ({ alice, bob }) => {
    const device = new Authenticator()
    const { id, name } = await register(alice, device, { name: ' Laptop ' })
    assert.equal(name, 'Laptop')
    for (const wrong of ['', ' ', 'x'.repeat(61)]) {
      assert.equal((await rejection(alice.passkeys.rename({ id, name: wrong }))).status, 400)
    }
    const renamed = await alice.passkeys.rename({ id, name: 'x'.repeat(60) })
    assert.deepEqual((await alice.passkeys.list({})).items, [renamed])
    assert.equal((await rejection(bob.passkeys.rename({ id, name: 'Mine' }))).status, 404)
    assert.equal((await rejection(bob.passkeys.remove({ id }))).status, 404)
    assert.deepEqual((await bob.passkeys.list({})).items, [])
  })

  it('is listed oldest first, and signs in no more once removed', async (world) => {
    const devices = [new Authenticator(), new Authenticator()]
    for (const [index, device] of devices.entries()) {
      await register(world.alice, device, { name: `Device ${index}` })
      world.clock.pass(1)
    }
    const { items } = await world.alice.passkeys.list({})
    assert.deepEqual(
      items.map(({ name }) => name),
      ['Device 0', 'Device 1'],
    )
    const { id } = items[0]!
    assert.deepEqual(await world.alice.passkeys.remove({ id }), { id })
    assert.equal((await rejection(world.alice.passkeys.remove({ id }))).status, 404)
    assert.equal((await rejection(signIn(world, devices[0]!))).status, 401)
    await signIn(world, devices[1]!)
  })

  it('is one of at most 20 of an account, also when two are added at once', async ({ alice, db }) => {
    const device = new Authenticator()
    for (let count = 0; count < 19; count++) await register(alice, device)
    const both = [await alice.passkeys.beginRegistration({}), await alice.passkeys.beginRegistration({})]
    const answers = await Promise.allSettled(
      both.map((options) => alice.passkeys.register({ response: device.create(options) })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal((await rejection(alice.passkeys.beginRegistration({}))).status, 409)
    assert.equal((await db.selectFrom('passkey').select('id').execute()).length, 20)
  })

  it('causes a mail and an entry in the audit log', async (world) => {
    const { alice, db } = world
    const { id: userId, email } = await alice.account()
    const device = new Authenticator()
    await register(alice, device)
    assert.match((await world.mails(email)).at(-1)!.subject, /new passkey/)
    await prove(world, alice)
    const { id } = await register(alice, device)
    assert.match((await world.mails(email)).at(-1)!.subject, /new passkey/)
    await alice.passkeys.rename({ id, name: 'Phone' })
    await alice.passkeys.remove({ id })
    const acts = await db.selectFrom('audit').selectAll().where('targetId', '=', userId).orderBy('id').execute()
    assert.deepEqual(
      acts.map(({ action, actorId }) => [action, actorId]),
      ['passkey.add', 'passkey.add', 'passkey.rename', 'passkey.remove'].map((action) => [action, userId]),
    )
    assert.deepEqual(JSON.parse(acts.at(-1)!.detail!), { passkey: id, name: 'Phone' })
  })
})

onEveryEngine('challenges', (it) => {
  it('are forgotten once they expired', async ({ alice, anonymous, app, clock, db }) => {
    const left = async () => (await db.selectFrom('passkeyChallenge').select('purpose').execute()).length
    await alice.passkeys.beginRegistration({})
    await anonymous.passkeys.beginSignIn({})
    await app.cleanUp()
    assert.equal(await left(), 2)
    clock.pass(301)
    await app.cleanUp()
    assert.equal(await left(), 0)
  })
})

onEveryEngine(
  'passkeys on a public origin',
  (it) => {
    it('are for its host and that origin alone', async (world) => {
      const device = new Authenticator()
      const origin = 'https://guild.example'
      const options = await world.alice.passkeys.beginRegistration({})
      assert.equal(options.rp.id, 'guild.example')
      const wrong = device.create(options, { origin: 'https://guild.example.evil.example' })
      assert.equal((await rejection(world.alice.passkeys.register({ response: wrong }))).status, 400)
      await register(world.alice, device, { origin })
      await signIn(world, device, { origin })
      assert.equal((await rejection(signIn(world, device, { origin: 'https://sub.guild.example' }))).status, 401)
      assert.equal((await rejection(signIn(world, device, { origin: 'http://localhost:3000' }))).status, 401)
    })
  },
  { BASE_URL: 'https://guild.example', RATE_LIMITS: 'on' },
)
