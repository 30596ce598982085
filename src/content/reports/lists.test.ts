// Lists of moderation: one's own notices, the reports of a case by pages, and the cases that are decided.
import assert from 'node:assert/strict'
import { onEveryEngine, type World } from '../../../test/world.ts'
import type { Decision } from '../../contract/kinds.ts'

/** Bob's post is reported by Alice, and decided. Gives the act. */
async function decided({ alice, moderator }: World, targetId: string, action: Decision) {
  await alice.reports.create({ targetType: 'post', targetId, reason: 'spam' })
  const found = (await moderator.moderation.cases({})).items.find(({ target }) => target.id === targetId)
  return moderator.moderation.decide({ id: found!.id, action, rule: 'spam', reason: `To ${action}` })
}

onEveryEngine('One’s own notices', (it) => {
  it('are listed newest first, with the state of the appeal, and without what is no notice', async (world) => {
    const { alice, bob, moderator } = world
    const ids: string[] = []
    for (const title of ['One', 'Two', 'Three']) ids.push((await bob.posts.create({ title, body: 'B' })).id)
    await decided(world, ids[0]!, 'dismiss')
    const { id: warned } = await decided(world, ids[0]!, 'warn')
    const { id: hidden } = await decided(world, ids[1]!, 'hide')
    const { id: undone } = await decided(world, ids[2]!, 'hide')
    await moderator.moderation.undo({ id: undone, reason: 'Wrong' })
    await bob.moderation.appeal({ id: warned, text: 'It was fine' })
    await bob.moderation.appeal({ id: hidden, text: 'So was this' })
    await moderator.moderation.decideAppeal({ id: hidden, granted: false, reason: 'No' })
    const { items, hasMore } = await bob.moderation.notices({})
    assert.deepEqual(
      items.map((one) => [one.id, one.action, one.target.title, one.appeal, one.appealGranted, one.undoneAt !== null]),
      [
        [undone, 'hide', 'Three', null, null, true],
        [hidden, 'hide', 'Two', 'So was this', false, false],
        [warned, 'warn', 'One', 'It was fine', null, false],
      ],
    )
    assert.equal(hasMore, false)
    assert.deepEqual(items[1], await bob.moderation.notice({ id: hidden }))
    assert.deepEqual((await alice.moderation.notices({})).items, [])
  })

  it('come in pages, and to those who are signed in', async (world) => {
    const { bob, anonymous, blocked } = world
    for (const title of ['One', 'Two', 'Three']) {
      await decided(world, (await bob.posts.create({ title, body: 'B' })).id, 'warn')
    }
    const titles = async (page: number, per_page: number) => {
      const { items, hasMore } = await bob.moderation.notices({ page, per_page })
      return [items.map(({ target }) => target.title), hasMore]
    }
    assert.deepEqual(await titles(0, 3), [['Three', 'Two', 'One'], false])
    assert.deepEqual(await titles(0, 2), [['Three', 'Two'], true])
    assert.deepEqual(await titles(1, 2), [['One'], false])
    assert.deepEqual(await titles(2, 2), [[], false])
    await assert.rejects(bob.moderation.notices({ per_page: 101 }), { status: 400 })
    await assert.rejects(anonymous.moderation.notices({}), { status: 401 })
    await assert.rejects(blocked.moderation.notices({}), { status: 403 })
  })
})

onEveryEngine('Cases', (it) => {
  it('are of releases too', async (world) => {
    const { alice, admin, moderator, anonymous } = world
    const { id } = await admin.changelog.create({ title: 'News', body: 'B', version: '1.0.0' })
    await alice.reports.create({ targetType: 'release', targetId: id, reason: 'other' })
    const [waiting] = (await moderator.moderation.cases({})).items
    assert.deepEqual([waiting?.target.type, waiting?.target.title], ['release', 'News'])
    const decision = { id: waiting!.id, action: 'hide', rule: 'other', reason: 'Too early' } as const
    await moderator.moderation.decide(decision)
    await assert.rejects(anonymous.changelog.get({ id }), { status: 404 })
  })

  it('list their reports in pages, beyond those that a case has with it', async (world) => {
    const { alice, bob, moderator, person, db } = world
    const { id: targetId } = await bob.posts.create({ title: 'P', body: 'B' })
    await alice.reports.create({ targetType: 'post', targetId, reason: 'spam', text: 'No. 0' })
    await person('carol').reports.create({ targetType: 'post', targetId, reason: 'abuse', text: 'No. 1' })
    const [waiting] = (await moderator.moderation.cases({})).items
    const caseId = waiting!.id
    const rows = Array.from({ length: 99 }, (_, at) => ({
      ...{
        id: `zz-${String(at + 2).padStart(3, '0')}`,
        caseId,
        targetId,
        reporterId: `r-${at}`,
        reason: 'spam' as const,
      },
      ...{ text: `No. ${at + 2}`, createdAt: waiting!.createdAt, closed: 0 as const },
    }))
    await db.insertInto('report').values(rows).execute()
    assert.equal((await moderator.moderation.case({ id: caseId })).reports.length, 100)
    const page = async (page: number, per_page: number) => {
      const { items, hasMore } = await moderator.moderation.caseReports({ id: caseId, page, per_page })
      return [items.length, items[0]?.text, items.at(-1)?.text, hasMore]
    }
    assert.deepEqual(await page(0, 100), [100, 'No. 0', 'No. 99', true])
    assert.deepEqual(await page(1, 100), [1, 'No. 100', 'No. 100', false])
    assert.deepEqual(await page(2, 100), [0, undefined, undefined, false])
    await assert.rejects(moderator.moderation.caseReports({ id: 'nothing' }), { status: 404 })
    for (const one of [alice, bob]) await assert.rejects(one.moderation.caseReports({ id: caseId }), { status: 403 })
  })

  it('are listed once a thing when they are decided, by the last one', async (world) => {
    const { bob, moderator } = world
    const { id } = await bob.posts.create({ title: 'Twice', body: 'B' })
    const { id: other } = await bob.posts.create({ title: 'Once', body: 'B' })
    await decided(world, id, 'dismiss')
    await decided(world, other, 'dismiss')
    const { id: actId } = await decided(world, id, 'hide')
    await bob.moderation.appeal({ id: actId, text: 'Why' })
    const open = (await moderator.moderation.cases({})).items
    assert.deepEqual(
      open.map(({ target }) => target.title),
      ['Twice'],
    )
    const closed = async () => (await moderator.moderation.cases({ state: 'closed' })).items
    assert.deepEqual(
      (await closed()).map(({ target }) => target.title),
      ['Twice', 'Once'],
    )
    await moderator.moderation.decideAppeal({ id: actId, granted: true, reason: 'Right' })
    const after = await closed()
    assert.deepEqual(
      after.map(({ target }) => target.title),
      ['Twice', 'Once'],
    )
    assert.equal(after[0]!.id, open[0]!.id)
    assert.deepEqual([after[1]!.lastAct?.action, after[1]!.excerpt, open[0]!.lastAct?.action], ['dismiss', 'B', 'hide'])
    const { hasMore } = await moderator.moderation.cases({ state: 'closed', per_page: 2 })
    assert.equal(hasMore, false)
  })
})
