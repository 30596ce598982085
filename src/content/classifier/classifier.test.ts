// The classifier of the operator: what it is sent, what its verdicts do, and that nothing waits for it; on both engines.
import assert from 'node:assert/strict'
import { agentOf } from '../../../test/agents.ts'
import { answering, CLASSIFIER_SECRET, post, seesPost, sent, service, settings } from '../../../test/classifier.ts'
import { automationFile, workflowFile } from '../../../test/library.ts'
import { assertSound } from '../../../test/sound.ts'
import { isSigned, receiving } from '../../../test/webhook-receiver.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { beginningOf } from '../../contract/storable.ts'
import { retryJob } from '../../core/jobs/report.ts'
import { timestamp } from '../../runtime/clock.ts'
import { required } from '../../runtime/untyped.ts'
import { ANSWER_BYTES, GIVEN_UP_SECONDS, MAX_ATTEMPTS, TEXT_LENGTH, TIMEOUT_MILLISECONDS } from './rules.ts'

const waiting = ({ db }: World) => db.selectFrom('classifierCheck').select(['id', 'givenUpAt']).execute()

onEveryEngine(
  'a classifier',
  (it) => {
    it('is sent what a member wrote, signed, and changes nothing where it says ok', async (world) => {
      answering({ verdict: 'ok' })
      const { id } = await world.alice.posts.create(post)
      assert.equal(service.arrived.length, 0)
      await world.app.classify()
      const [arrived] = service.arrived
      assert.ok(arrived && isSigned(arrived, CLASSIFIER_SECRET))
      const { id: author } = await world.alice.account()
      const [sentOne] = sent()
      const { createdAt } = sentOne.author
      assert.match(createdAt, /^20\d\d-.*Z$/)
      assert.deepEqual(sent(), [
        {
          ...{ id, type: 'post', title: post.title, text: post.body, via: null },
          author: { id: author, createdAt, verified: false, trust: null },
          url: `http://localhost:3000/community/posts/${id}`,
        },
      ])
      assert.deepEqual(await waiting(world), [])
      assert.equal(await seesPost(world, id), true)
      assert.deepEqual((await world.moderator.moderation.cases({})).items, [])
    })

    it('is sent every kind of new text of members, with the agent that wrote it, and none of moderators', async (world) => {
      answering({ verdict: 'ok' })
      const { alice, moderator, app } = world
      const agent = await agentOf(world, alice)
      const { id } = await alice.posts.create(post)
      await alice.features.create({ title: 'A tray', description: 'In blue' })
      await agent.bugs.create({ title: 'It fails', description: 'Always', severity: 'low' })
      await alice.posts.comment({ id, body: 'More of them' })
      await moderator.posts.create(post)
      await moderator.posts.comment({ id, body: 'Hm' })
      await app.classify()
      assert.deepEqual(
        sent()
          .map(({ type }) => type)
          .sort(),
        ['bug', 'comment', 'feature', 'post'],
      )
      const written = sent().find(({ type }) => type === 'bug')
      assert.equal(written.via.name, (await alice.bugs.list({})).items[0]?.via?.name)
    })

    for (const verdict of ['hold', 'spam'] as const) {
      it(`has a thing wait for a moderator where it says ${verdict}, with its reason in the case`, async (world) => {
        answering({ verdict, reason: 'Sells watches.', confidence: 0.934 })
        const { id } = await world.alice.posts.create(post)
        const { id: said } = await world.moderator.posts
          .create({ title: 'A', body: 'B' })
          .then((other) => world.alice.posts.comment({ id: other.id, body: 'Buy!' }))
        await world.app.classify()
        assert.equal(await seesPost(world, id), false)
        assert.equal((await world.alice.posts.get({ id })).state, 'held')
        const { items } = await world.moderator.moderation.cases({})
        assert.deepEqual(
          items.map(({ target, held }) => [target.id, held]).sort(),
          [
            [id, true],
            [said, true],
          ].sort(),
        )
        const one = await world.moderator.moderation.case({ id: items.find(({ target }) => target.id === id)!.id })
        assert.deepEqual(one.machine, { verdict, reason: 'Sells watches.', confidence: 0.93 })
        for (const { id: caseId } of items) {
          await world.moderator.moderation.decide({ id: caseId, action: 'approve', rule: 'other', reason: '' })
        }
        assert.equal(await seesPost(world, id), true)
        await world.app.classify()
        assert.equal(service.arrived.length, 2)
        await world.app.deliver()
        await assertSound(world)
      })
    }

    it('tells members of a thing once, though it was held in between', async (world) => {
      const { alice, bob, moderator, app, db } = world
      await bob.profile.setUsername({ username: 'bob-b' })
      answering({ verdict: 'spam' })
      const { id } = await alice.posts.create({ title: 'Hello', body: 'Hello @bob-b' })
      const { id: said } = await alice.posts.comment({ id, body: 'And again, @bob-b' })
      await app.deliver()
      assert.equal((await bob.notifications.count()).unread, 2)
      await app.classify()
      await app.deliver()
      assert.equal((await bob.notifications.count()).unread, 0)
      const kinds = db.selectFrom('event').select(['kind', 'hidden']).where('kind', '=', 'hidden')
      for (const { hidden } of await kinds.execute()) assert.equal(hidden, 0)
      for (const one of (await moderator.moderation.cases({})).items) {
        await moderator.moderation.decide({ id: one.id, action: 'approve', rule: 'other', reason: '' })
      }
      await app.deliver()
      assert.equal((await bob.notifications.count()).unread, 2)
      assert.equal((await bob.comments.get({ id: said })).state, undefined)
      await assertSound(world)
    })

    it('is not asked about what is gone, hidden or in a closed board by then', async (world) => {
      answering({ verdict: 'spam' })
      const { alice, admin, app } = world
      await admin.boards.create({ name: 'Staff', slug: 'staff', readers: 'members' })
      const inside = await admin.posts.create({ ...post, board: 'staff' })
      await alice.posts.create({ ...post, board: 'staff' })
      await alice.posts.comment({ id: inside.id, body: 'Within' })
      const gone = await alice.posts.create(post)
      await alice.posts.delete({ id: gone.id })
      await app.classify()
      assert.deepEqual(sent(), [])
      assert.deepEqual(await waiting(world), [])
    })

    const wrong: [string, () => void][] = [
      ['no JSON', () => answering('maybe')],
      ['another verdict', () => answering({ verdict: 'delete' })],
      ['a reason that is too long', () => answering({ verdict: 'spam', reason: 'x'.repeat(201) })],
      ['a confidence beyond 1', () => answering({ verdict: 'spam', confidence: 2 })],
      ['too much', () => answering(JSON.stringify({ verdict: 'spam', more: 'x'.repeat(ANSWER_BYTES) }))],
      ['a redirect', () => answering({ verdict: 'spam' }, 307)],
      ['an error', () => answering({ verdict: 'spam' }, 503)],
    ]
    for (const [what, prepare] of wrong) {
      it(`changes nothing by ${what}, and is asked again`, async (world) => {
        prepare()
        const { id } = await world.alice.posts.create(post)
        await assert.rejects(world.app.classify(), /classifier/)
        assert.equal(service.arrived.length, 1)
        assert.equal(await seesPost(world, id), true)
        answering({ verdict: 'hold' })
        await world.app.classify()
        assert.equal(await seesPost(world, id), false)
      })
    }

    it('is waited for some seconds and no longer', async (world) => {
      service.answer = () => {}
      const { id } = await world.alice.posts.create(post)
      const started = performance.now()
      await assert.rejects(world.app.classify(), /abort|timeout/i)
      assert.ok(performance.now() - started < 3 * TIMEOUT_MILLISECONDS)
      assert.equal(await seesPost(world, id), true)
    })

    it('is given up after some tries, and can be asked again by the operator', async (world) => {
      answering('', 500)
      const { app, db, clock } = world
      const { id } = await world.alice.posts.create(post)
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) await assert.rejects(app.classify())
      await app.classify()
      assert.equal(service.arrived.length, MAX_ATTEMPTS)
      assert.equal(await seesPost(world, id), true)
      assert.notEqual((await waiting(world))[0]?.givenUpAt, null)
      const job = required(app.jobs.jobs.find(({ kind }) => kind === 'classifier.ask'))
      assert.equal(await retryJob({ db, now: timestamp(clock.now()) }, job, id), true)
      await assert.rejects(app.classify())
      assert.equal(service.arrived.length, MAX_ATTEMPTS + 1)
      for (let attempt = 2; attempt <= MAX_ATTEMPTS; attempt++) await assert.rejects(app.classify())
      clock.pass(GIVEN_UP_SECONDS + 1)
      await app.cleanUp()
      assert.deepEqual(await waiting(world), [])
    })

    it('is sent all that people read of orgs and items, and the beginning of what is long', async (world) => {
      answering({ verdict: 'spam' })
      const { alice, anonymous, moderator, app } = world
      const roles = [{ id: 'lead', title: 'Leads', responsibilities: ['Sells watches'] }]
      const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Acme', goal: 'To sell', roles }) })
      const readme = `A long one: ${'x'.repeat(TEXT_LENGTH)}`
      const file = automationFile({}, [{ name: 'README.md', data: Buffer.from(readme) }])
      const item = await alice.library.publish({ kind: 'automation', visibility: 'public', file })
      const mine = await alice.library.publish({ kind: 'workflow', file: workflowFile({ name: 'Mine' }) })
      await app.classify()
      const texts = new Map(sent().map(({ id, text }) => [id, text]))
      assert.deepEqual([...texts.keys()].sort(), [org.id, item.id].sort())
      assert.match(texts.get(org.id), /To sell[\s\S]*Sells watches/)
      assert.match(texts.get(item.id), /A long one/)
      assert.equal(texts.get(item.id).length, TEXT_LENGTH)
      for (const read of [() => anonymous.orgs.get({ id: org.id }), () => anonymous.library.get({ id: item.id })])
        await assert.rejects(read, { status: 404 })
      for (const { id } of (await moderator.moderation.cases({})).items)
        await moderator.moderation.decide({ id, action: 'approve', rule: 'other', reason: '' })
      assert.equal((await anonymous.library.get({ id: item.id })).state, undefined)
      answering({ verdict: 'ok' })
      await alice.library.update({ id: mine.id, visibility: 'public' })
      await app.classify()
      assert.deepEqual(
        sent().map(({ id }) => id),
        [mine.id],
      )
      await app.deliver()
      await assertSound(world)
    })

    it('never gets half a character', () => {
      assert.equal(beginningOf(`${'x'.repeat(TEXT_LENGTH - 1)}🦉`, TEXT_LENGTH), 'x'.repeat(TEXT_LENGTH - 1))
      return Promise.resolve()
    })
  },
  settings,
)

onEveryEngine('a classifier that is off', (it) => {
  it('has nothing wait', async (world) => {
    await world.alice.posts.create(post)
    assert.deepEqual(await waiting(world), [])
  })

  it('cannot be at a private address by what an admin sets', async (world) => {
    const { admin, alice, app } = world
    await receiving(async (receiver) => {
      await admin.settings.change({ changes: { CLASSIFIER_URL: receiver.url, CLASSIFIER_SECRET } })
      const { id } = await alice.posts.create(post)
      await assert.rejects(app.classify(), /not a public address/)
      assert.equal(receiver.arrived.length, 0)
      assert.equal(await seesPost(world, id), true)
    })
    const plain = { CLASSIFIER_URL: 'http://spam.example/' }
    await assert.rejects(admin.settings.change({ changes: plain }), { status: 400, message: /PRIVATE_SERVICES/ })
    await assert.rejects(admin.settings.change({ changes: { CLASSIFIER_SECRET: null } }), /belong together/)
    await admin.settings.change({ changes: { CLASSIFIER_URL: null, CLASSIFIER_SECRET: null } })
    await app.classify()
    assert.deepEqual(await waiting(world), [])
  })
})
