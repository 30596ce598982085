// What changes who can sign in to an account is mailed to its owner.
import assert from 'node:assert/strict'
import { Authenticator } from '../../test/authenticator.ts'
import { prove, register } from '../../test/passkeys.ts'
import { newBrowser, SAFARI, signedInBrowser } from '../../test/visitors.ts'
import { onEveryEngine, type World } from '../../test/world.ts'

const PASSWORD = 'alice has a password'

const subjects = async (world: World, email: string) => (await world.mails(email)).map(({ subject }) => subject)

onEveryEngine('a mail', (it) => {
  it('tells of a sign-in from a browser that is new to the account, once', async (world) => {
    const { email } = await world.alice.account()
    const browser = await signedInBrowser(world, world.alice, SAFARI)
    const mail = (await world.mails(email)).at(-1)!
    assert.equal(mail.subject, 'A new browser signed in to your account')
    assert.match(mail.body, /^Browser: Safari on macOS$/m)
    assert.match(mail.body, /^Network address: 127\.0\.0\.1$/m)
    const count = (await subjects(world, email)).length
    await browser.accounts.signOut()
    await browser.accounts.signIn({ email, password: PASSWORD })
    await world.alice.accounts.signIn({ email, password: PASSWORD })
    assert.equal((await subjects(world, email)).length, count, 'the browser is known now')
    await newBrowser(world).accounts.signIn({ email, password: PASSWORD })
    assert.equal((await subjects(world, email)).length, count + 1)
  })

  it('tells of a new browser that signs in with a code or a passkey, too', async (world) => {
    const { alice } = world
    const { email } = await alice.account()
    await prove(world, alice)
    const device = new Authenticator()
    await register(alice, device)
    const byCode = newBrowser(world)
    await byCode.accounts.sendCode({ email })
    await byCode.accounts.signInWithCode({ email, code: await world.code(email) })
    const byPasskey = newBrowser(world)
    await byPasskey.passkeys.signIn({ response: device.get(await byPasskey.passkeys.beginSignIn({})) })
    const told = (await subjects(world, email)).filter((subject) => subject.startsWith('A new browser'))
    assert.equal(told.length, 2)
  })

  it('tells of a new passkey, a new password and a new role', async (world) => {
    const { alice, admin } = world
    const { id, email } = await alice.account()
    await register(alice, new Authenticator())
    await alice.accounts.changePassword({ password: PASSWORD, newPassword: 'an entirely new password' })
    await admin.admin.setRole({ id, role: 'moderator' })
    await admin.admin.setRole({ id, role: 'moderator' })
    assert.deepEqual(await subjects(world, email), [
      'Verify your email',
      'A new passkey was added to your account',
      'Your password was changed',
      'Your role was changed',
    ])
    const role = (await world.mails(email)).at(-1)!
    assert.match(role.body, /is now moderator\. It was member\./)
    assert.doesNotMatch(JSON.stringify(await world.mails(email)), /entirely new/)
  })

  it('tells nothing new to the person who just made the account', async (world) => {
    const browser = newBrowser(world)
    await browser.accounts.sendCode({ email: 'dora@example.com' })
    await browser.accounts.signInWithCode({ email: 'dora@example.com', code: await world.code('dora@example.com') })
    assert.deepEqual(await subjects(world, 'dora@example.com'), ['Your sign-in code'])
  })
})
