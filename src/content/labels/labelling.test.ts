// Labels on everything that has them; through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { agentOf } from '../../../test/agents.ts'
import { asking, waits } from '../../../test/pending.ts'
import { assertSound } from '../../../test/sound.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'

interface Kind {
  type: 'bug' | 'feature' | 'post'
  slice: 'bugs' | 'features' | 'posts'
  /** The field that names the thing. */
  parent: string
  /** The operations that all three have. */
  of(who: Pick<Person, 'bugs' | 'features' | 'posts'>): Person['posts']
  create(who: Pick<Person, 'bugs' | 'features' | 'posts'>, title: string): Promise<{ id: string; authorId: string }>
}

const kinds: Kind[] = [
  {
    ...{ type: 'bug', slice: 'bugs', parent: 'bugId' },
    of: ({ bugs }) => bugs as unknown as Person['posts'],
    create: ({ bugs }, title) => bugs.create({ title, description: 'It stops', severity: 'low' }),
  },
  {
    ...{ type: 'feature', slice: 'features', parent: 'featureId' },
    of: ({ features }) => features as unknown as Person['posts'],
    create: ({ features }, title) => features.create({ title, description: 'On holidays' }),
  },
  {
    ...{ type: 'post', slice: 'posts', parent: 'postId' },
    of: ({ posts }) => posts,
    create: ({ posts }, title) => posts.create({ title, body: 'From the desk' }),
  },
]

const makeLabel = ({ moderator }: World, name: string) => moderator.labels.create({ name, color: '#336699' })
const namesOn = async (things: Person['posts'], id: string) => (await things.get({ id })).labels.map(({ name }) => name)

for (const { type, slice, parent, of, create } of kinds) {
  onEveryEngine(`labels of ${slice}`, (it) => {
    it('are put on by moderators, once, and taken off again', async (world) => {
      const { alice, moderator, admin, anonymous } = world
      const { id } = await create(alice, 'Crash')
      const startup = await makeLabel(world, 'Startup')
      const mail = await makeLabel(world, 'mail')
      const changed = { [parent]: id, labelId: startup.id }
      for (let time = 0; time < 2; time++) {
        assert.deepEqual(await of(moderator).attachLabel({ id, labelId: startup.id }), changed)
      }
      await of(admin).attachLabel({ id, labelId: mail.id })
      const { labels } = await of(anonymous).get({ id })
      assert.deepEqual(labels, [mail, startup])
      assert.deepEqual((await of(anonymous).list()).items[0]?.labels, labels)
      assert.deepEqual(await of(moderator).detachLabel({ id, labelId: startup.id, reason: 'Wrong one' }), changed)
      assert.deepEqual(await namesOn(of(anonymous), id), ['mail'])
      await assert.rejects(of(moderator).detachLabel({ id, labelId: startup.id }), {
        ...{ status: 404, message: `This label is not on this ${type}` },
      })
      const { items } = await admin.admin.listAudit({ targetId: id })
      assert.deepEqual(
        items.map(({ action, reason }) => [action, reason]),
        [
          [`${type}.unlabel`, 'Wrong one'],
          [`${type}.label`, null],
          [`${type}.label`, null],
        ],
      )
      await assertSound(world)
    })

    it('are changed by no other member, and only where both are there', async (world) => {
      const { alice, bob, moderator, blocked, anonymous } = world
      const { id } = await create(alice, 'Crash')
      const { id: labelId } = await makeLabel(world, 'Startup')
      const reader = await agentOf(world, moderator, { scope: 'community:read' })
      const both = ['attachLabel', 'detachLabel'] as const
      for (const change of both) {
        const by = (who: Person, more: object = {}) => of(who)[change]({ id, labelId, ...more })
        await assert.rejects(by(anonymous), { status: 401 })
        for (const wrong of [alice, bob, blocked])
          await assert.rejects(by(wrong), { status: 403, message: 'Forbidden' })
        await assert.rejects(of(reader)[change]({ id, labelId }), { status: 403, message: /scope/ })
        await assert.rejects(by(moderator, { labelId: 'nothing' }), { status: 404 })
        await assert.rejects(by(moderator, { id: 'nothing' }), { status: 404 })
        await assert.rejects(by(moderator, { reason: 'x'.repeat(501) }), { status: 400 })
      }
      assert.deepEqual(await namesOn(of(anonymous), id), [])
      for (const change of both) await of(moderator)[change]({ id, labelId, reason: 'x'.repeat(500) })
    })

    it('filter its lists, which are counted right on every page and in either order', async (world) => {
      const { alice, bob, moderator, anonymous, clock } = world
      const label = await makeLabel(world, 'UI')
      const labelled: string[] = []
      for (let n = 0; n < 8; n++) {
        const { id } = await create(n % 4 === 0 ? bob : alice, `Crash ${n}`)
        if (n % 2 === 0) await of(moderator).attachLabel({ id, labelId: label.id })
        if (n % 2 === 0) labelled.unshift(id)
        clock.pass(1)
      }
      const [sixth, fourth, second, first] = labelled
      await of(alice).vote({ id: second!, value: 1 })
      const { id: authorId } = await bob.account()
      const list = async (input: object) => {
        const ids: string[] = []
        for (let page = 0; ; page++) {
          const { items, hasMore, total } = await of(anonymous).list({ ...input, page, per_page: 3 })
          ids.push(...items.map(({ id }) => id))
          if (hasMore) continue
          assert.equal(total, ids.length, JSON.stringify(input))
          return ids
        }
      }
      assert.deepEqual(await list({ label: label.id }), labelled)
      assert.deepEqual(await list({ label: 'ui', sort: 'popular' }), [second, sixth, fourth, first])
      assert.deepEqual(await list({ label: 'ui', authorId }), [fourth, first])
      assert.deepEqual(await list({ label: 'ui', q: 'crash' }), labelled)
      assert.deepEqual(await list({ label: 'ui', q: 'crash 4', authorId }), [fourth])
      assert.deepEqual(await list({ label: 'ui', by: 'people' }), labelled)
      assert.deepEqual(await list({ label: 'ui', by: 'agents' }), [])
      assert.deepEqual(await list({ label: 'nothing' }), [])
      const { counts } = await of(anonymous).counts({ authorId })
      assert.deepEqual([counts['label'], counts['by']], [{ [label.id]: 2 }, { people: 2, agents: 0 }])
      for (const [limit, hasMore] of [
        [3, true],
        [4, false],
      ] as const) {
        assert.equal((await of(anonymous).list({ label: 'ui', per_page: limit })).hasMore, hasMore)
      }
      await assert.rejects(of(anonymous).list({ label: 'x'.repeat(201) }), { status: 400 })
      assert.equal((await of(anonymous).list({ label: 'x'.repeat(200) })).total, 0)
      await assertSound(world)
    })

    it('tell what people wrote from what agents wrote, until its author is erased', async (world) => {
      const { alice, moderator, anonymous, app, clock } = world
      const label = await makeLabel(world, 'UI')
      const agent = await agentOf(world, alice)
      const [own, written] = [await create(alice, 'Mine'), await create(agent, 'Of the agent')]
      for (const { id } of [own, written]) await of(moderator).attachLabel({ id, labelId: label.id })
      for (const id of [own.id, written.id]) await of(moderator).comment({ id, body: 'On it' })
      const totals = (more: object = {}) =>
        Promise.all(
          (['people', 'agents'] as const).map(async (by) => {
            const { items, total } = await of(anonymous).list({ label: 'ui', by, ...more })
            assert.equal(items.length, total)
            return total
          }),
        )
      assert.deepEqual(await totals(), [1, 1])
      assert.deepEqual(await totals({ authorId: own.authorId }), [1, 1])
      await assertSound(world)
      await alice.deletion.request({ content: 'anonymise' })
      clock.pass(15 * 86_400)
      await app.work()
      assert.deepEqual(await totals(), [2, 0])
      assert.deepEqual(await totals({ authorId: own.authorId }), [0, 0])
      assert.deepEqual(await namesOn(of(anonymous), written.id), ['UI'])
      await assertSound(world)
    })

    it('stay on what is hidden, where no member changes them, and go with what is deleted', async (world) => {
      const { alice, moderator, anonymous, db } = world
      const { id } = await create(alice, 'Crash')
      const { id: labelId } = await makeLabel(world, 'UI')
      await of(moderator).attachLabel({ id, labelId })
      await moderator.reports.create({ targetType: type, targetId: id, reason: 'spam' })
      const [waiting] = (await moderator.moderation.cases({})).items
      const hidden = await moderator.moderation.decide({
        ...{ id: waiting!.id, action: 'hide', rule: 'spam', reason: 'Advertising' },
      })
      assert.equal((await of(anonymous).list({ label: 'UI' })).total, 0)
      await assert.rejects(of(moderator).attachLabel({ id, labelId }), { status: 404 })
      await assert.rejects(of(moderator).detachLabel({ id, labelId }), { status: 404 })
      await assertSound(world)
      await moderator.moderation.undo({ id: hidden.id, reason: 'Fine' })
      assert.equal((await of(anonymous).list({ label: 'UI' })).total, 1)
      assert.deepEqual(await namesOn(of(anonymous), id), ['UI'])
      await assertSound(world)
      await of(moderator).delete({ id })
      assert.equal((await of(anonymous).list({ label: 'UI' })).total, 0)
      assert.deepEqual(await db.selectFrom(`${type}Label`).selectAll().execute(), [])
      await assertSound(world)
    })

    it('go along with a merge, and are on both after its undoing', async (world) => {
      const { alice, bob, moderator, anonymous } = world
      const target = await create(alice, 'The digest comes twice')
      const source = await create(bob, 'Two wombats came')
      const [clock, mail] = [await makeLabel(world, 'clock'), await makeLabel(world, 'mail')]
      await of(moderator).attachLabel({ id: target.id, labelId: mail.id })
      for (const { id } of [clock, mail]) await of(moderator).attachLabel({ id: source.id, labelId: id })
      await of(moderator).merge({ id: source.id, into: target.id })
      assert.deepEqual(await namesOn(of(anonymous), target.id), ['clock', 'mail'])
      assert.equal((await of(anonymous).list({ label: 'clock' })).total, 1)
      await assertSound(world)
      await of(moderator).detachLabel({ id: target.id, labelId: mail.id })
      await of(moderator).undoMerge({ id: source.id })
      assert.deepEqual(await namesOn(of(anonymous), source.id), ['clock', 'mail'])
      assert.deepEqual(await namesOn(of(anonymous), target.id), ['clock'])
      assert.equal((await of(anonymous).list({ label: 'clock' })).total, 2)
      await assertSound(world)
    })

    it('wait for the yes of an account that is asked first', async (world) => {
      const { alice, moderator, anonymous } = world
      const { id } = await create(alice, 'Crash')
      const { id: labelId } = await makeLabel(world, 'UI')
      const agent = await agentOf(world, moderator, { more: asking(['posts']) })
      const act = await waits(of(agent).attachLabel({ id, labelId }))
      assert.deepEqual(await namesOn(of(anonymous), id), [])
      await moderator.pendingActs.approve({ id: act.id })
      assert.deepEqual(await namesOn(of(anonymous), id), ['UI'])
    })

    it('race a removal and leave nothing behind', async (world) => {
      const { alice, moderator, admin, db } = world
      const { id: labelId } = await makeLabel(world, 'UI')
      for (let round = 0; round < 3; round++) {
        const { id } = await create(alice, 'Crash')
        const acts = await Promise.allSettled([
          of(moderator).attachLabel({ id, labelId }),
          of(admin).delete({ id }),
          of(admin).attachLabel({ id, labelId }),
        ])
        for (const act of acts) if (act.status === 'rejected') assert.equal(act.reason.status, 404)
      }
      assert.deepEqual(await db.selectFrom(`${type}Label`).selectAll().execute(), [])
      await assertSound(world)
    })
  })
}

onEveryEngine('a status', (it) => {
  it('of a labelled request filters the list of its label too', async (world) => {
    const { alice, moderator, admin, anonymous } = world
    const label = await makeLabel(world, 'UI')
    const [one, two] = [await kinds[1]!.create(alice, 'One'), await kinds[1]!.create(alice, 'Two')]
    for (const { id } of [one, two]) await moderator.features.attachLabel({ id, labelId: label.id })
    await admin.features.setStatus({ id: one.id, status: 'planned' })
    const { items, total } = await anonymous.features.list({ label: 'ui', status: 'planned' })
    assert.deepEqual([items.map(({ id }) => id), total], [[one.id], 1])
    const { counts } = await anonymous.features.counts({ label: 'ui' })
    assert.deepEqual(counts['status'], { open: 1, planned: 1, shipped: 0, declined: 0 })
    const [, planned] = (await anonymous.features.roadmap()).columns
    assert.deepEqual(planned?.items[0]?.labels, [label])
    await assertSound(world)
  })
})
