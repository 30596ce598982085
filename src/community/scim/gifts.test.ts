// What groups give, and that it is taken back: in races, beside roles given by hand, and when the mapping changes.
import assert from 'node:assert/strict'
import { linked, type Provider, providerOf } from '../../../test/scim-provider.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { grantRole } from '../../identity/roles.ts'

const GROUPS = 'Moderators = moderator; Owners = admin; Staff = board inner'

const roleOf = async ({ db }: World, id: string) =>
  (await db.selectFrom('user').select('role').where('id', '=', id).executeTakeFirstOrThrow()).role

const member = (id: string) => ({ op: 'add', path: 'members', value: [{ value: id }] })

/** A world whose groups give something, as an admin can change it. */
async function mapped(world: World): Promise<Provider> {
  await world.admin.settings.change({ changes: { SCIM: 'on', SCIM_GROUPS: GROUPS } })
  return providerOf(world)
}

onEveryEngine('the gift of a group', (it) => {
  it('is held by no one once its group is deleted, also by one who joins at that moment: ten races', async (world) => {
    const provider = await mapped(world)
    for (let round = 0; round < 10; round++) {
      const { body: user } = await provider.add({ userName: `race-${round}@example.com` })
      const { body: group } = await provider.addGroup('Owners')
      const path = `/Groups/${group['id']}`
      const [joined, deleted] = await Promise.all([
        provider.patch(path, member(user['id'])),
        provider.ask('DELETE', path),
      ])
      assert.equal(deleted.status, 204)
      assert.ok([200, 404].includes(joined.status), String(joined.status))
      assert.equal(await roleOf(world, user['id']), 'member', `round ${round}`)
      assert.deepEqual((await provider.get(`/Users/${user['id']}`)).body['groups'], [])
    }
  })

  it('leaves the role that an account has besides, from before, since, or of the same rank', async (world) => {
    const { admin, alice, bob } = world
    const provider = await mapped(world)
    const groupOf = async (name: string) => `/Groups/${(await provider.addGroup(name)).body['id']}`
    const [owners, moderators] = [await groupOf('Owners'), await groupOf('Moderators')]
    const [a, b] = [await linked(world, provider, alice), await linked(world, provider, bob)]
    const join = (path: string, id: string) => provider.patch(path, member(id))
    const leave = (path: string, id: string) =>
      provider.patch(path, { op: 'remove', path: `members[value eq "${id}"]` })

    await admin.admin.setRole({ id: a, role: 'moderator' })
    await join(owners, a)
    assert.equal(await roleOf(world, a), 'admin')
    await join(moderators, a)
    await leave(owners, a)
    assert.equal(await roleOf(world, a), 'moderator')
    await leave(moderators, a)
    assert.equal(await roleOf(world, a), 'moderator', 'an admin gave it before')

    await join(moderators, b)
    await admin.admin.setRole({ id: b, role: 'moderator' })
    await leave(moderators, b)
    assert.equal(await roleOf(world, b), 'moderator', 'an admin gave it while the group did')
    await admin.admin.setRole({ id: b, role: 'member' })
    await join(moderators, b)
    const now = new Date().toISOString()
    await grantRole(world.dependencies, bob.email, { role: 'moderator', now })
    await leave(moderators, b)
    assert.equal(await roleOf(world, b), 'moderator', 'the operator gave it while the group did')
    await admin.admin.setRole({ id: b, role: 'member' })
    await join(owners, b)
    await leave(owners, b)
    assert.equal(await roleOf(world, b), 'member', 'an admin took it')

    await join(owners, b)
    await admin.admin.setRole({ id: b, role: 'moderator' })
    await join(owners, a)
    assert.equal(await roleOf(world, b), 'moderator', 'who joins changes nothing of others')
    await admin.admin.setRole({ id: b, role: 'member' })
    await join(moderators, b)
    await leave(owners, b)
    assert.equal(await roleOf(world, b), 'member', 'a smaller gift raises no one')
    await leave(moderators, b)
    await join(moderators, b)
    assert.equal(await roleOf(world, b), 'moderator', 'a new gift does')
  })

  it('leaves the board to which a link invited besides', async (world) => {
    const { admin, alice } = world
    const provider = await mapped(world)
    await admin.boards.create({ slug: 'inner', name: 'Inner', readers: 'invited' })
    const id = await linked(world, provider, alice)
    const members = async () => (await admin.boards.members({ board: 'inner' })).items.map((one) => one.id)
    const invite = async () => {
      const { link } = await admin.invitationLinks.create({ board: 'inner', maxUses: 1 })
      await alice.invitation.open({ key: new URL(link).searchParams.get('key') ?? '' })
      await alice.invitation.accept()
    }
    await invite()
    const { body: staff } = await provider.addGroup('Staff', [id])
    await provider.ask('DELETE', `/Groups/${staff['id']}`)
    assert.deepEqual(await members(), [id], 'it was invited before')
    await admin.boards.removeMember({ board: 'inner', userId: id })
    const { body: again } = await provider.addGroup('Staff', [id])
    assert.deepEqual(await members(), [id])
    await admin.boards.removeMember({ board: 'inner', userId: id })
    await provider.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'A' })
    assert.deepEqual(await members(), [], 'what is taken by hand stays so')
    await invite()
    await provider.ask('DELETE', `/Groups/${again['id']}`)
    assert.deepEqual(await members(), [id], 'it was invited since')
  })

  it('is that of the mapping from the next change of the group, or of the account, on', async (world) => {
    const { admin, alice, bob } = world
    const provider = await mapped(world)
    await admin.boards.create({ slug: 'inner', name: 'Inner', readers: 'invited' })
    const [a, b] = [await linked(world, provider, alice), await linked(world, provider, bob)]
    const c = String((await provider.add({ userName: 'carol@example.com' })).body['id'])
    const people = [a, b, c]
    const roles = () => Promise.all(people.map((id) => roleOf(world, id)))
    const members = async () => (await admin.boards.members({ board: 'inner' })).items.map(({ id }) => id).toSorted()
    const { body: owners } = await provider.addGroup('Owners', [a, b])
    await provider.addGroup('Staff', [a, b])
    const map = (SCIM_GROUPS: string) => admin.settings.change({ changes: { SCIM_GROUPS } })
    await map('Staff = moderator')
    assert.deepEqual(await roles(), ['admin', 'admin', 'member'])
    await provider.patch(`/Users/${a}`, { op: 'replace', path: 'displayName', value: 'A' })
    assert.deepEqual(await roles(), ['moderator', 'admin', 'member'])
    assert.deepEqual(await members(), [b])
    await provider.patch(`/Groups/${owners['id']}`, member(c))
    assert.deepEqual(await roles(), ['moderator', 'moderator', 'member'])
    assert.deepEqual(await members(), [])
    await map('Owners = board inner')
    await provider.ask('PUT', `/Groups/${owners['id']}`, {
      displayName: 'Owners',
      members: people.map((value) => ({ value })),
    })
    assert.deepEqual([await roles(), await members()], [['member', 'member', 'member'], people.toSorted()])
  })

  it('stays with the last admin where only the mapping changed, and is refused where the provider takes it', async (world) => {
    const { admin, alice, bob } = world
    const provider = await mapped(world)
    const [a, b] = [await linked(world, provider, alice), await linked(world, provider, bob)]
    const path = `/Groups/${(await provider.addGroup('Owners', [a])).body['id']}`
    await admin.settings.change({ changes: { SCIM_GROUPS: '' } })
    const own = await admin.account()
    await alice.admin.setRole({ id: own.id, role: 'member' })
    assert.equal((await provider.patch(path, member(b))).status, 200)
    assert.equal(await roleOf(world, a), 'admin')
    assert.equal((await provider.patch(path, { op: 'remove', path: 'members' })).status, 409)
    await alice.admin.setRole({ id: own.id, role: 'admin' })
    await provider.patch(`/Users/${a}`, { op: 'replace', path: 'displayName', value: 'A' })
    assert.equal(await roleOf(world, a), 'member')
  })
})

onEveryEngine(
  'an admin of the configuration',
  (it) => {
    it('stays one when its group is deleted', async (world) => {
      const provider = await providerOf(world)
      const id = await linked(world, provider, world.alice)
      const { body } = await provider.addGroup('Owners', [id])
      assert.equal(await roleOf(world, id), 'admin')
      await provider.ask('DELETE', `/Groups/${body['id']}`)
      assert.equal(await roleOf(world, id), 'admin')
    })
  },
  { SCIM: 'on', SCIM_GROUPS: GROUPS, ADMIN_EMAILS: 'alice@example.com' },
)
