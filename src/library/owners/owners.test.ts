// Who may do what with an item that has several people, and how people are invited.
import assert from 'node:assert/strict'
import { CONFLICT, FORBIDDEN, NOT_FOUND, named, newVersion, peopleOf, publish, shared } from '../../../test/owners.ts'
import { type It, onEveryEngine, type Person } from '../../../test/world.ts'

const roles = (it: It) => {
  it('say who may publish, since when, to everybody who sees the item', async (world) => {
    const { anonymous, bob } = world
    const { item } = await shared(world)
    const { items, invitations } = await anonymous.library.maintainers({ id: item.id })
    assert.deepEqual(
      items.map(({ account: { username }, role, holder }) => [username, role, holder]),
      [
        ['alice', 'owner', true],
        ['bobby', 'maintainer', false],
        ['carol', 'owner', false],
      ],
    )
    assert.equal(items[0]!.since, item.created_at)
    assert.equal(invitations, undefined)
    assert.equal((await bob.library.maintainers({ id: item.id })).invitations, undefined)
  })

  it('of a maintainer: versions and texts, and nothing that owners decide', async (world) => {
    const { bob, anonymous } = world
    const { item, carolId, bobId } = await shared(world)
    const { id } = item
    assert.equal((await newVersion(bob, id)).version, '1.0.1')
    assert.equal((await bob.library.update({ id, description: 'Better words' })).description, 'Better words')
    assert.equal((await bob.library.update({ id, visibility: 'public' })).visibility, 'public')
    assert.deepEqual((await bob.library.get({ id })).can, { edit: true, delete: false, manage: false, webhooks: false })
    assert.deepEqual((await anonymous.library.get({ id })).can, {
      edit: false,
      delete: false,
      manage: false,
      webhooks: false,
    })
    const refused = [
      () => bob.library.update({ id, visibility: 'private' }),
      () => bob.library.delete({ id }),
      () => bob.library.rename({ id, slug: 'other' }),
      () => bob.library.addMaintainer({ id, username: 'alice' }),
      () => bob.library.transfer({ id, username: 'bobby' }),
      () => bob.library.setMaintainerRole({ id, accountId: bobId, role: 'owner' }),
      () => bob.library.removeMaintainer({ id, accountId: carolId }),
      () => bob.itemWebhooks.create({ itemId: id, url: 'https://example.com/hook' }),
    ]
    for (const call of refused) await assert.rejects(call(), FORBIDDEN)
  })

  it('of another owner: everything', async (world) => {
    const { bob } = world
    const { item, carol, bobId } = await shared(world)
    const { id } = item
    assert.deepEqual((await carol.library.get({ id })).can, { edit: true, delete: true, manage: true, webhooks: true })
    await newVersion(carol, id)
    assert.equal((await carol.library.setMaintainerRole({ id, accountId: bobId, role: 'owner' })).role, 'owner')
    await carol.library.removeMaintainer({ id, accountId: bobId })
    await assert.rejects(newVersion(bob, id), FORBIDDEN)
    await carol.library.update({ id, visibility: 'private' })
    await assert.rejects(bob.library.get({ id }), NOT_FOUND)
    assert.deepEqual(await carol.library.delete({ id }), { id, deleted: true })
  })

  it('let those who have one see a private item, its file and its names', async (world) => {
    const { bob, anonymous, admin } = world
    const { item, carol } = await shared(world, 'private')
    const { id, slug } = item
    for (const person of [bob, carol]) {
      assert.equal((await person.library.get({ id })).id, id)
      assert.equal((await person.library.download({ id })).status, 200)
      assert.equal((await person.library.file({ kind: 'workflow', slug, version: 'latest' })).status, 200)
      assert.equal((await person.library.resolve({ items: [{ name: `workflow/${slug}` }] })).items[0]!.found, true)
    }
    for (const person of [anonymous, admin]) {
      await assert.rejects(person.library.get({ id }), NOT_FOUND)
      await assert.rejects(person.library.maintainers({ id }), NOT_FOUND)
    }
  })

  it('are changed by owners alone: not by others, moderators and admins, and nothing of what is not there', async (world) => {
    const { moderator, admin, blocked, anonymous, alice } = world
    const { item, carolId, aliceId } = await shared(world)
    const { id } = item
    const dave = world.person('dave')
    for (const person of [dave, moderator, admin]) {
      await assert.rejects(person.library.addMaintainer({ id, username: 'alice' }), FORBIDDEN)
      await assert.rejects(person.library.removeMaintainer({ id, accountId: carolId }), FORBIDDEN)
      await assert.rejects(person.library.transfer({ id, username: 'alice' }), FORBIDDEN)
      await assert.rejects(person.library.rename({ id, slug: 'mine' }), FORBIDDEN)
    }
    await assert.rejects(anonymous.library.addMaintainer({ id, username: 'alice' }), { status: 401 })
    await assert.rejects(blocked.library.addMaintainer({ id, username: 'alice' }), { status: 403, code: 'blocked' })
    const nobody = '01910000-0000-7000-a000-000000000000'
    await assert.rejects(alice.library.addMaintainer({ id: nobody, username: 'carol' }), NOT_FOUND)
    await assert.rejects(alice.library.addMaintainer({ id, username: 'nobody-here' }), NOT_FOUND)
    await assert.rejects(alice.library.removeMaintainer({ id, accountId: nobody }), NOT_FOUND)
    await assert.rejects(alice.library.setMaintainerRole({ id, accountId: nobody, role: 'owner' }), NOT_FOUND)
    await assert.rejects(alice.library.setMaintainerRole({ id, accountId: aliceId, role: 'maintainer' }), CONFLICT)
    await assert.rejects(alice.library.addMaintainer({ id, username: 'carol' }), CONFLICT)
    await assert.rejects(alice.library.addMaintainer({ id, username: 'alice' }), CONFLICT)
  })

  it('end when their account leaves; the item goes to the next owner, and the last one stays', async (world) => {
    const { alice, bob } = world
    const { item, carol, bobId, aliceId, carolId } = await shared(world)
    const { id } = item
    await assert.rejects(carol.library.removeMaintainer({ id, accountId: aliceId }), CONFLICT)
    await alice.library.removeMaintainer({ id, accountId: aliceId })
    assert.deepEqual(await peopleOf(alice, id), ['carol owner', 'bobby maintainer'])
    assert.equal((await alice.library.get({ id })).owner.id, carolId)
    await assert.rejects(newVersion(alice, id), FORBIDDEN)
    await assert.rejects(carol.library.removeMaintainer({ id, accountId: carolId }), CONFLICT)
    await bob.library.removeMaintainer({ id, accountId: bobId })
    assert.deepEqual(await peopleOf(alice, id), ['carol owner'])
  })

  it('of two owners who leave at once: one stays', async (world) => {
    const { alice } = world
    const { item, carol, aliceId, carolId } = await shared(world)
    const { id } = item
    const left = await Promise.allSettled([
      alice.library.removeMaintainer({ id, accountId: aliceId }),
      carol.library.removeMaintainer({ id, accountId: carolId }),
    ])
    assert.ok(left.some(({ status }) => status === 'fulfilled'))
    const owners = (await peopleOf(alice, id)).filter((one) => one.endsWith('owner'))
    assert.equal(owners.length, 1)
  })

  it('count when a version is published: one who is removed meanwhile publishes before, or not at all', async (world) => {
    const { alice, bob } = world
    const { item, bobId } = await shared(world)
    const { id } = item
    const [published, removed] = await Promise.allSettled([
      newVersion(bob, id, '2.0.0'),
      alice.library.removeMaintainer({ id, accountId: bobId }),
    ])
    assert.equal(removed!.status, 'fulfilled')
    const { version } = await alice.library.get({ id })
    assert.equal(version, published!.status === 'fulfilled' ? '2.0.0' : '1.0.0')
    await assert.rejects(newVersion(bob, id, '3.0.0'), FORBIDDEN)
  })

  it('count in the budget of bytes of the one to whom the item belongs', async (world) => {
    const { alice, bob, db } = world
    const { item } = await shared(world)
    const bytesOf = async (person: Person) => {
      const { id } = await person.account()
      return (
        (await db.selectFrom('storedBytes').select('bytes').where('accountId', '=', id).executeTakeFirst())?.bytes ?? 0
      )
    }
    const [before, bobs] = [await bytesOf(alice), await bytesOf(bob)]
    const { size } = await newVersion(bob, item.id)
    assert.deepEqual([await bytesOf(alice), await bytesOf(bob)], [before + size, bobs])
  })
}

const invitations = (it: It) => {
  it('wait for the account, which gets a notification and a mail, and can decline', async (world) => {
    const { alice, bob, app } = world
    await named(alice, 'alice')
    const bobId = await named(bob, 'bobby')
    await bob.accounts.verifyEmail({ code: await world.code(bob.email) })
    const { id, name } = await publish(alice)
    const invitation = await alice.library.addMaintainer({ id, username: 'BOBBY', role: 'owner' })
    assert.equal(invitation.account?.id, bobId)
    assert.deepEqual((await bob.library.invitations()).items, [invitation])
    assert.deepEqual((await alice.library.maintainers({ id })).invitations, [invitation])
    await app.deliver()
    const told = (await bob.notifications.list({})).items[0]!
    assert.deepEqual([told.type, told.target.title, told.url], ['invitation', name, '/library/invitations'])
    assert.deepEqual(told.invitation, { id: invitation.id, role: 'owner', state: 'open' })
    const mail = (await world.mails(bob.email)).at(-1)!
    assert.match(mail.subject, /^alice invites you to be an owner: "Digest"$/)
    await bob.library.endInvitation({ id: invitation.id })
    await app.deliver()
    assert.deepEqual((await bob.notifications.list({})).items, [])
    assert.deepEqual(await peopleOf(alice, id), ['alice owner'])
    await assert.rejects(bob.library.acceptInvitation({ id: invitation.id }), NOT_FOUND)
  })

  it('are for their account alone, and are withdrawn by owners alone', async (world) => {
    const { alice, bob, moderator, admin, anonymous } = world
    const { item } = await shared(world)
    await named(world.person('dave'), 'dave')
    const invitation = await alice.library.addMaintainer({ id: item.id, username: 'dave' })
    for (const person of [alice, bob, moderator, admin]) {
      await assert.rejects(person.library.acceptInvitation({ id: invitation.id }), NOT_FOUND)
    }
    for (const person of [bob, moderator, admin]) {
      await assert.rejects(person.library.endInvitation({ id: invitation.id }), NOT_FOUND)
      assert.deepEqual((await person.library.invitations()).items, [])
    }
    await assert.rejects(anonymous.library.acceptInvitation({ id: invitation.id }), { status: 401 })
    await assert.rejects(alice.library.addMaintainer({ id: item.id, username: 'dave', role: 'owner' }), CONFLICT)
    await alice.library.endInvitation({ id: invitation.id })
    await alice.library.addMaintainer({ id: item.id, username: 'dave', role: 'owner' })
  })

  it('are accepted once, also by two requests at once', async (world) => {
    const { alice, bob } = world
    await named(bob, 'bobby')
    const { id } = await publish(alice)
    const invitation = await alice.library.addMaintainer({ id, username: 'bobby' })
    const accepted = await Promise.allSettled(
      Array.from({ length: 5 }, () => bob.library.acceptInvitation({ id: invitation.id })),
    )
    assert.equal(accepted.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const one of accepted) if (one.status === 'rejected') assert.equal(one.reason.status, 404)
    assert.equal((await alice.library.maintainers({ id })).items.length, 2)
  })

  it('end after seven days, and with the role of who sent them', async (world) => {
    const { alice, clock, app, db } = world
    const { item, carol, carolId } = await shared(world)
    const dave = world.person('dave')
    await named(dave, 'dave')
    const { id } = item
    const first = await carol.library.addMaintainer({ id, username: 'dave' })
    await alice.library.setMaintainerRole({ id, accountId: carolId, role: 'maintainer' })
    await assert.rejects(dave.library.acceptInvitation({ id: first.id }), NOT_FOUND)
    const second = await alice.library.addMaintainer({ id, username: 'dave' })
    clock.pass(7 * 86_400 - 60)
    assert.equal((await dave.library.invitations()).items.length, 1)
    clock.pass(61)
    assert.deepEqual((await dave.library.invitations()).items, [])
    await assert.rejects(dave.library.acceptInvitation({ id: second.id }), NOT_FOUND)
    await app.cleanUp()
    assert.deepEqual(await db.selectFrom('invitation').selectAll().execute(), [])
  })

  it('are at most so many that an item has 50 people', async (world) => {
    const { alice, db } = world
    const { id } = await publish(alice)
    await named(world.bob, 'bobby')
    await named(world.person('carol'), 'carol')
    const people = Array.from({ length: 49 }, (_, at) => ({
      itemId: id,
      accountId: `person-${at}`,
      role: 'maintainer' as const,
      since: 'then',
    }))
    await db.insertInto('membership').values(people).execute()
    await alice.library.addMaintainer({ id, username: 'bobby' })
    await assert.rejects(alice.library.addMaintainer({ id, username: 'carol' }), CONFLICT)
  })

  it('and what they change is in the audit log', async (world) => {
    const { admin, alice } = world
    const { item, bobId } = await shared(world)
    await alice.library.setMaintainerRole({ id: item.id, accountId: bobId, role: 'owner' })
    await alice.library.rename({ id: item.id, slug: 'new-name' })
    await alice.library.removeMaintainer({ id: item.id, accountId: bobId })
    const { items } = await admin.admin.listAudit({})
    const actions = items.filter(({ targetId }) => targetId === item.id).map(({ action }) => action)
    const expected = [
      'item.remove',
      'item.rename',
      'item.change_role',
      'item.join',
      'item.invite',
      'item.join',
      'item.invite',
    ]
    assert.deepEqual(actions, expected)
  })
}

onEveryEngine('roles on items', roles)
onEveryEngine('invitations to items', invitations)
