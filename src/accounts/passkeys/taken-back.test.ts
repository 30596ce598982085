// Passkeys are removed when the owner of the mailbox takes the account over (behaviour.md, section 5).
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { Authenticator } from '../../../test/authenticator.ts'
import { oauthClient } from '../../../test/oauth.ts'
import { isSignedIn, passkeysOf, prove, register, rejection, signIn } from '../../../test/passkeys.ts'
import { onEveryEngine } from '../../../test/world.ts'
import type { Registration } from './contract.ts'

onEveryEngine('the passkeys of an account that is taken back', (it) => {
  it('go with the password of a squatter, whichever code proves the mailbox', async (world) => {
    const { anonymous } = world
    for (const how of ['code', 'reset'] as const) {
      const squatter = world.person(how)
      const { email, id } = await squatter.account()
      const device = new Authenticator()
      await register(squatter, device)
      const pending = await squatter.passkeys.beginRegistration({})
      if (how === 'code') {
        await anonymous.accounts.sendCode({ email })
        await anonymous.accounts.signInWithCode({ email, code: await world.code(email) })
      } else {
        await anonymous.accounts.forgotPassword({ email })
        await anonymous.accounts.resetPassword({ email, code: await world.code(email), password: 'a new password' })
      }
      assert.equal((await rejection(signIn(world, device))).status, 401)
      assert.equal((await rejection(squatter.passkeys.register({ response: device.create(pending) }))).status, 401)
      assert.deepEqual(await passkeysOf(world, id), [])
    }
  })

  it('are removed even when a concurrent request adds or renames one', async (world) => {
    const { anonymous } = world
    const ways = {
      register: (_: string, response: Registration) => ['POST', '', { response }] as const,
      rename: (id: string) => ['PATCH', `/${id}`, { name: 'Mine' }] as const,
    }
    for (const [name, way] of Object.entries(ways)) {
      const squatter = world.person(name)
      const { email, id } = await squatter.account()
      const device = new Authenticator()
      const passkey = await register(squatter, device)
      const [method, path, body] = way(passkey.id, device.create(await squatter.passkeys.beginRegistration({})))
      await anonymous.accounts.sendCode({ email })
      const code = await world.code(email)
      // The caller is looked at before the body: here the mailbox is proven in between.
      const late = Readable.toWeb(
        Readable.from(
          (async function* () {
            await anonymous.accounts.signInWithCode({ email, code })
            yield Buffer.from(JSON.stringify(body))
          })(),
        ),
      ) as ReadableStream
      const headers = { 'Content-Type': 'application/json' }
      const init = { method, headers, body: late, duplex: 'half' } as RequestInit
      assert.equal((await squatter.request(`/api/auth/passkeys${path}`, init)).status, 401)
      assert.deepEqual(await passkeysOf(world, id), [])
    }
  })

  it('are removed in either order when one is added at the same time', async (world) => {
    const { anonymous } = world
    for (let round = 0; round < 6; round++) {
      const squatter = world.person(`squatter-${round}`)
      const { email, id } = await squatter.account()
      const response = new Authenticator().create(await squatter.passkeys.beginRegistration({}))
      await anonymous.accounts.sendCode({ email })
      const code = await world.code(email)
      const [, owner] = await Promise.allSettled([
        squatter.passkeys.register({ response }),
        anonymous.accounts.signInWithCode({ email, code }),
      ])
      assert.equal(owner.status, 'fulfilled')
      assert.deepEqual(await passkeysOf(world, id), [])
    }
  })

  it('stay where the address was proven before', async (world) => {
    const { alice, anonymous } = world
    const { email } = await alice.account()
    await prove(world, alice)
    const device = new Authenticator()
    await register(alice, device)
    await anonymous.accounts.forgotPassword({ email })
    await anonymous.accounts.resetPassword({ email, code: await world.code(email), password: 'a new password' })
    assert.equal(await isSignedIn(alice), false)
    assert.equal((await signIn(world, device)).user.email, email)
  })

  it('go when an agent’s code is the first, and are named in the notice', async (world) => {
    const { email } = await world.alice.account()
    const device = new Authenticator()
    await register(world.alice, device)
    const client = oauthClient(world)
    await client.claim(email, 'community:read')
    await client.verify(email, await client.code(email))
    assert.match((await world.mails(email)).at(-1)!.body, /- 1 passkey$/m)
    assert.equal((await rejection(signIn(world, device))).status, 401)
  })
})
