// What new accounts write with links waits for a moderator, where the operator wants that; through the front door, on both engines.

import assert from 'node:assert/strict'
import { automationFile, workflowFile } from '../../../test/library.ts'
import { assertSound } from '../../../test/sound.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from '../../../test/world.ts'
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
      await assertSound(world)
      await approve(world)
      assert.deepEqual([await titles(world), (await anonymous.posts.list({ authorId })).total], [['Held'], 1])
      assert.equal((await anonymous.posts.get({ id })).state, undefined)
      assert.equal((await anonymous.feed.list({})).items.length, 1)
      assert.deepEqual(
        (await bob.notifications.list({})).items.map(({ type }) => type),
        ['mention'],
      )
      await assertSound(world)
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
      await assertSound(world)
      await approve(world)
      assert.equal((await anonymous.posts.get({ id })).commentCount, 2)
      const { items } = await anonymous.posts.comments({ id, parentId: root.id })
      assert.deepEqual(
        items.map(({ body }) => body),
        [link],
      )
      assert.equal((await bob.notifications.list({})).items.length, 1)
      await assertSound(world)
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

    it('is held as a link in each way that Markdown reads one', async (world) => {
      const { alice } = world
      const bodies = [
        '[x](https:&#47;&#47;shop.example)',
        '[x](https:&#x2F;&#x2f;shop.example)',
        '[x](&#104;ttps:&sol;&sol;shop.example)',
        '[x](https&colon;shop.example)',
        '[x](https:\\/\\/shop.example)',
        '[x](http:shop.example)',
        '[x](/\\shop.example)',
        '[x](\\\\\\\\shop.example)',
        '[x](MAILTO:me@shop.example)',
      ]
      for (const body of bodies) {
        const { id } = await alice.posts.create({ title: 'Held', body })
        assert.equal((await alice.posts.get({ id })).state, 'held', body)
      }
      await alice.posts.create({
        title: 'No link',
        body: 'a &amp; b; 3 &#60; 4; `a\\*b`; at 10:30 // no\nhttps: what is it?',
      })
      assert.deepEqual(await titles(world), ['No link'])
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

    it('is held as an org, by its goal or its roles, with what the library shows of it', async (world) => {
      const { alice, bob, moderator, anonymous, app } = world
      await bob.profile.setUsername({ username: 'bob-h' })
      await alice.profile.setUsername({ username: 'alice-h' })
      await bob.follows.set({ id: (await alice.account()).id, state: 'following' })
      const role = { id: 'solo', responsibilities: [link] }
      const { id, slug } = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Held', roles: [role] }) })
      await app.deliver()
      const listed = async () => [
        (await anonymous.orgs.list({})).total,
        (await anonymous.library.list({ kind: 'org' })).items.length,
        (await anonymous.feed.list({})).items.length,
        (await anonymous.search.find({ q: 'held' })).items.length,
      ]
      assert.deepEqual(await listed(), [0, 0, 0, 0])
      for (const reader of [anonymous, bob]) await assert.rejects(reader.orgs.get({ id: slug }), { status: 404 })
      for (const reader of [alice, moderator]) assert.equal((await reader.orgs.get({ id })).state, 'held')
      await assertSound(world)
      await approve(world)
      assert.deepEqual(await listed(), [1, 1, 1, 1])
      assert.deepEqual(
        (await bob.notifications.list({})).items.map(({ type, target }) => [type, target.title]),
        [['posted', 'Held']],
      )
      await assertSound(world)
      const roles = [{ id: 'solo' }]
      const { id: plain } = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Plain', roles }) })
      assert.equal((await anonymous.orgs.get({ id: plain })).name, 'Plain')
      const refused = { status: 403, message: /cannot add a link/ }
      await assert.rejects(alice.orgs.update({ id: plain, body: link }), refused)
      await alice.orgs.update({ id: plain, body: 'No link' })
      await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Goal', goal: link, roles }) })
      assert.deepEqual(await listed(), [2, 2, 2, 1])
    })

    it('is held as an item, once everybody would see it, and by its readme', async (world) => {
      const { alice, bob, moderator, anonymous, app } = world
      await bob.profile.setUsername({ username: 'bob-h' })
      await alice.profile.setUsername({ username: 'alice-h' })
      await bob.follows.set({ id: (await alice.account()).id, state: 'following' })
      const file = automationFile({}, [{ name: 'README.md', data: link }])
      const { id } = await alice.library.publish({ kind: 'automation', visibility: 'private', file })
      assert.equal((await moderator.moderation.cases({})).waiting, 0)
      assert.equal((await alice.library.update({ id, visibility: 'public' })).state, 'held')
      await app.deliver()
      const listed = async () => [
        (await anonymous.library.list({})).items.length,
        (await anonymous.feed.list({})).items.length,
      ]
      assert.deepEqual(await listed(), [0, 0])
      for (const reader of [anonymous, bob]) await assert.rejects(reader.library.get({ id }), { status: 404 })
      assert.equal((await moderator.library.get({ id })).state, 'held')
      await assertSound(world)
      await approve(world)
      assert.deepEqual(await listed(), [1, 1])
      assert.deepEqual(
        (await bob.notifications.list({})).items.map(({ type }) => type),
        ['posted'],
      )
      await assertSound(world)
      await alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile({ name: 'Second' }) })
      const described = workflowFile({ name: 'Linked', description: link })
      const held = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: described })
      assert.equal(held.state, 'held')
      assert.deepEqual(await listed(), [2, 2])
    })

    it('waits no more when its author deletes it', async (world) => {
      const { alice, bob, moderator, app } = world
      const { id } = await alice.posts.create({ title: 'Held', body: link })
      const other = await bob.posts.create({ title: 'Open', body: 'B' })
      const comment = await alice.posts.comment({ id: other.id, body: link })
      const reported = await alice.posts.create({ title: 'Reported', body: link })
      await moderator.reports.create({ targetType: 'post', targetId: reported.id, reason: 'spam' })
      assert.equal((await moderator.moderation.cases({})).waiting, 3)
      await alice.posts.delete({ id })
      await alice.posts.deleteComment({ id: other.id, commentId: comment.id })
      await alice.posts.delete({ id: reported.id })
      await app.deliver()
      const { items, waiting } = await moderator.moderation.cases({})
      assert.deepEqual([waiting, items[0]?.held, items[0]?.reportCount, items[0]?.gone], [1, false, 1, true])
      await assertSound(world)
    })

    it('waits on after a warning, and shows when what was done instead of an approval is undone', async (world) => {
      const { alice, bob, moderator, anonymous, app } = world
      const { id } = await alice.posts.create({ title: 'Held', body: link })
      const waiting = async () => (await moderator.moderation.cases({})).items[0]
      const decide = async (action: 'dismiss' | 'warn' | 'hide' | 'block') =>
        moderator.moderation.decide({ id: (await waiting())!.id, action, rule: 'spam', reason: 'Advertising' })
      await assert.rejects(decide('dismiss'), { status: 409 })
      await moderator.reports.create({ targetType: 'post', targetId: id, reason: 'spam' })
      await decide('dismiss')
      await decide('warn')
      const still = await waiting()
      assert.deepEqual([still?.held, still?.reportCount, (await alice.posts.get({ id })).state], [true, 0, 'held'])
      const hidden = await decide('hide')
      assert.deepEqual([(await alice.posts.get({ id })).state, await waiting()], ['hidden', undefined])
      await moderator.moderation.undo({ id: hidden.id, reason: 'Fine' })
      assert.equal((await anonymous.posts.get({ id })).state, undefined)
      await assertSound(world)
      await bob.posts.create({ title: 'Held of Bob', body: link })
      const blocked = await decide('block')
      assert.equal(await waiting(), undefined)
      await app.deliver()
      await moderator.moderation.undo({ id: blocked.id, reason: 'Fine' })
      await app.deliver()
      assert.deepEqual(await titles(world), ['Held of Bob', 'Held'])
      await assertSound(world)
    })

    it('does not come into an item by a change or a new version', async (world) => {
      const { alice, anonymous } = world
      const manifest = { id: 'plain-automation', version: '1.0.0' }
      const file = automationFile(manifest)
      const { id } = await alice.library.publish({ kind: 'automation', visibility: 'public', file })
      const refused = { status: 403, message: /cannot add a link/ }
      await assert.rejects(alice.library.update({ id, description: link }), refused)
      const next = (readme: string) =>
        automationFile({ ...manifest, version: '1.1.0' }, [{ name: 'README.md', data: readme }])
      await assert.rejects(alice.library.publishVersion({ id, file: next(link) }), refused)
      assert.equal((await alice.library.publishVersion({ id, file: next('No link') })).version, '1.1.0')
      assert.equal((await anonymous.library.get({ id })).version, '1.1.0')
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
