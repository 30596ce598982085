// Signing in with a passkey: soundly, in every broken way, and more often than is let.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { Authenticator, type Broken } from '../../../test/authenticator.ts'
import { register, rejection, signIn } from '../../../test/passkeys.ts'
import { onEveryEngine } from '../../../test/world.ts'

onEveryEngine('a sign-in with a passkey', (it) => {
  it('is refused with 401 and the same message for every error', async (world) => {
    const { alice, bob, anonymous, clock } = world
    const device = new Authenticator()
    await register(alice, device)
    const { id: bobId } = await bob.account()
    const ofBob = Buffer.from(bobId.replaceAll('-', ''), 'hex').toString('base64url')
    const messages = new Set<string>()
    const refuse = async (what: string, promise: Promise<unknown>) => {
      const { status, message } = await rejection(promise)
      assert.equal(status, 401, what)
      messages.add(message)
    }
    for (const broken of [
      { origin: 'https://evil.example' },
      { crossOrigin: true },
      { rpId: 'evil.example' },
      { flags: 0 },
      { type: 'webauthn.create' },
      { forged: true },
      { challenge: 'bm90IG91cnM' },
      { userHandle: ofBob },
      { userHandle: null },
    ] satisfies Broken[]) {
      await refuse(JSON.stringify(broken), signIn(world, device, broken))
    }
    const unknown = new Authenticator()
    unknown.create(await alice.passkeys.beginRegistration({}))
    await refuse('an unknown credential', signIn(world, unknown))
    const post = async (change: (response: ReturnType<typeof device.get>) => object) => {
      const response = device.get(await anonymous.passkeys.beginSignIn({}))
      return anonymous.passkeys.signIn({ response: change(response) as never })
    }
    const tampered = (signature: string) => `${signature.slice(0, -4)}AAAA`
    await refuse(
      'a tampered signature',
      post((whole) => ({ ...whole, response: { ...whole.response, signature: tampered(whole.response.signature) } })),
    )
    await refuse(
      'nonsense',
      post((whole) => ({
        ...whole,
        response: { ...whole.response, clientDataJSON: 'AAAA', authenticatorData: 'AAAA' },
      })),
    )
    const ofRegistering = (await alice.passkeys.beginRegistration({})).challenge
    const options = await anonymous.passkeys.beginSignIn({})
    await refuse(
      'a challenge for registering',
      anonymous.passkeys.signIn({ response: device.get({ ...options, challenge: ofRegistering }) }),
    )
    clock.pass(301)
    await refuse('an expired challenge', anonymous.passkeys.signIn({ response: device.get(options) }))
    assert.equal(messages.size, 1)
    await signIn(world, device)
  })

  it('uses its challenge up, also when it fails', async (world) => {
    const { alice, anonymous } = world
    const device = new Authenticator()
    await register(alice, device)
    const options = await anonymous.passkeys.beginSignIn({})
    const good = device.get(options)
    await anonymous.passkeys.signIn({ response: good })
    for (const again of [good, device.get(options)]) {
      assert.equal((await rejection(anonymous.passkeys.signIn({ response: again }))).status, 401)
    }
    const spoilt = await anonymous.passkeys.beginSignIn({})
    await rejection(anonymous.passkeys.signIn({ response: device.get(spoilt, { forged: true }) }))
    assert.equal((await rejection(anonymous.passkeys.signIn({ response: device.get(spoilt) }))).status, 401)
  })

  it('is one for a challenge that is used many times at once', async (world) => {
    const { alice, bob, anonymous, db } = world
    const devices = [new Authenticator({ counts: false }), new Authenticator({ counts: false })]
    await register(alice, devices[0]!)
    await register(bob, devices[1]!)
    const before = (await db.selectFrom('session').select('id').execute()).length
    const options = await anonymous.passkeys.beginSignIn({})
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        anonymous.passkeys.signIn({ response: devices[index % 2]!.get(options) }),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await db.selectFrom('session').select('id').execute()).length, before + 1)
  })

  it('is refused when the counter stands still or goes back, which a copied key does', async (world) => {
    const device = new Authenticator()
    await register(world.alice, device)
    await signIn(world, device, { counter: 4_294_967_290 })
    for (const counter of [4_294_967_290, 4_294_967_289, 1, 0]) {
      assert.equal((await rejection(signIn(world, device, { counter }))).status, 401, String(counter))
    }
    await signIn(world, device, { counter: 4_294_967_291 })
  })

  it('counts once for a counter that two sign-ins show at the same time', async (world) => {
    const device = new Authenticator()
    await register(world.alice, device)
    const answers = await Promise.allSettled([
      signIn(world, device, { counter: 5 }),
      signIn(world, device, { counter: 5 }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  it('is refused to a blocked account with 403, and to no other', async (world) => {
    const { alice, admin, anonymous } = world
    const { id } = await alice.account()
    const device = new Authenticator()
    await register(alice, device)
    await admin.admin.block({ id, blocked: true })
    const response = device.get(await anonymous.passkeys.beginSignIn({}))
    assert.equal((await rejection(anonymous.passkeys.signIn({ response }))).status, 403)
    assert.equal((await rejection(anonymous.passkeys.signIn({ response }))).status, 401, 'not twice')
    assert.equal(
      (await rejection(signIn(world, device, { forged: true }))).status,
      401,
      'who has no key learns nothing',
    )
    await admin.admin.block({ id, blocked: false })
    assert.equal((await signIn(world, device)).user.id, id, 'the passkey stayed')
  })
})

onEveryEngine(
  'passkeys under limits',
  (it) => {
    it('let a network try 60 sign-ins in a quarter of an hour', async ({ anonymous, clock }) => {
      const device = new Authenticator()
      const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      device.held.push({ id: 'bm9ib2R5', userHandle: 'bm9ib2R5', rpId: 'localhost', key, publicKey, counter: 0 })
      const options = await anonymous.passkeys.beginSignIn({})
      const attempt = () => rejection(anonymous.passkeys.signIn({ response: device.get(options) }))
      for (let tries = 0; tries < 60; tries++) assert.equal((await attempt()).status, 401)
      assert.equal((await attempt()).status, 429)
      clock.pass(15 * 60 + 1)
      assert.equal((await attempt()).status, 401)
    })

    it('hand out 240 challenges to a network, and 60 an hour to an account', async ({ alice, anonymous }) => {
      for (let tries = 0; tries < 240; tries++) await anonymous.passkeys.beginSignIn({})
      assert.equal((await rejection(anonymous.passkeys.beginSignIn({}))).status, 429)
      for (let tries = 0; tries < 60; tries++) await alice.passkeys.beginRegistration({})
      assert.equal((await rejection(alice.passkeys.beginRegistration({}))).status, 429)
    })
  },
  { RATE_LIMITS: 'on' },
)
