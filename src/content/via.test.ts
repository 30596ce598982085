// Who wrote it: what agents write says so everywhere, is found by it, and says nothing of those who run them in private.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { agentOf, operatorsAgent } from '../../test/agents.ts'
import { oauthClient } from '../../test/oauth.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { cleanUp } from '../oauth/clean-up.ts'
import { compareCounters } from '../verify/queries.ts'
import { listUnfindable } from '../verify/search-queries.ts'

const ORG = readFileSync('test/fixtures/org-minimal.json', 'utf8')
const workflow = () => new File([readFileSync('test/fixtures/workflow-morning-digest.json')], 'w.json')
const bug = { title: 'The digest comes twice', description: 'Since the clocks changed', severity: 'low' } as const

const assertCounted = async ({ db }: World) => {
  assert.deepEqual(await compareCounters(db), [])
  assert.deepEqual(await listUnfindable(db), [])
}

onEveryEngine('who wrote it', (it) => {
  it('is said of everything that an agent writes, and of nothing that a person does', async (world) => {
    const { alice, bob, anonymous } = world
    const agent = await agentOf(world, alice)
    const via = { clientId: agent.clientId, name: 'Night Clerk', verified: false }
    const { id } = await agent.bugs.create(bug)
    const own = await alice.bugs.create(bug)
    const said = await agent.bugs.comment({ id: own.id, body: 'The same here' })
    await bob.bugs.comment({ id, body: 'And here' })
    await agent.bugs.edit({ id, title: 'The digest comes three times' })
    await agent.bugs.close({ id, closed: true, reason: 'It was me' })
    const org = await agent.orgs.create({ orgJson: ORG })
    await agent.orgRuns.add({ id: org.id, files: [new File(['# Done'], 'done.md')] })
    const item = await agent.library.publish({ kind: 'workflow', visibility: 'public', file: workflow() })
    await alice.library.publishVersion({ id: item.id, file: workflow() })

    assert.deepEqual((await anonymous.bugs.get({ id })).via, via)
    assert.equal((await anonymous.bugs.get({ id: own.id })).via, null)
    const list = await anonymous.bugs.list()
    assert.deepEqual(
      new Map(list.items.map((one) => [one.id, one.via])),
      new Map([
        [id, via],
        [own.id, null],
      ]),
    )
    assert.ok(!JSON.stringify(list).includes('viaClientId'))
    assert.deepEqual((await anonymous.bugs.comments({ id: own.id })).items[0]?.via, via)
    assert.equal((await anonymous.bugs.comments({ id })).items[0]?.via, null)
    assert.deepEqual((await anonymous.comments.get({ id: said.id })).via, via)
    assert.deepEqual((await anonymous.bugs.revisions({ id })).items[0]?.via, via)
    assert.deepEqual((await anonymous.bugs.statusChanges({ id })).items[0]?.via, via)
    assert.deepEqual((await anonymous.orgs.get({ id: org.id })).via, via)
    assert.deepEqual((await anonymous.orgRuns.list({ id: org.id })).items[0]?.via, via)
    assert.deepEqual((await anonymous.library.get({ id: item.id })).via, via)
    assert.deepEqual((await anonymous.library.get({ id: org.id })).via, via)
    const { versions } = await anonymous.library.versions({ id: item.id })
    assert.deepEqual(
      versions.map((version) => version.via),
      [null, via],
    )
    const feed = await anonymous.feed.list()
    assert.equal(feed.items.length, 4)
    for (const entry of feed.items) assert.deepEqual(entry.via, entry.id === own.id ? null : via)
    const found = await anonymous.search.find({ q: 'digest' })
    for (const hit of found.items) assert.deepEqual(hit.via, hit.id === own.id ? null : via, hit.type)
    await assertCounted(world)
  })

  it('is verified for the operator’s agent alone, beside those with a document', async (world) => {
    const agent = await operatorsAgent(world, world.alice)
    const { id } = await agent.posts.create({ title: 'Good morning', body: 'From the desk' })
    const { via } = await world.anonymous.posts.get({ id })
    assert.deepEqual([via?.clientId, via?.verified], [agent.clientId, true])
    const { agent: shown, members } = await world.anonymous.agents.get({ clientId: agent.clientId })
    assert.equal(shown.origin, 'operator')
    assert.deepEqual(members, [{ id: (await world.alice.account()).id, username: null }])
  })

  it('filters lists, the feed and the search, with totals and far pages', async (world) => {
    const { alice, anonymous } = world
    const agent = await agentOf(world, alice)
    for (let round = 0; round < 7; round++) {
      await agent.bugs.create({ ...bug, severity: round % 2 ? 'high' : 'low' })
      if (round < 3) await alice.bugs.create(bug)
    }
    const { id: labelled } = await agent.bugs.create({ ...bug, severity: 'critical' })
    const label = await world.admin.labels.create({ name: 'seen', color: '#112233' })
    await world.moderator.bugs.attachLabel({ id: labelled, labelId: label.id })
    const totals = async (more: object) =>
      Promise.all(
        (['people', 'agents'] as const).map(async (by) => {
          const { total, items } = await anonymous.bugs.list({ by, per_page: 100, ...more })
          assert.equal(items.length, total, JSON.stringify({ by, ...more }))
          for (const item of items) assert.equal(item.via === null, by === 'people')
          return total
        }),
      )
    assert.deepEqual(await totals({}), [3, 8])
    assert.deepEqual(await totals({ sort: 'popular' }), [3, 8])
    assert.deepEqual(await totals({ severity: 'low' }), [3, 4])
    assert.deepEqual(await totals({ severity: 'low', status: 'open' }), [3, 4])
    assert.deepEqual(await totals({ authorId: (await alice.account()).id }), [3, 8])
    assert.deepEqual(await totals({ label: 'seen' }), [0, 1])
    assert.deepEqual(await totals({ q: 'digest' }), [3, 8])
    const last = await anonymous.bugs.list({ by: 'agents', per_page: 3, page: 2 })
    assert.deepEqual([last.items.length, last.hasMore], [2, false])
    assert.equal((await anonymous.feed.list({ by: 'agents' })).items.length, 8)
    assert.equal((await anonymous.feed.list({ by: 'people' })).items.length, 3)
    assert.equal((await anonymous.feed.list({ by: 'people', type: 'post' })).items.length, 0)
    assert.equal((await anonymous.search.find({ q: 'digest', by: 'agents' })).total, 8)
    assert.equal((await anonymous.search.find({ q: 'digest', by: 'people' })).total, 3)
    await world.moderator.bugs.delete({ id: labelled, reason: 'Twice' })
    assert.deepEqual(await totals({ label: 'seen' }), [0, 0])
    assert.deepEqual(await totals({}), [3, 7])
    await assertCounted(world)
  })

  it('survives a merge and its undoing, hiding and showing again', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const agent = await agentOf(world, alice)
    const { id } = await agent.bugs.create(bug)
    const other = await alice.bugs.create(bug)
    await moderator.bugs.merge({ id, into: other.id, reason: 'The same' })
    await assertCounted(world)
    await moderator.bugs.undoMerge({ id, reason: 'It was not' })
    assert.equal((await anonymous.bugs.get({ id })).via?.clientId, agent.clientId)
    await assertCounted(world)
    await bob.reports.create({ targetType: 'bug', targetId: id, reason: 'spam' })
    const [waiting] = (await moderator.moderation.cases({})).items
    const decision = { action: 'hide', rule: 'spam', reason: 'Look again' } as const
    const act = await moderator.moderation.decide({ id: waiting!.id, ...decision })
    assert.equal((await anonymous.bugs.list({ by: 'agents' })).total, 0)
    await moderator.moderation.undo({ id: act.id, reason: 'It is fine' })
    assert.equal((await anonymous.feed.list({ by: 'agents' })).items[0]?.via?.clientId, agent.clientId)
    await assertCounted(world)
  })
})

onEveryEngine('what an agent wrote for an account that is erased', (it) => {
  it('is no agent’s any more where it stays', async (world) => {
    const { alice, bob, anonymous, app, clock } = world
    const agent = await agentOf(world, alice)
    const { id } = await agent.bugs.create(bug)
    const { id: said } = await agent.bugs.comment({ id, body: 'Still so' })
    await bob.bugs.comment({ id, body: 'Here too' })
    const org = await agent.orgs.create({ orgJson: ORG })
    await agent.orgRuns.add({ id: org.id, files: [new File(['# Done'], 'done.md')] })
    const item = await agent.library.publish({ kind: 'workflow', visibility: 'public', file: workflow() })
    await alice.deletion.request({ content: 'anonymise' })
    clock.pass(15 * 86_400)
    await app.work()
    assert.equal((await anonymous.bugs.get({ id })).via, null)
    assert.equal((await anonymous.comments.get({ id: said })).via, null)
    assert.equal((await anonymous.orgs.get({ id: org.id })).via, null)
    assert.equal((await anonymous.orgRuns.list({ id: org.id })).items[0]?.via, null)
    assert.equal((await anonymous.library.get({ id: item.id })).via, null)
    assert.equal((await anonymous.library.get({ id: org.id })).via, null)
    assert.equal((await anonymous.feed.list({ by: 'agents' })).items.length, 0)
    await assert.rejects(anonymous.agents.get({ clientId: agent.clientId }), { status: 404 })
    await assertCounted(world)
  })

  it('keeps its name while something names it, and no longer', async (world) => {
    const { alice, db } = world
    const wrote = await agentOf(world, alice)
    const silent = await agentOf(world, alice, { name: 'Silent' })
    const { id } = await wrote.bugs.create(bug)
    const oauth = oauthClient(world)
    for (const { clientId, refreshToken } of [wrote, silent]) await oauth.revoke(clientId, refreshToken!)
    world.clock.pass(400 * 86_400)
    await cleanUp(db, new Date(world.clock.now()).toISOString())
    const left = await db.selectFrom('agent').select('clientId').execute()
    assert.deepEqual(left, [{ clientId: wrote.clientId }])
    assert.equal((await world.anonymous.bugs.get({ id })).via?.name, 'Night Clerk')
  })
})

onEveryEngine('the page of an agent', (it) => {
  it('has what it wrote in public, newest first, and nothing else', async (world) => {
    const { alice, bob, anonymous } = world
    const agent = await agentOf(world, alice)
    await assert.rejects(anonymous.agents.get({ clientId: agent.clientId }), { status: 404 })
    await agent.library.publish({ kind: 'workflow', visibility: 'private', file: workflow() })
    await assert.rejects(anonymous.agents.get({ clientId: agent.clientId }), { status: 404 })
    await assert.rejects(anonymous.agents.get({ clientId: 'nobody' }), { status: 404 })
    const first = await agent.bugs.create(bug)
    const second = await agent.bugs.comment({ id: first.id, body: 'Still so' })
    const gone = await agent.posts.create({ title: 'A mistake', body: 'Sorry' })
    await agent.posts.delete({ id: gone.id })
    const page = await anonymous.agents.get({ clientId: agent.clientId, per_page: 1 })
    assert.deepEqual(page.agent, {
      ...{ clientId: agent.clientId, name: 'Night Clerk', verified: false },
      ...{ origin: 'registered', site: null },
    })
    assert.deepEqual([page.items[0]?.id, page.items[0]?.title, page.hasMore], [second.id, bug.title, true])
    const rest = await anonymous.agents.get({ clientId: agent.clientId, before: page.next ?? '' })
    assert.deepEqual([rest.items.map(({ id }) => id), rest.hasMore, rest.next], [[first.id], false, null])
    assert.deepEqual(
      rest.members.map(({ id }) => id),
      [(await alice.account()).id],
    )
    await world.admin.admin.block({ id: (await alice.account()).id, blocked: true, reason: 'Spam' })
    await assert.rejects(bob.agents.get({ clientId: agent.clientId }), { status: 404 })
  })
})
