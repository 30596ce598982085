// Passwords that are tried first by those who guess are refused wherever one is chosen.
import assert from 'node:assert/strict'
import { rejection } from '../../../test/passkeys.ts'
import { onEveryEngine } from '../../../test/world.ts'

const COMMON = ['12345678', 'Password123', 'QWERTYUIOP', 'iloveyou', ' sunshine ']
const OWN = ['carol.weaver@example.com', 'Carol.Weaver', 'carol weaver', 'guildhall!']
const OTHERS = ['correct horse battery', 'carol.weaver@example.org', 'a'.repeat(8), '\u{1f9f6}'.repeat(4)]

onEveryEngine('a password that is chosen', (it) => {
  it('at sign-up is neither a common one nor the own address or name', async ({ anonymous }) => {
    const signUp = (password: string, email = 'carol.weaver@example.com') =>
      anonymous.accounts.signUp({ name: 'Carol Weaver', email, password })
    for (const password of [...COMMON, ...OWN]) {
      const { status, message } = await rejection(signUp(password))
      assert.equal(status, 400, password)
      assert.match(message, COMMON.includes(password) ? /^password: is too common/ : /^password: must not be/)
    }
    for (const [index, password] of OTHERS.entries()) await signUp(password, `${index}@example.com`)
  })

  it('later is neither, and the code that allows it is not used up', async (world) => {
    const { alice, anonymous } = world
    const { email } = await alice.account()
    const change = (newPassword: string) =>
      alice.accounts.changePassword({ password: 'alice has a password', newPassword })
    for (const password of ['password1', email]) {
      const { status, message } = await rejection(change(password))
      assert.deepEqual([status, message.startsWith('newPassword: ')], [400, true])
    }
    await anonymous.accounts.forgotPassword({ email })
    const code = await world.code(email)
    const reset = (password: string) => anonymous.accounts.resetPassword({ email, code, password })
    for (const password of ['password1', email, 'alice@example.com']) {
      assert.equal((await rejection(reset(password))).status, 400)
    }
    await reset('an entirely new password')
  })

  it('may be one that others have as their address', async ({ alice }) => {
    await alice.account()
    await alice.accounts.changePassword({ password: 'alice has a password', newPassword: 'bob@example.com' })
  })
})
