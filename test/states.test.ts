// What goes through states, through the front door: from every state every step is tried. One that its table does not have is refused and
// changes nothing (docs/states.md).
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { exportJob } from '../src/accounts/feature.ts'
import { exportStates, pendingActStates, versionStates } from '../src/contract/states.ts'
import { JobRunner } from '../src/core/jobs/runner.ts'
import { workflowFile } from './library.ts'
import { agentThatAsks, bug, waits } from './pending.ts'
import { withWebhook } from './webhooks.ts'
import { onEveryEngine, type World } from './world.ts'

interface Machine<State extends string> {
  table: Readonly<Partial<Record<State, readonly string[]>>>
  /** Makes a new one in each state. */
  reach: Readonly<Record<State, () => Promise<string>>>
  /** What leads to a state. */
  steps: Readonly<Partial<Record<State, (id: string) => Promise<unknown>>>>
  stateOf(id: string): Promise<string>
  /** Where a state is left at once for the next one. */
  goesOn?: Readonly<Partial<Record<string, string>>>
  /** How a step is refused that the table does not have; undefined where nothing happens. */
  refused: readonly (number | undefined)[]
}

async function tryAll<State extends string>(machine: Machine<State>): Promise<void> {
  const { table, reach, steps, stateOf, goesOn = {}, refused } = machine
  for (const [from, make] of Object.entries<() => Promise<string>>(reach)) {
    for (const [to, step] of Object.entries<((id: string) => Promise<unknown>) | undefined>(steps)) {
      const id = await make()
      assert.equal(await stateOf(id), from)
      const status = await step!(id).then(
        () => undefined,
        (error) => Reflect.get(error, 'status') ?? error,
      )
      const isDeclared = table[from as State]?.includes(to) ?? false
      const words = `${from} to ${to}: ${status}`
      if (!isDeclared) assert.ok(refused.includes(status), words)
      else assert.equal(status, undefined, words)
      assert.equal(await stateOf(id), isDeclared ? (goesOn[to] ?? to) : from, words)
    }
  }
}

onEveryEngine('a write that waits for a yes', (it) => {
  it('is decided once, and by nothing but a wait', async (world) => {
    const { alice, db } = world
    const agent = await agentThatAsks(world)
    const asked = async (write = agent.bugs.create(bug)) => (await waits(write)).id
    await tryAll({
      table: pendingActStates,
      reach: {
        waiting: asked,
        // Its process has stopped.
        async approved() {
          const id = await asked()
          await db.updateTable('pendingAct').set({ state: 'approved' }).where('id', '=', id).execute()
          return id
        },
        async made() {
          const id = await asked()
          await alice.pendingActs.approve({ id })
          return id
        },
        async failed() {
          const { id: gone } = await alice.bugs.create(bug)
          const id = await asked(agent.bugs.edit({ id: gone, title: 'Later' }))
          await db
            .updateTable('bug')
            .set({ authorId: (await world.bob.account()).id })
            .where('id', '=', gone)
            .execute()
          await alice.pendingActs.approve({ id })
          return id
        },
        async refused() {
          const id = await asked()
          await alice.pendingActs.refuse({ id })
          return id
        },
        async withdrawn() {
          const id = await asked()
          await agent.pendingActs.withdraw({ id })
          return id
        },
      },
      steps: {
        approved: (id) => alice.pendingActs.approve({ id }),
        refused: (id) => alice.pendingActs.refuse({ id }),
        withdrawn: (id) => agent.pendingActs.withdraw({ id }),
      },
      stateOf: async (id) => (await alice.pendingActs.get({ id })).state,
      goesOn: { approved: 'made' },
      refused: [409],
    })
  })

  it('is either made or refused, where both are asked for at once', async (world) => {
    const { alice } = world
    const agent = await agentThatAsks(world)
    const { id } = await waits(agent.bugs.create(bug))
    const both = await Promise.allSettled([alice.pendingActs.refuse({ id }), alice.pendingActs.approve({ id })])
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const { state } = await alice.pendingActs.get({ id })
    assert.equal((await alice.bugs.list({})).total, state === 'made' ? 1 : 0)
  })
})

onEveryEngine('an export', (it) => {
  /** Runs the job; without `isBroken` it prepares what waits. */
  const prepare = ({ dependencies }: World, isBroken = false) => {
    const stage = () => Promise.reject(new Error('full'))
    const { blobs } = dependencies
    const work = isBroken
      ? { ...dependencies, blobs: { ...blobs, artifacts: { ...blobs.artifacts, stage } } }
      : dependencies
    return new JobRunner(dependencies, [exportJob(dependencies, () => work)]).run('exports.prepare')
  }
  const failing = async (world: World) => {
    for (let count = 0; count < 3; count++) await prepare(world, true).catch(() => undefined)
  }

  it('becomes ready or fails while it waits, and waits again once it has failed', async (world) => {
    const { alice, dependencies, db } = world
    const request = async () => (await alice.dataExports.request()).id
    const job = exportJob(dependencies, () => dependencies)
    // One waits at most, and there are three a day.
    const clear = () => db.deleteFrom('dataExport').execute()
    await tryAll({
      table: exportStates,
      reach: {
        async waiting() {
          await clear()
          return request()
        },
        async ready() {
          await clear()
          const id = await request()
          await prepare(world)
          return id
        },
        async failed() {
          await clear()
          const id = await request()
          await failing(world)
          return id
        },
      },
      steps: {
        ready: () => prepare(world),
        failed: (key) => job.giveUp!({ key }),
        waiting: (key) => db.transaction().execute((transaction) => job.retry!(transaction, key)),
      },
      stateOf: async (id) => (await alice.dataExports.list()).items.find((one) => one.id === id)?.state ?? 'gone',
      refused: [undefined],
    })
  })

  it('that is given up while a slow process prepares it stays failed, and its archive is thrown away', async (world) => {
    const { alice, dependencies, mails } = world
    const { id } = await alice.dataExports.request()
    const { blobs } = dependencies
    const job = exportJob(dependencies, () => dependencies)
    const stage: typeof blobs.artifacts.stage = async (...given) => {
      await job.giveUp!({ key: id })
      return blobs.artifacts.stage(...given)
    }
    const slow = { ...dependencies, blobs: { ...blobs, artifacts: { ...blobs.artifacts, stage } } }
    await new JobRunner(dependencies, [exportJob(dependencies, () => slow)]).run('exports.prepare')
    assert.equal((await alice.dataExports.list()).items[0]?.state, 'failed')
    await assert.rejects(alice.dataExports.download({ id }), { status: 404 })
    const subjects = (await mails(alice.email)).map(({ subject }) => subject)
    assert.deepEqual(
      subjects.filter((subject) => /export/i.test(subject)),
      subjects.filter((subject) => /could not be exported/.test(subject)),
    )
    assert.equal(subjects.filter((subject) => /could not be exported/.test(subject)).length, 1)
  })
})

onEveryEngine('a version', (it) => {
  for (const by of ['publisher', 'admin'] as const) {
    it(`is yanked, published again and deleted as its table says, by its ${by}`, async (world) => {
      const { alice, admin, anonymous } = world
      const { id } = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
      let count = 0
      const publish = async () => {
        count += 1
        await alice.library.publishVersion({ id, file: workflowFile({ count }) })
        return `1.0.${count}`
      }
      const yankedBy = async (who: typeof alice) => {
        const version = await publish()
        await who.library.yank({ id, version, yanked: true, reason: 'It loops' })
        return version
      }
      const caller = by === 'admin' ? admin : alice
      const yank = (version: string) => caller.library.yank({ id, version, yanked: true, reason: 'It loops' })
      await tryAll({
        table: versionStates[by],
        reach: {
          published: publish,
          yanked: () => yankedBy(alice),
          withheld: () => yankedBy(admin),
          async deleted() {
            const version = await publish()
            await admin.library.deleteVersion({ id, version, reason: 'It loops' })
            return version
          },
        },
        steps: {
          published: (version) => caller.library.yank({ id, version, yanked: false, reason: 'It is fine' }),
          ...(by === 'admin' ? { withheld: yank } : { yanked: yank }),
          deleted: (version) => caller.library.deleteVersion({ id, version, reason: 'It loops' }),
        },
        async stateOf(version) {
          const { versions } = await anonymous.library.versions({ id })
          const found = versions.find((one) => one.version === version)
          if (!found) return 'deleted'
          if (found.yanked_at === undefined) return 'published'
          const row = world.db.selectFrom('itemVersion').select('yankedByAdmin').where('version', '=', version)
          return (await row.executeTakeFirstOrThrow()).yankedByAdmin === 1 ? 'withheld' : 'yanked'
        },
        refused: [403, 404],
      })
    })
  }
})

onEveryEngine('a case', (it) => {
  it('is decided once, also by two at once, and a later report opens another', async (world) => {
    const { alice, bob, moderator, admin } = world
    const { id: targetId } = await bob.posts.create({ title: 'Offer', body: 'B' })
    await alice.reports.create({ targetType: 'post', targetId, reason: 'spam' })
    const id = (await moderator.moderation.cases({})).items[0]!.id
    const decide = (who: typeof alice) =>
      who.moderation.decide({ id, action: 'dismiss', rule: 'spam', reason: 'It is fine' })
    const both = await Promise.allSettled([decide(moderator), decide(admin)])
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const closed = await moderator.moderation.case({ id })
    await assert.rejects(decide(admin), { status: 409, message: 'This case is closed' })
    await world.person('carol').reports.create({ targetType: 'post', targetId, reason: 'spam' })
    assert.deepEqual((await moderator.moderation.case({ id })).state, closed.state)
    const open = (await moderator.moderation.cases({})).items
    assert.deepEqual([closed.state, open.length, open[0]?.id === id], ['closed', 1, false])
  })
})

onEveryEngine('a delivery', (it) => {
  it('that is disabled while its address answers stays failed', (world) =>
    withWebhook(world, async ({ receiver, admin, id, test, last }) => {
      receiver.answer = async (_request, response) => {
        await admin.webhooks.update({ id, enabled: false })
        response.writeHead(204).end()
      }
      await test()
      const { state, attempts, error } = await last()
      assert.deepEqual([state, attempts, error], ['failed', 0, 'The webhook was disabled'])
    }))

  it('is sent again from every state but those of a blocked account, which come back with it', (world) =>
    withWebhook(world, async ({ receiver, admin, person, app, db, id, last }) => {
      const stored = async (deliveryId: string) =>
        (await db.selectFrom('webhookDelivery').select('state').where('id', '=', deliveryId).executeTakeFirst())?.state
      const reached = { delivered: 204, failed: 410, pending: 500 } as const
      for (const [state, status] of Object.entries(reached)) {
        receiver.answer = (_request, response) => response.writeHead(status).end()
        await admin.webhooks.update({ id, enabled: true })
        // A block ends the sessions of an account.
        const writer = person(`writer-${state}`)
        await writer.posts.create({ title: `It is ${state}`, body: 'B' })
        await app.deliver()
        await app.sendWebhooks()
        await admin.webhooks.update({ id, enabled: true })
        const { id: deliveryId } = await last()
        assert.equal(await stored(deliveryId), state)
        const { id: writerId } = await writer.account()
        await admin.admin.block({ id: writerId, blocked: true })
        // The second time tells of what hides in the background.
        for (let turn = 0; turn < 2; turn++) await app.deliver()
        assert.equal(await stored(deliveryId), `taken:${state}`)
        await assert.rejects(admin.webhooks.redeliver({ id, deliveryId }), { status: 404 })
        assert.equal(await stored(deliveryId), `taken:${state}`)
        await admin.admin.block({ id: writerId, blocked: false })
        await app.deliver()
        assert.equal(await stored(deliveryId), state)
        assert.equal((await admin.webhooks.redeliver({ id, deliveryId })).state, 'pending')
        assert.equal(await stored(deliveryId), 'pending')
      }
    }))
})

onEveryEngine('a merge', (it) => {
  const stateOf = async ({ db }: World, id: string) => {
    const row = db
      .selectFrom('mergedThing')
      .select(['doneAt', sql<number>`case when record is null then 0 else 1 end`.as('kept')])
    const found = await row.where('id', '=', id).executeTakeFirst()
    return found && [found.doneAt !== null, found.kept]
  }

  it('is undone once it is done and before it is final, and made once', async (world) => {
    const { alice, moderator, db } = world
    const target = (await alice.bugs.create(bug)).id
    const merged = async () => {
      const { id } = await alice.bugs.create(bug)
      await moderator.bugs.merge({ id, into: target })
      return id
    }
    const again = (id: string) => moderator.bugs.merge({ id, into: target })
    for (const [changes, message] of [
      [{ doneAt: null }, /still being merged/],
      [{ record: null }, /cannot be undone any more/],
    ] as const) {
      const id = await merged()
      await db.updateTable('mergedThing').set(changes).where('id', '=', id).execute()
      const before = await stateOf(world, id)
      await assert.rejects(moderator.bugs.undoMerge({ id }), { status: 409, message })
      await assert.rejects(again(id), { status: 409, message: 'It is merged already' })
      assert.deepEqual(await stateOf(world, id), before)
    }
    const id = await merged()
    await assert.rejects(again(id), { status: 409 })
    await moderator.bugs.undoMerge({ id })
    await assert.rejects(moderator.bugs.undoMerge({ id }), { status: 409, message: 'It is not merged' })
    assert.equal(await stateOf(world, id), undefined)
  })

  it('that is on its way for 30 days becomes final when it is done, not before', async (world) => {
    const { alice, moderator, db, app } = world
    const target = (await alice.bugs.create(bug)).id
    const { id } = await alice.bugs.create(bug)
    await moderator.bugs.merge({ id, into: target })
    const old = { doneAt: null, mergedAt: '2020-01-01T00:00:00.000Z' }
    await db.updateTable('mergedThing').set(old).where('id', '=', id).execute()
    await app.cleanUp()
    assert.deepEqual(await stateOf(world, id), [false, 1])
    await app.deliver()
    assert.deepEqual(await stateOf(world, id), [true, 1])
    await app.cleanUp()
    assert.deepEqual(await stateOf(world, id), [true, 0])
  })
})
