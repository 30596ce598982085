// Accounts at the command line: what each act does shows through the front door.
import assert from 'node:assert/strict'
import { runCommand } from '../../test/operator.ts'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'
import { users } from './users.ts'

const admin = ({ dependencies: { config } }: World, parameters: string[], options: Record<string, string> = {}) =>
  runCommand(users, config, { parameters, ...options })

const signIn = ({ anonymous }: World, { email }: Person) =>
  anonymous.accounts.signIn({ email, password: `${email.split('@')[0]} has a password` })

const acts = async (world: World) => (await world.admin.admin.listAudit({})).items

onEveryEngine('npm run admin -- users', (it) => {
  it('lists and shows accounts, by email, username or id', async (world) => {
    const { alice, bob, admin: boss } = world
    const { id } = await alice.account()
    for (const person of [bob, boss]) await person.account()
    await alice.profile.setUsername({ username: 'Alice-A' })
    const listed = async (options: Record<string, string>) =>
      (await admin(world, ['list'], options)).results as { users: { email: string }[]; total: number }[]
    const emails = async (options: Record<string, string>) =>
      (await listed(options))[0]!.users.map(({ email }) => email)
    assert.deepEqual((await emails({})).toSorted(), [boss.email, alice.email, bob.email].toSorted())
    assert.deepEqual(await emails({ role: 'admin' }), [boss.email])
    assert.deepEqual(await emails({ search: 'alice' }), [alice.email])
    assert.deepEqual(await emails({ blocked: 'true' }), [])
    assert.deepEqual(await emails({ page: '1' }), [])
    assert.equal((await admin(world, ['list'], { role: 'king' })).code, 2)
    for (const page of ['x', '-1', '1.5', '']) assert.equal((await admin(world, ['list'], { page })).code, 2, page)
    for (const name of [alice.email.toUpperCase(), 'alice-a', id]) {
      const [shown] = (await admin(world, ['show', name])).results as Record<string, unknown>[]
      assert.deepEqual(
        [shown?.['id'], shown?.['hasPassword'], shown?.['sessions'], shown?.['deletion']],
        [id, true, 1, null],
        name,
      )
    }
    for (const name of ['nobody@example.com', 'nobody', '0190163d-8694-739b-aea5-966c26f8ad90']) {
      assert.equal((await admin(world, ['show', name])).code, 1, name)
    }
    for (const wrong of [['show'], ['crown', alice.email], ['show', alice.email, 'more'], ['list', 'all']]) {
      assert.equal((await admin(world, wrong)).code, 2, wrong.join(' '))
    }
  })

  it('blocks as an admin does: sessions end, the log has it, and the account can appeal', async (world) => {
    const { alice, admin: boss } = world
    const { id } = await alice.account()
    await boss.account()
    const blocked = await admin(world, ['block', alice.email], { reason: 'Spam' })
    assert.equal(blocked.code, 0)
    await assert.rejects(alice.profile.me(), { status: 401 })
    await assert.rejects(signIn(world, alice), { status: 403 })
    const [act] = await acts(world)
    assert.deepEqual([act?.action, act?.actorId, act?.targetId, act?.reason], ['user.block', null, id, 'Spam'])
    assert.deepEqual((await admin(world, ['block', alice.email])).results, blocked.results)
    assert.equal((await acts(world)).filter(({ action }) => action === 'user.block').length, 1)
    assert.equal((await admin(world, ['unblock', id])).code, 0)
    assert.equal((await signIn(world, alice)).user.id, id)
    const last = await admin(world, ['block', boss.email])
    assert.deepEqual([last.code, /last admin/.test(last.complaints.join())], [1, true])
  })

  it('takes every credential of an account away, and mails its owner the way in', async (world) => {
    const { alice, anonymous, admin: boss } = world
    const { id } = await alice.account()
    await boss.account()
    const [result] = (await admin(world, ['reset', alice.email])).results as { removed: object }[]
    const none = { passkeys: 0, external: 0, programs: 0, apps: 0, webhooks: 0, keys: 0 }
    assert.deepEqual(result?.removed, { password: true, sessions: 1, ...none })
    await assert.rejects(alice.profile.me(), { status: 401 })
    await assert.rejects(signIn(world, alice), { status: 401 })
    assert.equal((await acts(world))[0]?.action, 'account.reset')
    assert.match((await world.mails(alice.email)).at(-1)!.body, /\/forgot-password/)
    await anonymous.accounts.forgotPassword({ email: alice.email })
    const code = await world.code(alice.email)
    const again = await anonymous.accounts.resetPassword({ email: alice.email, code, password: 'another long phrase' })
    assert.equal(again.user.id, id)
  })

  it('has accounts erased in 14 days, and keeps them when told so', async (world) => {
    const { alice, bob, admin: boss } = world
    for (const person of [alice, bob, boss]) await person.account()
    assert.equal((await admin(world, ['delete', alice.email], { content: 'all' })).code, 2)
    assert.equal((await admin(world, ['delete', alice.email], { content: 'delete', reason: 'Asked by mail' })).code, 0)
    assert.equal((await admin(world, ['delete', alice.email])).code, 1)
    assert.match((await world.mails(alice.email)).at(-1)!.body, /Asked by mail/)
    assert.equal((await admin(world, ['keep', alice.email])).code, 0)
    assert.equal((await admin(world, ['keep', alice.email])).code, 1)
    assert.equal((await signIn(world, alice)).user.email, alice.email)
    assert.equal((await admin(world, ['delete', boss.email])).code, 1)
    const [, requested] = await acts(world)
    assert.deepEqual([requested?.action, requested?.reason], ['account.request-deletion', 'Asked by mail'])
    assert.equal((await admin(world, ['delete', bob.email], { reason: 'x'.repeat(501) })).code, 2)
    assert.equal((await admin(world, ['delete', bob.email], { reason: 'x'.repeat(500) })).code, 0)
  })

  it('grants roles, by any name of an account', async (world) => {
    const { alice } = world
    const { id } = await alice.account()
    assert.equal((await admin(world, ['grant', id, 'moderator'])).code, 0)
    const [shown] = (await admin(world, ['show', id])).results as { role: string }[]
    assert.equal(shown!.role, 'moderator')
    assert.equal((await admin(world, ['grant', id, 'king'])).code, 2)
    assert.equal((await admin(world, ['grant', id])).code, 2)
  })
})
