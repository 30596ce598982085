// What new accounts write with links waits for a moderator, where the operator wants that; through the front door, on both engines.
import assert from 'node:assert/strict'
import { BASE_URL, onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { verifyEverything } from '../../verify/verify.ts'
import { KNOWN_AFTER } from './holding.ts'

const link = 'Look at https://shop.example/cheap'
const day = 86_400

const verify = async ({ db }: World, person: Person) => {
  const { id } = await person.account()
  await db.updateTable('user').set({ emailVerifiedAt: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute()
}

const titles = async ({ anonymous }: World) => (await anonymous.posts.list({})).items.map(({ title }) => title)

async function approve({ moderator, app }: World): Promise<void> {
  const { items } = await moderator.moderation.cases({})
  assert.equal(items.length, 1)
  assert.equal(items[0]!.held, true)
  await moderator.moderation.decide({ id: items[0]!.id, action: 'approve', rule: 'other', reason: 'Fine' })
  await app.deliver()
}

const isClean = async ({ db, dependencies }: World) => {
  const complaints: string[] = []
  await verifyEverything({ db, blobs: dependencies.blobs }, (sentence) => complaints.push(sentence))
  assert.deepEqual(complaints, [])
}

onEveryEngine(
  'what a new account writes with a link',
  (it) => {
    it('is seen by its author and moderators, until it is approved', async (world) => {
      const { alice, bob, moderator, anonymous, app } = world
      await bob.profile.setUsername({ username: 'bob-h' })
      const { id, authorId } = await alice.posts.create({ title: 'Held', body: `@bob-h ${link}` })
      await app.deliver()
      assert.deepEqual([await titles(world), (await anonymous.posts.list({})).total], [[], 0])
      assert.deepEqual((await anonymous.search.find({ q: 'held' })).items, [])
      assert.deepEqual((await bob.notifications.list({})).items, [])
      for (const reader of [anonymous, bob]) await assert.rejects(reader.posts.get({ id }), { status: 404 })
      for (const reader of [alice, moderator]) assert.equal((await reader.posts.get({ id })).state, 'held')
      await isClean(world)
      await approve(world)
      assert.deepEqual([await titles(world), (await anonymous.posts.list({ authorId })).total], [['Held'], 1])
      assert.equal((await anonymous.posts.get({ id })).state, undefined)
      assert.equal((await anonymous.feed.list({})).items.length, 1)
      assert.deepEqual(
        (await bob.notifications.list({})).items.map(({ type }) => type),
        ['mention'],
      )
      await isClean(world)
    })

    it('is held as a comment too, and counts once it is approved', async (world) => {
      const { alice, bob, anonymous, app } = world
      const { id } = await bob.posts.create({ title: 'Post', body: 'B' })
      const root = await bob.posts.comment({ id, body: 'First' })
      const held = await alice.posts.comment({ id, body: link, parentId: root.id })
      await app.deliver()
      assert.equal((await anonymous.posts.get({ id })).commentCount, 1)
      assert.deepEqual(
        (await anonymous.posts.comments({ id })).items.map((comment) => comment.id),
        [root.id],
      )
      assert.equal((await alice.comments.get({ id: held.id })).state, 'held')
      await isClean(world)
      await approve(world)
      assert.equal((await anonymous.posts.get({ id })).commentCount, 2)
      const { items } = await anonymous.posts.comments({ id, parentId: root.id })
      assert.deepEqual(
        items.map(({ body }) => body),
        [link],
      )
      assert.equal((await bob.notifications.list({})).items.length, 1)
      await isClean(world)
    })

    it('is not held without a link away, of moderators, or of those who are known', async (world) => {
      const { alice, bob, moderator } = world
      await alice.posts.create({ title: 'No link', body: `See ${BASE_URL}/community and a/b` })
      await moderator.posts.create({ title: 'Moderator', body: link })
      for (let n = 1; n < KNOWN_AFTER; n++) await bob.posts.create({ title: `Known ${n}`, body: 'B' })
      await bob.posts.create({ title: 'Unknown', body: '[x](//shop.example)' })
      await bob.posts.create({ title: `Known ${KNOWN_AFTER}`, body: 'B' })
      await bob.posts.create({ title: 'Now known', body: link })
      const shown = ['Now known', 'Known 3', 'Known 2', 'Known 1', 'Moderator', 'No link']
      assert.deepEqual(await titles(world), shown)
    })

    it('is held for a day of a verified account, and longer of an unverified one', async (world) => {
      const { alice, bob, clock } = world
      await verify(world, alice)
      await bob.account()
      clock.stop()
      clock.pass(day - 60)
      await alice.posts.create({ title: 'Young', body: link })
      clock.pass(61)
      await alice.posts.create({ title: 'Old enough', body: link })
      await bob.posts.create({ title: 'Unverified', body: 'mailto:me@shop.example' })
      assert.deepEqual(await titles(world), ['Old enough'])
    })

    it('does not come in by an edit', async (world) => {
      const { alice, bob, anonymous } = world
      const { id } = await alice.posts.create({ title: 'Plain', body: 'B' })
      const refused = { status: 403, message: /cannot add a link/ }
      await assert.rejects(alice.posts.edit({ id, body: link }), refused)
      const comment = await bob.posts.comment({ id, body: 'C' })
      await assert.rejects(bob.comments.edit({ id: comment.id, body: link }), refused)
      await alice.posts.edit({ id, body: 'Other' })
      assert.equal((await anonymous.posts.get({ id })).body, 'Other')
    })
  },
  { HOLD_LINKS_HOURS: '24' },
)

onEveryEngine('without HOLD_LINKS_HOURS', (it) => {
  it('nothing is held', async (world) => {
    await world.alice.posts.create({ title: 'Shown', body: link })
    assert.deepEqual(await titles(world), ['Shown'])
  })
})
