// The clock was a year ahead for a while, as with a bad time server, and is correct again: limits and codes from that time block no
// caller and stay invalid.
import assert from 'node:assert/strict'
import type { ApiError } from '../src/surfaces/client.ts'
import { Authenticator } from './authenticator.ts'
import { workflowFile } from './library.ts'
import { oauthClient } from './oauth.ts'
import { onEveryEngine, type World } from './world.ts'

const YEAR = 365 * 86_400

async function aYearAhead<T>({ clock }: World, work: () => Promise<T>): Promise<T> {
  clock.jump(YEAR)
  try {
    return await work()
  } finally {
    clock.jump(-YEAR)
  }
}

const refusal = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => assert.fail('was let through'),
    (error: ApiError) => error,
  )

onEveryEngine(
  'after a clock that was a year ahead',
  (it) => {
    it('the right password opens, and wrong ones are counted as ever', async (world) => {
      const { alice, anonymous } = world
      const { email } = await alice.account()
      const signIn = (password: string) => anonymous.accounts.signIn({ email, password })
      await aYearAhead(world, async () => {
        for (let index = 0; index < 11; index++) await assert.rejects(signIn('not the password'))
        await assert.rejects(signIn('alice has a password'), { status: 429 })
      })
      assert.equal((await signIn('alice has a password')).user.email, email)
      for (let index = 0; index < 10; index++) await assert.rejects(signIn('not the password'), { status: 401 })
      const { status, headers } = await refusal(signIn('alice has a password'))
      assert.equal(status, 429)
      assert.ok(Number(headers.get('retry-after')) <= 15 * 60)
    })

    it('a mailed code of then is no good, and one of now is', async (world) => {
      const { alice, anonymous, code } = world
      const { email } = await alice.account()
      const old = await aYearAhead(world, async () => {
        await anonymous.accounts.sendCode({ email })
        return code(email)
      })
      await assert.rejects(anonymous.accounts.signInWithCode({ email, code: old }), { status: 401 })
      await anonymous.accounts.sendCode({ email })
      assert.equal((await anonymous.accounts.signInWithCode({ email, code: await code(email) })).user.email, email)
    })

    it('a code for an agent is the same', async (world) => {
      const client = oauthClient(world)
      const { email } = await world.alice.account()
      const clientId = await client.register()
      const old = await aYearAhead(world, async () => {
        for (let index = 0; index < 3; index++) await client.claim(email, 'community:read', clientId)
        return client.code(email)
      })
      assert.equal((await client.verify(email, old, clientId)).status, 400)
      assert.equal((await client.claim(email, 'community:read', clientId)).status, 200)
      assert.equal((await client.verify(email, await client.code(email), clientId)).status, 200)
    })

    it('a challenge for a passkey of then is no good', async (world) => {
      const device = new Authenticator()
      const { alice } = world
      const { email } = await alice.account()
      const then = await aYearAhead(world, async () => {
        await alice.accounts.signIn({ email, password: 'alice has a password' })
        return alice.passkeys.beginRegistration({})
      })
      const unconfirmed = alice.passkeys.register({ response: device.create(then) })
      await assert.rejects(unconfirmed, { status: 403 }, 'a credential that was used then does not count either')
      await alice.reauthentication.confirm({ password: 'alice has a password' })
      await assert.rejects(alice.passkeys.register({ response: device.create(then) }), { status: 400 })
      await alice.passkeys.register({ response: device.create(await alice.passkeys.beginRegistration({})) })
    })

    it('publishing goes on', async (world) => {
      const { alice } = world
      const { email } = await alice.account()
      const publish = () => alice.library.publish({ kind: 'workflow', file: workflowFile() })
      await aYearAhead(world, async () => {
        await alice.accounts.signIn({ email, password: 'alice has a password' })
        for (let index = 0; index < 30; index++) await publish()
        await assert.rejects(publish(), { code: 'rate_limited' })
      })
      assert.ok((await publish()).id)
    })

    it('mail that waited goes out', async (world) => {
      const letter = { recipient: 'carol@example.com', subject: 's', body: 'b' }
      await aYearAhead(world, () => world.dependencies.outbox.enqueue(world.db, letter))
      assert.equal((await world.mails(letter.recipient)).length, 1)
    })
  },
  { RATE_LIMITS: 'on' },
)
