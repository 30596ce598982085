// Merging at the same time as other things, in chains, and of much: on SQLite and on PostgreSQL.

import assert from 'node:assert/strict'
import { assertSound } from '../../../test/sound.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { newId } from '../../runtime/ids.ts'
import { AT_ONCE } from '../merged/rules.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

const statusOf = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'fulfilled' ? 200 : (outcome.reason as { status: number }).status

onEveryEngine('merging', (it) => {
  it('of two things into each other at once leaves one of them', async (world) => {
    const { alice, moderator, admin, anonymous } = world
    await Promise.all([moderator.account(), admin.account()])
    for (let round = 0; round < 4; round++) {
      const [a, b] = [await alice.bugs.create(crash), await alice.bugs.create(crash)]
      const outcomes = await Promise.allSettled([
        moderator.bugs.merge({ id: a.id, into: b.id }),
        admin.bugs.merge({ id: b.id, into: a.id }),
      ])
      assert.deepEqual(outcomes.map(statusOf).sort(), [200, 409])
      const [left, other] = [await anonymous.bugs.get({ id: a.id }), await anonymous.bugs.get({ id: b.id })]
      assert.equal(left.id, other.id)
      assert.equal(left.mergedCount, 1)
    }
    await assertSound(world)
  })

  it('in a chain leads to the end of it in one step, in whichever order it came about', async (world) => {
    const { alice, bob, moderator, anonymous, db } = world
    const made = []
    for (let n = 0; n < 5; n++) made.push(await alice.bugs.create({ ...crash, title: `Crash ${n}` }))
    const [a, b, c, d, e] = made.map(({ id }) => id) as [string, string, string, string, string]
    await bob.bugs.vote({ id: a, value: 1 })
    await moderator.bugs.merge({ id: a, into: b })
    await moderator.bugs.merge({ id: b, into: c })
    await moderator.bugs.merge({ id: d, into: a })
    await moderator.bugs.merge({ id: c, into: e })
    for (const id of [a, b, c, d]) assert.equal((await anonymous.bugs.get({ id })).id, e)
    const { score, mergedCount } = await anonymous.bugs.get({ id: e })
    assert.deepEqual([score, mergedCount], [1, 4])
    const rows = await db.selectFrom('mergedThing').select('targetId').distinct().execute()
    assert.deepEqual(rows, [{ targetId: e }])
    assert.equal((await anonymous.bugs.merged({ id: b })).total, 4)
    await assert.rejects(moderator.bugs.merge({ id: e, into: a }), { status: 409 })
    await assertSound(world)
  })

  it('loses no vote and no comment that comes at the same time', async (world) => {
    const { alice, moderator, person, anonymous, app } = world
    const people = Array.from({ length: 8 }, (_, n) => person(`voter${n}`))
    await Promise.all([moderator.account(), ...people.map((one) => one.account())])
    const [source, target] = [await alice.bugs.create(crash), await alice.bugs.create(crash)]
    const [merged] = await Promise.all([
      moderator.bugs.merge({ id: source.id, into: target.id }),
      ...people.flatMap((one, n) => [
        one.bugs.vote({ id: n % 2 ? source.id : target.id, value: 1 }),
        one.bugs.comment({ id: n % 3 ? source.id : target.id, body: `Comment ${n}` }),
        one.follows.set({ id: source.id, state: 'following' }),
      ]),
    ])
    assert.equal(merged.id, source.id)
    await app.deliver()
    const { score, commentCount } = await anonymous.bugs.get({ id: target.id })
    assert.deepEqual([score, commentCount], [8, 8])
    await assertSound(world)
  })

  it('with what is removed at the same time leaves nothing behind', async (world) => {
    const { alice, moderator, admin, db } = world
    await Promise.all([moderator.account(), admin.account()])
    for (let round = 0; round < 4; round++) {
      const [source, target] = [await alice.bugs.create(crash), await alice.bugs.create(crash)]
      await alice.bugs.comment({ id: source.id, body: 'Here' })
      await alice.bugs.vote({ id: source.id, value: 1 })
      const outcomes = await Promise.allSettled([
        moderator.bugs.merge({ id: source.id, into: target.id }),
        admin.bugs.delete({ id: round % 2 ? source.id : target.id }),
      ])
      for (const status of outcomes.map(statusOf)) assert.ok([200, 404].includes(status), String(status))
      await assertSound(world)
      await Promise.allSettled([source, target].map(({ id }) => admin.bugs.delete({ id })))
    }
    await world.app.deliver()
    for (const table of ['vote', 'comment', 'mergedThing', 'bug', 'follow'] as const) {
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table)
    }
  })

  it('of much goes on in the background, in batches, and through a further merge', async (world) => {
    const { alice, moderator, anonymous, app, db } = world
    const [source, target, last] = [
      await alice.bugs.create(crash),
      await alice.bugs.create(crash),
      await alice.bugs.create(crash),
    ]
    const many = AT_ONCE * 9 + 1
    const rows = Array.from({ length: many }, () => ({ targetId: source.id, userId: newId(), value: 1 as const }))
    for (let at = 0; at < many; at += 300)
      await db
        .insertInto('vote')
        .values(rows.slice(at, at + 300))
        .execute()
    for (const table of ['bug', 'feedEntry'] as const) {
      await db.updateTable(table).set({ score: many }).where('id', '=', source.id).execute()
    }
    const { done } = await moderator.bugs.merge({ id: source.id, into: target.id })
    assert.equal(done, false)
    assert.equal((await anonymous.bugs.get({ id: target.id })).score, AT_ONCE * 8)
    await assertSound(world)
    await moderator.bugs.merge({ id: target.id, into: last.id })
    await app.deliver()
    assert.equal((await anonymous.bugs.get({ id: last.id })).score, many)
    assert.equal(
      await db.selectFrom('mergedThing').select('id').where('doneAt', 'is', null).executeTakeFirst(),
      undefined,
    )
    await assertSound(world)
  })
})
