// What becomes of items, roles and invitations when an account is erased; what an export has of them; and webhooks of several owners.
import assert from 'node:assert/strict'
import { strFromU8, unzipSync } from 'fflate'
import { erase, signInAgain } from '../../../test/erasure.ts'
import { named, newVersion, peopleOf, publish, shared } from '../../../test/owners.ts'
import { publishFor, teamOf } from '../../../test/teams.ts'
import { home, isSigned, receiving } from '../../../test/webhook-receiver.ts'
import { type It, onEveryEngine, type Person } from '../../../test/world.ts'

const erasure = (it: It) => {
  it('of the holder gives an item to the owner of longest standing, with its bytes', async (world) => {
    const { alice, anonymous, db } = world
    const { item, carol, carolId, aliceId } = await shared(world)
    const secret = await publish(alice, 'private', 'Secret')
    await erase(world, alice, 'delete')
    assert.deepEqual(await peopleOf(anonymous, item.id), ['carol owner', 'bobby maintainer'])
    assert.equal((await anonymous.library.list({ q: 'carol' })).total, 1)
    const bytes = async (id: string) =>
      (await db.selectFrom('storedBytes').select('bytes').where('accountId', '=', id).executeTakeFirst())?.bytes ?? 0
    assert.deepEqual([await bytes(aliceId), await bytes(carolId)], [0, item.size])
    assert.deepEqual(await db.selectFrom('libraryItem').select('id').where('id', '=', secret.id).execute(), [])
    await signInAgain(carol)
    assert.equal((await newVersion(carol, item.id)).version, '1.0.1')
  })

  it('of another ends its roles and invitations, sent and received', async (world) => {
    const { alice, bob, anonymous, db } = world
    const { item, carol } = await shared(world)
    await named(world.person('dave'), 'dave')
    await carol.library.addMaintainer({ id: item.id, username: 'dave' })
    const other = await publish(bob, 'public', 'Other')
    await bob.library.addMaintainer({ id: other.id, username: 'carol' })
    await erase(world, carol)
    assert.deepEqual(await peopleOf(anonymous, item.id), ['alice owner', 'bobby maintainer'])
    assert.deepEqual(await db.selectFrom('invitation').selectAll().execute(), [])
    await signInAgain(alice)
    assert.equal((await alice.library.get({ id: item.id })).can.manage, true)
  })

  it('of the only owner leaves a public item to no account, though it has maintainers', async (world) => {
    const { alice, bob, anonymous } = world
    await named(bob, 'bobby')
    const { id } = await publish(alice)
    const { id: invitation } = await alice.library.addMaintainer({ id, username: 'bobby' })
    await bob.library.acceptInvitation({ id: invitation })
    await erase(world, alice)
    assert.equal((await anonymous.library.get({ id })).owner.username, null)
    await signInAgain(bob)
    assert.equal((await bob.library.get({ id })).can.edit, true)
  })
}

const exports = (it: It) => {
  it('has the roles of the account, and what waits for it', async (world) => {
    const { alice, bob, app } = world
    const { item } = await shared(world)
    const other = await publish(alice, 'public', 'Other')
    const offer = await alice.library.transfer({ id: other.id, username: 'bobby' })
    const { id } = await bob.dataExports.request()
    await app.work()
    const archive = unzipSync(new Uint8Array(await (await bob.dataExports.download({ id })).arrayBuffer()))
    const json = (name: string) => JSON.parse(strFromU8(archive[`${name}.json`]!)) as Record<string, unknown>[]
    const [role] = json('owners-and-maintainers')
    assert.deepEqual([role?.['itemId'], role?.['role']], [item.id, 'maintainer'])
    const [waiting] = json('invitations')
    assert.deepEqual([waiting?.['id'], waiting?.['itemId'], waiting?.['role']], [offer.id, other.id, 'transfer'])
    assert.ok(!JSON.stringify([...json('invitations'), ...json('owners-and-maintainers')]).includes(alice.email))
  })
}

const webhooks = (it: It) => {
  it('of every owner get a new version, also of a private item; those of former owners do not', async (world) =>
    receiving(async (receiver) => {
      world.dependencies.reach = home
      const { alice, bob, app } = world
      const { item, carol, carolId, bobId } = await shared(world, 'private')
      const { id } = item
      await alice.library.setMaintainerRole({ id, accountId: bobId, role: 'owner' })
      const hooks = new Map<string, string>()
      for (const [name, owner] of Object.entries({ alice, bob, carol })) {
        const { secret } = await owner.itemWebhooks.create({ itemId: id, url: `${receiver.url}/${name}` })
        hooks.set(`/hook/${name}`, secret ?? '')
      }
      const settle = async () => {
        await app.deliver()
        await app.sendWebhooks()
        return receiver.arrived.splice(0).map((one) => {
          assert.ok(isSigned(one, hooks.get(one.path)!))
          return `${one.path} ${JSON.parse(one.body).type}`
        })
      }
      await newVersion(bob, id)
      const expected = ['alice', 'bob', 'carol'].map((name) => `/hook/${name} item.version_published`)
      assert.deepEqual((await settle()).toSorted(), expected)
      await alice.library.setMaintainerRole({ id, accountId: bobId, role: 'maintainer' })
      await newVersion(bob, id)
      await alice.library.removeMaintainer({ id, accountId: carolId })
      assert.deepEqual(await settle(), ['/hook/alice item.version_published'])
    }))

  it('of an item of a team are those of the owners of the team', async (world) =>
    receiving(async (receiver) => {
      world.dependencies.reach = home
      const { alice, bob, app } = world
      const { carol, carolId } = await teamOf(world)
      const { id } = await publishFor(bob, undefined, 'private')
      const add = (owner: Person, name: string) =>
        owner.itemWebhooks.create({ itemId: id, url: `${receiver.url}/${name}` })
      await add(alice, 'alice')
      await add(carol, 'carol')
      await assert.rejects(add(bob, 'bob'), { code: 'forbidden' })
      const settle = async () => {
        await app.deliver()
        await app.sendWebhooks()
        return receiver.arrived.splice(0).map(({ path }) => path)
      }
      await newVersion(bob, id)
      assert.deepEqual((await settle()).toSorted(), ['/hook/alice', '/hook/carol'])
      await newVersion(bob, id)
      await alice.teams.setRole({ slug: 'night-shift', accountId: carolId, role: 'member' })
      assert.deepEqual(await settle(), ['/hook/alice'])
    }))
}

onEveryEngine('the erasure of an account with roles on items', erasure)
onEveryEngine('an export', exports)
onEveryEngine('webhooks of an item with several owners', webhooks)
