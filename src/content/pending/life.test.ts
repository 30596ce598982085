// How long writes of agents wait for a yes, how many, what ends them, and what they cost until then.
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { signInAgain } from '../../../test/erasure.ts'
import { workflowFile } from '../../../test/library.ts'
import { agentThatAsks, bug, waits } from '../../../test/pending.ts'
import { longestTurn } from '../../../test/turns.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { MAX_KEPT, MAX_WAITING } from './rules.ts'

onEveryEngine('the life of a write that needs a yes', (it) => {
  it('expires after 7 days, is listed for 30 more, and its files go', async (world) => {
    const { alice, app, clock, db } = world
    clock.stop()
    const agent = await agentThatAsks(world)
    const file = workflowFile({ name: 'Digest' })
    const { id } = await waits(agent.library.publish({ kind: 'workflow', file }))
    clock.pass(7 * 86_400 - 1)
    assert.equal((await alice.pendingActs.get({ id })).state, 'waiting')
    clock.pass(1)
    assert.equal((await alice.pendingActs.get({ id })).state, 'expired')
    assert.deepEqual((await alice.pendingActs.list({ state: 'waiting' })).items, [])
    await assert.rejects(alice.pendingActs.approve({ id }), { status: 409 })
    await app.cleanUp()
    assert.equal((await db.selectFrom('pendingFile').selectAll().execute()).length, 0)
    assert.equal((await alice.usage.get()).storedBytes, 0)
    clock.pass(31 * 86_400)
    await signInAgain(alice)
    await app.cleanUp()
    await assert.rejects(alice.pendingActs.get({ id }), { status: 404 })
  })

  it('ends with the access of its agent, and with a block', async (world) => {
    const { alice, admin } = world
    const agent = await agentThatAsks(world)
    const { id } = await waits(agent.bugs.create(bug))
    const [grant] = (await alice.signIns.list()).items
    await alice.signIns.end({ id: grant?.id ?? '' })
    assert.equal((await alice.pendingActs.get({ id })).state, 'ended')
    await assert.rejects(alice.pendingActs.approve({ id }), { status: 409 })
    const next = await agentThatAsks(world)
    const act = await waits(next.bugs.create(bug))
    const account = await alice.account()
    await admin.admin.block({ id: account.id, blocked: true })
    await admin.admin.block({ id: account.id, blocked: false })
    await signInAgain(alice)
    assert.equal((await alice.pendingActs.get({ id: act.id })).state, 'ended')
    assert.equal((await alice.bugs.list({})).total, 0)
  })

  it('is one of at most 20 of a grant', async (world) => {
    const agent = await agentThatAsks(world)
    for (let count = 0; count < MAX_WAITING; count++) await waits(agent.bugs.create({ ...bug, title: `${count}` }))
    await assert.rejects(agent.bugs.create(bug), { status: 429 })
    const [act] = (await agent.pendingActs.list({})).items
    await world.alice.pendingActs.refuse({ id: act?.id ?? '' })
    await waits(agent.bugs.create(bug))
  })

  it('is taken up again where its process stopped after the yes', async (world) => {
    const { alice, app, clock, db } = world
    const agent = await agentThatAsks(world)
    const { id } = await waits(agent.bugs.create(bug))
    const decidedAt = new Date(clock.now()).toISOString()
    await db.updateTable('pendingAct').set({ state: 'approved', decidedAt }).where('id', '=', id).execute()
    await app.deliver()
    assert.equal((await alice.bugs.list({})).total, 0)
    clock.pass(61)
    await app.deliver()
    assert.equal((await alice.pendingActs.get({ id })).state, 'made')
    await app.deliver()
    assert.equal((await alice.bugs.list({})).total, 1)
  })

  it('costs a list and the news nothing of what was sent, however long that is', async (world) => {
    const { alice, db } = world
    const agent = await agentThatAsks(world)
    const orgJson = JSON.stringify({ name: 'Long', goal: `Much. ${'word '.repeat(90_000)}`, roles: [{ id: 'one' }] })
    const { id } = await waits(agent.orgs.create({ orgJson }))
    const lookAtAll = async (turns: ReturnType<typeof longestTurn>) => {
      const tries: number[] = []
      for (let count = 0; count < 10; count++) {
        for (const state of ['waiting', 'all'] as const) await alice.pendingActs.list({ per_page: 100, state })
        await alice.news.list({})
        await setTimeout(5)
        tries.push(turns.since())
      }
      return tries
    }
    const turns = longestTurn()
    const withOne = await lookAtAll(turns)
    const one = await db.selectFrom('pendingAct').selectAll().executeTakeFirstOrThrow()
    for (let at = 0; at < 80; at++) {
      const copy = `${id.slice(0, 24)}${String(at).padStart(12, '0')}`
      await db
        .insertInto('pendingAct')
        .values({ ...one, id: copy })
        .execute()
    }
    turns.since()
    const tries = await lookAtAll(turns)
    turns.end()
    // What is compiled or collected once is not what the text costs: that comes each time. A slow machine is slow with one of them too.
    const most = Math.max(100, 10 * Math.min(...withOne))
    assert.ok(Math.min(...tries) < most, `the event loop stood still for ${tries.join(', ')} ms`)
    assert.deepEqual((await alice.pendingActs.get({ id })).request.fields, { orgJson })
  })

  it('is refused where too much is kept of earlier ones', async (world) => {
    const { db } = world
    const agent = await agentThatAsks(world)
    await waits(agent.posts.create({ title: 'T', body: 'B' }))
    const { size } = await db.selectFrom('pendingAct').select('size').executeTakeFirstOrThrow()
    await waits(agent.posts.create({ title: 'Longer', body: 'B'.repeat(100) }))
    const longer = db.updateTable('pendingAct').where('size', '>', size)
    await longer.set({ size: MAX_KEPT - 3 * size }).execute()
    await waits(agent.posts.create({ title: 'T', body: 'B' }))
    await longer.set({ size: MAX_KEPT - 2 * size }).execute()
    await assert.rejects(agent.posts.create({ title: 'T', body: 'B' }), { status: 429, message: /is too much/ })
  })

  it('is listed in full pages while parts are off', async (world) => {
    const { alice, admin } = world
    const agent = await agentThatAsks(world)
    const ids: string[] = []
    for (let count = 0; count < 4; count++) {
      ids.push((await waits(agent.posts.create({ title: `P${count}`, body: 'B' }))).id)
      await waits(agent.bugs.create({ ...bug, title: `${count}` }))
    }
    await admin.settings.change({ changes: { PARTS_OFF: 'bugs' } })
    for (const person of [alice, agent]) {
      const first = await person.pendingActs.list({ per_page: 3, cursor: '' })
      assert.deepEqual([first.items.map(({ id }) => id), first.hasMore], [[ids[3], ids[2], ids[1]], true])
      const next = await person.pendingActs.list({ per_page: 3, cursor: first.nextCursor ?? '' })
      assert.deepEqual([next.items.map(({ id }) => id), next.hasMore], [[ids[0]], false])
      assert.deepEqual((await person.pendingActs.list({ per_page: 4, state: 'waiting' })).hasMore, false)
    }
    assert.equal((await alice.news.list({})).pendingTotal, 4)
  })
})
