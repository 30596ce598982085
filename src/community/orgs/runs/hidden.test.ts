// Runs that moderators hide, of blocked accounts, and removed with everything of an account: they show nowhere, and are not counted.

import assert from 'node:assert/strict'
import { orgFile } from '../../../../test/library.ts'
import { assertSound } from '../../../../test/sound.ts'
import { onEveryEngine, type World } from '../../../../test/world.ts'

const notes = (text: string) => [new File([`# ${text}`], 'notes.md')]

/** An org of Alice with runs of hers and of Bob. */
async function attached({ alice, bob }: World) {
  const { id, slug } = await alice.orgs.create({ orgJson: await orgFile({ name: 'Desk' }).text() })
  await alice.orgRuns.add({ id, files: notes('Mine') })
  const run = await bob.orgRuns.add({ id, label: 'Advertising', files: notes('Buy') })
  return { id, slug, run, bobId: (await bob.account()).id }
}

/** What anonymous users see of the runs: the count in the gallery, the total of the list, and its labels. */
async function seen({ anonymous }: World, id: string) {
  const { items, total } = await anonymous.orgRuns.list({ id })
  const [org] = (await anonymous.orgs.list({})).items
  return [org?.runCount, total, items.map(({ label }) => label)]
}

onEveryEngine('a run of an org', (it) => {
  it('is hidden and shown again with everything of a blocked account', async (world) => {
    const { moderator, anonymous, bob, app } = world
    const { id, run, bobId } = await attached(world)
    assert.deepEqual(await seen(world, id), [2, 2, ['Advertising', null]])
    await moderator.admin.block({ id: bobId, blocked: true })
    await assert.rejects(anonymous.orgRuns.get({ id, runId: run.id }), { status: 404 })
    await app.deliver()
    assert.deepEqual(await seen(world, id), [1, 1, [null]])
    await assert.rejects(anonymous.orgRuns.file({ fileId: run.files[0]!.id }), { status: 404 })
    assert.equal((await moderator.orgRuns.get({ id, runId: run.id })).state, 'blocked')
    await assertSound(world)
    await moderator.admin.block({ id: bobId, blocked: false })
    await app.deliver()
    assert.deepEqual(await seen(world, id), [2, 2, ['Advertising', null]])
    assert.equal((await bob.accounts.signIn({ email: bob.email, password: 'bob has a password' })).user.id, bobId)
    assert.equal((await bob.orgRuns.get({ id, runId: run.id })).state, undefined)
    await assertSound(world)
  })

  it('is reported, hidden with a reason, and deleted by its author or shown again', async (world) => {
    const { alice, bob, anonymous, moderator, app } = world
    const { id, slug, run } = await attached(world)
    const report = { targetType: 'run', targetId: run.id, reason: 'spam' } as const
    await alice.reports.create(report)
    await assert.rejects(bob.reports.create(report), { status: 409 })
    const [waiting] = (await moderator.moderation.cases({})).items
    assert.deepEqual(
      [waiting?.target.type, waiting?.target.title, waiting?.target.url],
      ['run', 'Advertising', `/community/orgs/${slug}#run-${run.id}`],
    )
    assert.equal((await moderator.moderation.case({ id: waiting!.id })).target.text, 'notes.md')
    const decision = { id: waiting!.id, action: 'hide', rule: 'spam', reason: 'Advertising' } as const
    const { id: actId } = await moderator.moderation.decide(decision)
    assert.deepEqual(await seen(world, id), [1, 1, [null]])
    for (const reader of [alice, anonymous]) {
      await assert.rejects(reader.orgRuns.get({ id, runId: run.id }), { status: 404 })
    }
    assert.equal((await bob.orgRuns.get({ id, runId: run.id })).state, 'hidden')
    await assert.rejects(alice.reports.create(report), { status: 404 })
    await app.deliver()
    assert.deepEqual(
      (await bob.notifications.list()).items.map(({ type, target }) => [type, target.title]),
      [['notice', 'Advertising']],
    )
    await assertSound(world)
    await moderator.moderation.undo({ id: actId, reason: 'It is fine' })
    assert.deepEqual(await seen(world, id), [2, 2, ['Advertising', null]])
    await alice.reports.create(report)
    const again = (await moderator.moderation.cases({})).items[0]!
    await moderator.moderation.decide({ ...decision, id: again.id })
    await bob.orgRuns.delete({ id, runId: run.id })
    assert.deepEqual(await seen(world, id), [1, 1, [null]])
    await assertSound(world)
  })

  it('goes with everything of an account, and for good after thirty days', async (world) => {
    const { alice, bob, moderator, app, clock, db } = world
    const { id, run, bobId } = await attached(world)
    await bob.profile.setUsername({ username: 'bob-runs' })
    await alice.reports.create({ targetType: 'user', targetId: bobId, reason: 'spam' })
    const [waiting] = (await moderator.moderation.cases({})).items
    await moderator.moderation.decide({ id: waiting!.id, action: 'remove_all', rule: 'spam', reason: 'Spam' })
    await app.deliver()
    const { removal } = (await moderator.moderation.case({ id: waiting!.id })).author
    assert.deepEqual([removal?.done, removal?.total], [1, 1])
    assert.deepEqual(await seen(world, id), [1, 1, [null]])
    clock.pass(30 * 86_400 + 60)
    await app.cleanUp()
    await app.deliver()
    assert.deepEqual(await db.selectFrom('orgRun').select('id').where('id', '=', run.id).execute(), [])
    assert.deepEqual(await seen(world, id), [1, 1, [null]])
    await assertSound(world)
  })
})
