// Edits before the classifier of the operator; on both engines.
import assert from 'node:assert/strict'
import { answering, post, seesPost, sent, service, settings } from '../../../test/classifier.ts'
import { workflowFile } from '../../../test/library.ts'
import { assertSound } from '../../../test/sound.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { MAX_ATTEMPTS } from './rules.ts'

onEveryEngine(
  'a classifier of edits',
  (it) => {
    it('is sent edits that change a text, and holds the thing with the edit in it', async (world) => {
      const { alice, moderator, app } = world
      answering({ verdict: 'ok' })
      const { id } = await alice.posts.create({ title: 'Hello', body: 'All' })
      const { id: said } = await moderator.posts
        .create({ title: 'A', body: 'B' })
        .then((other) => alice.posts.comment({ id: other.id, body: 'Hello' }))
      await app.classify()
      answering({ verdict: 'ok' })
      await alice.posts.edit({ id, title: 'Hello', body: 'All' })
      await alice.comments.edit({ id: said, body: 'Hello' })
      await moderator.posts.edit({ id, body: 'All of you' })
      await app.classify()
      assert.deepEqual(sent(), [])
      answering({ verdict: 'spam', reason: 'Sells watches.' })
      await alice.posts.edit({ id, body: 'Watches from 9.90!' })
      await alice.comments.edit({ id: said, body: 'Watches!' })
      await app.classify()
      const texts = sent().map(({ type, text }) => [type, text])
      assert.deepEqual(texts.sort(), [
        ['comment', 'Watches!'],
        ['post', 'Watches from 9.90!'],
      ])
      assert.equal(await seesPost(world, id), false)
      assert.equal((await alice.posts.get({ id })).state, 'held')
      const { items } = await moderator.moderation.cases({})
      assert.deepEqual(items.map(({ target }) => target.id).sort(), [id, said].sort())
      for (const one of items)
        await moderator.moderation.decide({ id: one.id, action: 'approve', rule: 'other', reason: '' })
      assert.equal(await seesPost(world, id), true)
      await alice.posts.edit({ id, body: 'Watches from 8.90!' })
      await app.classify()
      assert.equal(await seesPost(world, id), false)
      await app.deliver()
      await assertSound(world)
    })

    it('is sent edits of orgs and items, and new versions with other texts', async (world) => {
      const { alice, app } = world
      answering({ verdict: 'ok' })
      const roles = [{ id: 'lead', title: 'Leads', responsibilities: ['All'] }]
      const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Acme', goal: 'To sell', roles }) })
      const file = workflowFile({ name: 'Watch', description: 'One' })
      const item = await alice.library.publish({ kind: 'workflow', visibility: 'public', file })
      await app.classify()
      answering({ verdict: 'ok' })
      await alice.orgs.update({ id: org.id, tagline: 'Watches' })
      await alice.library.update({ id: item.id, description: 'Watches, too' })
      await app.classify()
      assert.match(sent().find(({ id }) => id === org.id).text, /Watches/)
      assert.match(sent().find(({ id }) => id === item.id).text, /Watches, too/)
      answering({ verdict: 'spam' })
      const more = workflowFile({ name: 'Watch', description: 'One', version: '2.0.0' })
      await alice.library.publishVersion({ id: item.id, file: more, changelog: 'Watches from 9.90' })
      await app.classify()
      assert.equal(sent().length, 1)
      assert.match(sent()[0].text, /Watches from 9.90/)
      await assert.rejects(world.anonymous.library.get({ id: item.id }), { status: 404 })
    })

    it('is sent why a version is yanked and an item deprecated, once for each text', async (world) => {
      const { alice, app } = world
      answering({ verdict: 'ok' })
      const { id } = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
      await app.classify()
      answering({ verdict: 'ok' })
      for (const _ of [1, 2]) {
        await alice.library.yank({ id, version: '1.0.0', yanked: true, reason: 'Buy watches' })
        await alice.library.deprecate({ id, deprecated: true, message: 'Buy clocks' })
        await app.classify()
      }
      assert.equal(sent().length, 1)
      assert.match(sent()[0].text, /Buy clocks[\s\S]*Buy watches/)
      await alice.library.deprecate({ id, deprecated: false })
      await app.classify()
      assert.equal(sent().length, 1)
    })

    it('is sent a text once more that changed while it was asked, or after it was given up', async (world) => {
      const { alice, app, db } = world
      answering({ verdict: 'ok' })
      const { id } = await alice.posts.create(post)
      service.answer = (_, response) => {
        service.answer = (__, later) => later.end('{"verdict":"hold"}')
        void alice.posts.edit({ id, body: 'Another' }).then(() => response.end('{"verdict":"ok"}'))
      }
      await app.classify()
      await app.classify()
      assert.deepEqual(
        sent().map(({ text }) => text),
        [post.body, 'Another'],
      )
      assert.equal(await seesPost(world, id), false)
      answering('', 500)
      const { id: second } = await alice.posts.create(post)
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) await assert.rejects(app.classify())
      await app.classify()
      answering({ verdict: 'spam' })
      await alice.posts.edit({ id: second, body: 'Another' })
      await app.classify()
      assert.equal(await seesPost(world, second), false)
      assert.deepEqual(await db.selectFrom('classifierCheck').select('id').execute(), [])
    })
  },
  settings,
)
