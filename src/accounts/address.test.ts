// A change of address: who may, what both mailboxes get, how it is undone, and that it gives no role.
import assert from 'node:assert/strict'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'
import { grantConfiguredAdmins } from '../identity/roles.ts'

const DAY = 86_400
const NEW = 'mira.new@example.com'
const password = 'alice has a password'

const refused = (status: number) => (error: unknown) =>
  error instanceof Error && Reflect.get(error, 'status') === status

async function verify({ alice, code }: World): Promise<void> {
  await alice.account()
  await alice.accounts.verifyEmail({ code: await code(alice.email) })
}

async function move({ code }: World, who: Person, email = NEW) {
  await who.address.sendCode({ email })
  return who.address.change({ email, code: await code(email) })
}

async function tokenIn({ mails }: World, email: string): Promise<string> {
  const mail = (await mails(email)).findLast(({ body }) => body.includes('/email-undo'))
  return /token=(\S+)/.exec(mail!.body)![1]!
}

onEveryEngine('a change of address', (it) => {
  it('takes a code from the new mailbox, and tells both', async (world) => {
    const { alice, bob, mails, clock, code } = world
    await verify(world)
    await bob.account()
    clock.pass(601)
    await assert.rejects(alice.address.sendCode({ email: NEW }), refused(403))
    await alice.reauthentication.confirm({ password })
    await alice.address.sendCode({ email: NEW })
    const mailed = await code(NEW)
    await assert.rejects(bob.address.change({ email: NEW, code: mailed }), refused(400))
    await assert.rejects(alice.address.change({ email: NEW, code: '000000' }), refused(400))
    await assert.rejects(alice.address.change({ email: alice.email, code: mailed }), refused(400))
    const { user } = await alice.address.change({ email: NEW, code: mailed })
    assert.deepEqual([user.email, user.emailVerified], [NEW, true])
    assert.match((await mails(alice.email)).at(-1)!.body, /is now mira\.new@example\.com/)
    assert.match((await mails(NEW)).at(-1)!.body, /was alice@example\.com/)
    await assert.rejects(alice.accounts.signIn({ email: alice.email, password }), refused(401))
    await alice.accounts.signIn({ email: NEW, password })
    await assert.rejects(alice.address.change({ email: NEW, code: mailed }), refused(400))
  })

  it('to an address that is taken tells its owner alone, and two that want one get it once', async (world) => {
    const { alice, bob, code } = world
    await alice.account()
    await bob.account()
    const { message } = await alice.address.sendCode({ email: bob.email })
    assert.equal(message, `If ${bob.email} can receive mail, a code is on its way`)
    const mailed = await code(bob.email)
    await assert.rejects(alice.address.change({ email: bob.email, code: mailed }), refused(409))
    await alice.address.sendCode({ email: NEW })
    const first = await code(NEW)
    const rival = world.person('rival')
    await rival.account()
    const both = await Promise.allSettled([
      alice.address.change({ email: NEW, code: first }),
      rival.accounts.signUp({ name: 'Mira', email: NEW, password: 'mira has a password' }),
    ])
    const users = await world.db.selectFrom('user').select('id').where('email', '=', NEW).execute()
    assert.equal(users.length, 1)
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  it('to an address that another account asks for as well is not ended by that', async (world) => {
    const { alice, bob, code, mails } = world
    await alice.account()
    await bob.account()
    await alice.address.sendCode({ email: NEW })
    const first = await code(NEW)
    await bob.address.sendCode({ email: NEW })
    const second = await code(NEW)
    // The wrong tries of one are not those of the other.
    for (let count = 0; count < 5; count++) {
      await assert.rejects(
        bob.address.change({ email: NEW, code: first === '123456' ? '654321' : '123456' }),
        refused(400),
      )
    }
    await assert.rejects(bob.address.change({ email: NEW, code: second }), refused(400))
    const { user } = await alice.address.change({ email: NEW, code: first })
    assert.equal(user.email, NEW)
    assert.equal((await mails(NEW)).length, 3)
  })

  it('is undone by the old mailbox for 7 days, with all that could sign in', async (world) => {
    const { alice, anonymous, mails, clock, code, person } = world
    await verify(world)
    await move(world, alice)
    const token = await tokenIn(world, alice.email)
    const other = person('other')
    await other.account()
    const signUp = other.accounts.signUp({ name: 'X', email: alice.email, password: 'other has a password' })
    await assert.rejects(signUp, refused(409))
    await other.accounts.sendCode({ email: alice.email })
    const signIn = other.accounts.signInWithCode({ email: alice.email, code: await code(alice.email) })
    await assert.rejects(signIn, refused(409))
    await assert.rejects(anonymous.address.undo({ token: 'wrong' }), refused(404))
    clock.pass(7 * DAY - 60)
    assert.deepEqual(await anonymous.address.undo({ token }), { email: alice.email })
    await assert.rejects(anonymous.address.undo({ token }), refused(404))
    await assert.rejects(alice.accounts.signIn({ email: alice.email, password }), refused(401))
    assert.match((await mails(NEW)).at(-1)!.subject, /was undone/)
    await alice.accounts.sendCode({ email: alice.email })
    const { user } = await alice.accounts.signInWithCode({ email: alice.email, code: await code(alice.email) })
    assert.equal(user.id, (await alice.account()).id)
    await move(world, alice)
    const late = await tokenIn(world, alice.email)
    clock.pass(7 * DAY)
    await assert.rejects(anonymous.address.undo({ token: late }), refused(404))
  })

  it('of an address that was never verified tells it, without a way back', async (world) => {
    const { alice, mails } = world
    await alice.account()
    await move(world, alice)
    assert.ok((await mails(alice.email)).every(({ body }) => !body.includes('/email-undo')))
  })
})

onEveryEngine(
  'a change to the address of an admin',
  (it) => {
    it('gives no role, neither at once nor at the next start', async (world) => {
      const { alice, dependencies, clock } = world
      await verify(world)
      assert.equal((await move(world, alice)).user.role, 'member')
      await grantConfiguredAdmins(dependencies, new Date(clock.now()).toISOString())
      assert.equal((await alice.accounts.getSession())?.user.role, 'member')
    })

    it('leaves no role that came with it, once it is undone', async (world) => {
      const { alice, anonymous, code, db } = world
      await verify(world)
      await move(world, alice)
      await alice.accounts.sendCode({ email: NEW })
      const { user } = await alice.accounts.signInWithCode({ email: NEW, code: await code(NEW) })
      assert.equal(user.role, 'admin', 'a mailed sign-in code gives it')
      await anonymous.address.undo({ token: await tokenIn(world, alice.email) })
      const { role } = await db.selectFrom('user').select('role').where('id', '=', user.id).executeTakeFirstOrThrow()
      assert.equal(role, 'member')
    })
  },
  { ADMIN_EMAILS: NEW },
)
