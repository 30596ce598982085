// An approval is bound to what was shown until the write itself: what changes the thing between the yes and the write is asked about, and
// never written over unseen.
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { TestAgent } from '../../../test/agents.ts'
import { workflowFile } from '../../../test/library.ts'
import { agentThatAsks, waits } from '../../../test/pending.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { locking } from '../../database/engine.ts'
import type { ApiError } from '../../surfaces/client.ts'

const EVERYTHING = ['posts', 'comments', 'votes', 'orgs', 'library', 'other']
const ROUNDS = 10
/** So long what was sent takes to its next lock. */
const UNTIL_IT_WAITS = 60

/** Runs `work` while a row is locked, and on SQLite everything. */
const holding =
  ({ db }: World, table: 'pendingAct' | 'bug', id: string) =>
  (work: () => Promise<void>) =>
    db.transaction().execute(async (transaction) => {
      await locking(transaction, transaction.selectFrom(table).select('id').where('id', '=', id)).execute()
      await work()
    })

const statusOf = (approval: Promise<{ state: string }>): Promise<string | number> =>
  approval.then(
    ({ state }) => state,
    ({ status }: ApiError) => status,
  )

interface Edited {
  send(agent: TestAgent): Promise<unknown>
  edit(): Promise<unknown>
  read(): Promise<unknown>
}

/** Makes a thing; gives what an agent of its account sends, what changes the thing, and what is read of it. */
const cases: Record<string, (world: World) => Promise<Edited>> = {
  async 'a bug'({ alice }) {
    const { id } = await alice.bugs.create({ title: 'Crash', description: 'On start', severity: 'low' })
    return {
      send: (agent) => agent.bugs.edit({ id, title: 'By the agent' }),
      edit: () => alice.bugs.edit({ id, title: 'By its author' }),
      read: async () => (await alice.bugs.get({ id })).title,
    }
  },
  async 'a post'({ alice }) {
    const { id } = await alice.posts.create({ title: 'Hello', body: 'World' })
    return {
      send: (agent) => agent.posts.edit({ id, title: 'By the agent' }),
      edit: () => alice.posts.edit({ id, title: 'By its author' }),
      read: async () => (await alice.posts.get({ id })).title,
    }
  },
  async 'a comment'({ alice, bob }) {
    const post = await bob.posts.create({ title: 'Hello', body: 'World' })
    const { id } = await alice.posts.comment({ id: post.id, body: 'Nice' })
    return {
      send: (agent) => agent.comments.edit({ id, body: 'By the agent' }),
      edit: () => alice.comments.edit({ id, body: 'By its author' }),
      read: async () => (await alice.comments.get({ id })).body,
    }
  },
  async 'an item'({ alice }) {
    const { id } = await alice.library.publish({ kind: 'workflow', file: workflowFile({ name: 'Payroll' }) })
    return {
      send: (agent) => agent.library.update({ id, name: 'By the agent' }),
      edit: () => alice.library.update({ id, name: 'By its author' }),
      read: async () => (await alice.library.get({ id })).name,
    }
  },
  async 'an org'({ alice }) {
    const json = (name: string) => JSON.stringify({ name, roles: [{ id: 'solo' }] })
    const { id } = await alice.orgs.create({ orgJson: json('Desk') })
    return {
      send: (agent) => agent.orgs.update({ id, name: 'By the agent' }),
      edit: () => alice.orgs.update({ id, name: 'By its author' }),
      read: async () => (await alice.orgs.get({ id })).name,
    }
  },
  async 'a team'({ alice, db }) {
    const verified = { emailVerifiedAt: '2026-01-01T00:00:00.000Z' }
    await db.updateTable('user').set(verified).where('email', '=', alice.email).execute()
    const { slug } = await alice.teams.create({ slug: 'desk', name: 'Desk' })
    return {
      send: (agent) => agent.teams.update({ slug, name: 'By the agent' }),
      edit: () => alice.teams.update({ slug, name: 'By its author' }),
      read: async () => (await alice.teams.get({ slug })).name,
    }
  },
}

onEveryEngine('an edit at the moment of an approval', (it) => {
  for (const [name, make] of Object.entries(cases)) {
    it(`of ${name} is asked about, and the yes to what is there then is good`, async (world) => {
      const { alice } = world
      const agent = await agentThatAsks(world, EVERYTHING)
      const { send, edit, read } = await make(world)
      const before = await read()
      const { id } = await waits(send(agent))
      await world.app.deliver()
      const { unread } = await alice.notifications.count({})
      let all: Promise<unknown[]> = Promise.resolve([])
      await holding(
        world,
        'pendingAct',
        id,
      )(async () => {
        const approval = statusOf(alice.pendingActs.approve({ id }))
        await setTimeout(UNTIL_IT_WAITS)
        all = Promise.all([approval, edit()])
        await setTimeout(UNTIL_IT_WAITS)
      })
      const [approved] = await all
      assert.deepEqual([approved, await read()], [409, 'By its author'])
      const { state, changes, seen, decidedAt } = await alice.pendingActs.get({ id })
      assert.deepEqual([state, decidedAt], ['waiting', null])
      assert.deepEqual(
        changes.map(({ from, to }) => [from, to]),
        [['By its author', 'By the agent']],
        `was shown ${before}`,
      )
      assert.equal((await alice.notifications.count({})).unread, unread, 'it is to be decided still')
      assert.equal((await alice.pendingActs.approve({ id, seen })).state, 'made')
      assert.equal(await read(), 'By the agent')
    })
  }

  it('is asked about also where the yes has a key, which is free again then, ten times', async (world) => {
    const { alice } = world
    const agent = await agentThatAsks(world, EVERYTHING)
    const approve = async (id: string, key: string) => {
      const response = await alice.request(`/api/account/pending-acts/${id}/approve`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body: '{}',
      })
      const { state } = (await response.json()) as { state?: string }
      return { status: response.status, state, replayed: response.headers.get('idempotency-replayed') }
    }
    const made = { status: 200, state: 'made', replayed: null }
    for (let round = 0; round < ROUNDS; round++) {
      const bug = await alice.bugs.create({ title: 'Crash', description: 'On start', severity: 'low' })
      const { id } = await waits(agent.bugs.edit({ id: bug.id, title: 'By the agent' }))
      let all: Promise<[Awaited<ReturnType<typeof approve>>, unknown]> | undefined
      await holding(
        world,
        'pendingAct',
        id,
      )(async () => {
        const approval = approve(id, `yes-${round}`)
        await setTimeout(UNTIL_IT_WAITS)
        all = Promise.all([approval, alice.bugs.edit({ id: bug.id, title: 'By its author' })])
        await setTimeout(UNTIL_IT_WAITS)
      })
      const [first] = (await all)!
      assert.equal(first.status, 409, `round ${round}`)
      assert.equal((await alice.pendingActs.get({ id })).state, 'waiting')
      assert.equal((await alice.bugs.get({ id: bug.id })).title, 'By its author')
      assert.deepEqual(await approve(id, `yes-${round}`), made)
      assert.deepEqual(await approve(id, `yes-${round}`), { ...made, replayed: 'true' })
      assert.equal((await alice.bugs.get({ id: bug.id })).title, 'By the agent')
    }
  })

  it('is never written over unseen, ten times', async (world) => {
    const { alice } = world
    const agent = await agentThatAsks(world, EVERYTHING)
    const outcomes: (string | number)[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const bug = await alice.bugs.create({ title: 'Crash', description: 'On start', severity: 'low' })
      const { id } = await waits(agent.bugs.edit({ id: bug.id, title: 'By the agent' }))
      const { seen } = await alice.pendingActs.get({ id })
      let approval = Promise.resolve<string | number>('')
      let edited: Promise<unknown> = Promise.resolve()
      await holding(
        world,
        'bug',
        bug.id,
      )(async () => {
        edited = alice.bugs.edit({ id: bug.id, title: 'By its author' })
        await setTimeout(UNTIL_IT_WAITS)
        approval = statusOf(alice.pendingActs.approve({ id, seen }))
        await setTimeout(UNTIL_IT_WAITS)
      })
      outcomes.push((await Promise.all([approval, edited]))[0])
      assert.equal((await alice.bugs.get({ id: bug.id })).title, 'By its author', `round ${round}: ${outcomes}`)
    }
    // On a busy machine the approval can be first.
    assert.ok(outcomes.every((one) => one === 409 || one === 'made') && outcomes.includes(409), String(outcomes))
  })

  it('comes before or after it, whichever is first, ten times', async (world) => {
    const { alice } = world
    const agent = await agentThatAsks(world, EVERYTHING)
    for (let round = 0; round < ROUNDS; round++) {
      const bug = await alice.bugs.create({ title: 'Crash', description: 'On start', severity: 'low' })
      const { id } = await waits(agent.bugs.edit({ id: bug.id, title: 'By the agent' }))
      const approval = statusOf(alice.pendingActs.approve({ id }))
      await setTimeout(round)
      const [outcome] = await Promise.all([approval, alice.bugs.edit({ id: bug.id, title: 'By its author' })])
      assert.ok(outcome === 'made' || outcome === 409, `${outcome}`)
      assert.equal((await alice.bugs.get({ id: bug.id })).title, 'By its author', 'the yes was not to this')
    }
  })

  it('is one yes alone, where two say it to different states of it', async (world) => {
    const { alice } = world
    const agent = await agentThatAsks(world, EVERYTHING)
    const bug = await alice.bugs.create({ title: 'Crash', description: 'On start', severity: 'low' })
    const { id } = await waits(agent.bugs.edit({ id: bug.id, title: 'By the agent' }))
    const { seen } = await alice.pendingActs.get({ id })
    await alice.bugs.edit({ id: bug.id, title: 'By its author' })
    const outcomes = await Promise.all([1, 2, 3].map(() => statusOf(alice.pendingActs.approve({ id, seen }))))
    assert.deepEqual(outcomes, [409, 409, 409])
    assert.equal((await alice.bugs.get({ id: bug.id })).title, 'By its author')
  })

  it('is about the same thing where a write came by its former path', async (world) => {
    const { alice, anonymous } = world
    const agent = await agentThatAsks(world, EVERYTHING)
    const { id } = await alice.posts.create({ title: 'Hello', body: 'World' })
    const headers = { Authorization: `Bearer ${agent.accessToken}`, 'Content-Type': 'application/json' }
    const asked = async (title: string) => {
      const init = { method: 'PATCH', headers, body: JSON.stringify({ title }) }
      const response = await anonymous.request(`/api/community/posts/${id}/text`, init)
      assert.equal(response.status, 202)
      const act = (await response.json()) as { id: string }
      const { seen, target } = await alice.pendingActs.get({ id: act.id })
      assert.equal(target?.url, `/community/posts/${id}`)
      return { id: act.id, seen }
    }
    const late = await asked('Late')
    assert.equal(await statusOf(alice.pendingActs.approve(await asked('By the agent'))), 'made')
    assert.equal(await statusOf(alice.pendingActs.approve(late)), 409)
    assert.equal((await alice.posts.get({ id })).title, 'By the agent')
  })
})
