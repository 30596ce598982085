// Items that go to another account, and names that they had before.
import assert from 'node:assert/strict'
import { CONFLICT, FORBIDDEN, NOT_FOUND, named, newVersion, peopleOf, publish, shared } from '../../../test/owners.ts'
import { type It, onEveryEngine } from '../../../test/world.ts'

const transfers = (it: It) => {
  it('give an item to another account when it accepts: with its bytes, entries and totals', async (world) => {
    const { alice, bob, anonymous, app, db } = world
    const { item, bobId, aliceId } = await shared(world)
    const { id, slug } = item
    await alice.itemWebhooks.create({ itemId: id, url: 'https://example.com/hook' })
    const offer = await alice.library.transfer({ id, username: 'bobby' })
    assert.equal(offer.role, 'transfer')
    assert.equal((await alice.library.get({ id })).owner.id, aliceId)
    await assert.rejects(alice.library.transfer({ id, username: 'carol' }), CONFLICT)
    const taken = await bob.library.acceptInvitation({ id: offer.id })
    assert.deepEqual([taken.owner.id, taken.can.manage, taken.slug], [bobId, true, slug])
    assert.deepEqual(await peopleOf(anonymous, id), ['bobby owner', 'carol owner'])
    assert.ok((await anonymous.library.maintainers({ id })).items[0]!.since > item.created_at)
    await assert.rejects(newVersion(alice, id), FORBIDDEN)
    await newVersion(bob, id)
    assert.equal((await bob.library.list({ scope: 'mine' })).total, 1)
    assert.equal((await alice.library.list({ scope: 'mine' })).total, 0)
    assert.equal((await anonymous.library.list({ q: 'bobby' })).total, 1)
    assert.equal((await anonymous.library.list({ q: 'alice' })).total, 0)
    assert.deepEqual((await alice.itemWebhooks.list({ itemId: id })).items, [])
    const bytes = await db.selectFrom('storedBytes').select('bytes').where('accountId', '=', aliceId).executeTakeFirst()
    assert.equal(bytes?.bytes ?? 0, 0)
    await app.deliver()
    const told = (await alice.notifications.list({})).items.filter(({ type }) => type === 'invitation')
    const ofOffer = told.find(({ invitation }) => invitation?.id === offer.id)
    assert.deepEqual(ofOffer?.invitation, { id: offer.id, role: 'transfer', state: 'accepted' })
  })

  it('of one item are accepted by one account, and none is made twice', async (world) => {
    const { alice, bob } = world
    const { item, bobId } = await shared(world)
    const offer = await alice.library.transfer({ id: item.id, username: 'bobby' })
    const accepted = await Promise.allSettled([0, 1, 2].map(() => bob.library.acceptInvitation({ id: offer.id })))
    assert.equal(accepted.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await alice.library.get({ id: item.id })).owner.id, bobId)
  })

  it('that are withdrawn while they are accepted happen before, or not at all', async (world) => {
    const { alice, bob } = world
    const { item, bobId, aliceId } = await shared(world)
    const offer = await alice.library.transfer({ id: item.id, username: 'bobby' })
    const [accepted] = await Promise.allSettled([
      bob.library.acceptInvitation({ id: offer.id }),
      alice.library.endInvitation({ id: offer.id }),
    ])
    const { owner } = await alice.library.get({ id: item.id })
    assert.equal(owner.id, accepted!.status === 'fulfilled' ? bobId : aliceId)
  })

  it('of private items let the account see the item once it has it', async (world) => {
    const { alice, bob } = world
    await named(bob, 'bobby')
    const { id } = await publish(alice, 'private')
    const offer = await alice.library.transfer({ id, username: 'bobby' })
    await assert.rejects(bob.library.get({ id }), NOT_FOUND)
    assert.equal((await bob.library.invitations()).items[0]!.item?.id, id)
    await bob.library.acceptInvitation({ id: offer.id })
    await assert.rejects(alice.library.get({ id }), NOT_FOUND)
  })
}

const names = (it: It) => {
  it('that an item had before lead to it for ever', async (world) => {
    const { alice, anonymous } = world
    const { id } = await publish(alice)
    const renamed = await alice.library.rename({ id, slug: 'evening-digest' })
    assert.deepEqual(
      [renamed.slug, renamed.url],
      ['evening-digest', 'http://localhost:3000/library/workflows/evening-digest'],
    )
    await alice.library.rename({ id, slug: 'night-digest' })
    for (const slug of ['digest', 'evening-digest', 'night-digest']) {
      assert.equal((await anonymous.library.find({ kind: 'workflow', slug })).slug, 'night-digest')
      assert.equal((await anonymous.library.findVersions({ kind: 'workflow', slug })).versions.length, 1)
      assert.equal((await anonymous.library.file({ kind: 'workflow', slug, version: '^1' })).status, 200)
    }
    const asked = ['digest', 'night-digest', 'evening-digest'].map((slug) => ({ name: `workflow/${slug}` }))
    const { items } = await anonymous.library.resolve({ items: asked })
    assert.deepEqual(
      items.map((one) => one.found && [one.id, one.slug]),
      asked.map(() => [id, 'night-digest']),
    )
    assert.equal((await anonymous.feed.list({})).items[0]!.url, '/library/workflows/night-digest')
    assert.equal((await anonymous.library.list({ q: 'night-digest' })).total, 1)
  })

  it('are given to no other item, and come back to the item that had them', async (world) => {
    const { alice, bob } = world
    const first = await publish(alice)
    await alice.library.rename({ id: first.id, slug: 'evening-digest' })
    assert.equal((await publish(bob)).slug, 'digest-2')
    const other = await publish(bob, 'public', 'Other')
    for (const slug of ['digest', 'evening-digest']) {
      await assert.rejects(bob.library.rename({ id: other.id, slug }), CONFLICT)
    }
    assert.equal((await alice.library.rename({ id: first.id, slug: 'digest' })).slug, 'digest')
    assert.equal((await bob.library.find({ kind: 'workflow', slug: 'evening-digest' })).id, first.id)
  })

  it('are taken by one of two items at once', async (world) => {
    const { alice, bob } = world
    const [one, other] = [await publish(alice, 'public', 'One'), await publish(bob, 'public', 'Other')]
    const renamed = await Promise.allSettled([
      alice.library.rename({ id: one.id, slug: 'same' }),
      bob.library.rename({ id: other.id, slug: 'same' }),
    ])
    assert.equal(renamed.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  it('are at most ten of an item, of 60 characters each', async (world) => {
    const { alice } = world
    const { id } = await publish(alice)
    for (let at = 1; at < 10; at++) await alice.library.rename({ id, slug: `name-${at}` })
    await assert.rejects(alice.library.rename({ id, slug: 'name-10' }), CONFLICT)
    await alice.library.rename({ id, slug: 'name-1' })
    const other = await publish(alice, 'public', 'Other')
    assert.equal((await alice.library.rename({ id: other.id, slug: 'a'.repeat(60) })).slug.length, 60)
    for (const slug of ['a'.repeat(61), '', 'Capital', 'two--hyphens', '-a', 'a-', 'a/b', 'ä']) {
      await assert.rejects(alice.library.rename({ id: other.id, slug }), { status: 400, code: 'invalid_request' }, slug)
    }
  })
}

onEveryEngine('transfers of items', transfers)
onEveryEngine('former names', names)
