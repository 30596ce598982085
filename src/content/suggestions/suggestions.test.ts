// Suggestions: an agent makes them, a person who may do it accepts or refuses them.
import assert from 'node:assert/strict'
import { it as plainIt } from 'node:test'
import { agentOf } from '../../../test/agents.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { parseAgents } from '../../contract/bounds.ts'
import { required } from '../../runtime/untyped.ts'
import { MAX_AT_ONCE, MAX_WAITING } from './rules.ts'

const bug = { title: 'Crash', description: 'On start', severity: 'low' } as const
const why = { reason: 'Three members lost data', confidence: 0.8 }

const raised = (id: string) => ({ operation: 'bugs.triage', input: { id, severity: 'high' }, ...why })

async function start(world: World) {
  const agent = await agentOf(world, world.bob)
  const { id } = await world.alice.bugs.create(bug)
  return { ...world, agent, id }
}

onEveryEngine('a suggestion', (it) => {
  it('is shown beside the thing with its reason, and made by the one who accepts it', async (world) => {
    const { agent, id, moderator, anonymous, alice, bob } = await start(world)
    const made = await agent.suggestions.create(raised(id))
    assert.equal(made.state, 'waiting')
    const { href, ...target } = made.target
    assert.deepEqual(target, { type: 'bug', id, title: 'Crash', url: `/community/bugs/${id}` })
    assert.match(href, /^https?:/)
    assert.deepEqual(made.input, { id, severity: 'high', reason: why.reason })
    assert.equal(made.confidence, 0.8)
    assert.equal(made.via?.clientId, agent.clientId)
    assert.deepEqual(made.can, { decide: false, withdraw: true })
    assert.equal((await anonymous.bugs.get({ id })).severity, 'low')
    const [seen] = (await anonymous.suggestions.list({ targetId: id })).items
    assert.deepEqual(seen, { ...made, can: { decide: false, withdraw: false } })
    assert.equal((await moderator.suggestions.list({})).items[0]?.can.decide, true)
    for (const wrong of [alice, bob]) {
      const { items } = await wrong.suggestions.accept({ ids: [made.id] })
      assert.deepEqual(items, [{ id: made.id, state: 'waiting', error: 'Forbidden' }])
    }
    const accepted = await moderator.suggestions.accept({ ids: [made.id] })
    assert.deepEqual(accepted.items, [{ id: made.id, state: 'accepted', error: null }])
    assert.equal((await anonymous.bugs.get({ id })).severity, 'high')
    assert.deepEqual((await anonymous.suggestions.list({ targetId: id })).items, [])
    const [kept] = (await anonymous.suggestions.list({ targetId: id, state: 'accepted' })).items
    assert.equal(kept?.decidedById, (await moderator.account()).id)
    assert.equal(kept?.authorId, (await bob.account()).id)
    const again = await moderator.suggestions.accept({ ids: [made.id] })
    assert.match(String(again.items[0]?.error), /does not wait/)
  })

  it('is in the audit log as both: who suggested it, and who accepted it', async (world) => {
    const { agent, id, moderator, admin, bob } = await start(world)
    const made = await agent.suggestions.create(raised(id))
    await moderator.suggestions.accept({ ids: [made.id] })
    const { items } = await admin.admin.listAudit({})
    const acted = items.filter(({ action }) => ['suggestion.accept', 'bug.triage'].includes(action))
    assert.deepEqual(acted.map(({ action, actorId }) => [action, actorId]).toSorted(), [
      ['bug.triage', (await moderator.account()).id],
      ['suggestion.accept', (await moderator.account()).id],
    ])
    const { detail } = required(acted.find(({ action }) => action === 'suggestion.accept'))
    assert.equal(Reflect.get(Object(detail), 'suggestedBy'), (await bob.account()).id)
    assert.equal(Reflect.get(Object(detail), 'clientId'), agent.clientId)
  })

  it('of an answer is posted as its agent; the author of the thing may accept it', async (world) => {
    const { agent, id, alice, bob } = await start(world)
    const carol = world.person('carol')
    const input = { id, body: 'Update to 2.4' }
    const made = await agent.suggestions.create({ operation: 'bugs.comment', input, ...why })
    const wrong = await carol.suggestions.accept({ ids: [made.id] })
    assert.equal(wrong.items[0]?.error, 'Forbidden')
    await alice.suggestions.accept({ ids: [made.id] })
    const [comment] = (await alice.bugs.comments({ id })).items
    assert.equal(comment?.body, 'Update to 2.4')
    assert.equal(comment?.authorId, (await bob.account()).id)
    assert.equal(comment?.via?.clientId, agent.clientId)
    const byHand = await bob.suggestions.create({ operation: 'bugs.comment', input, ...why })
    await alice.suggestions.accept({ ids: [byHand.id] })
    assert.equal((await alice.bugs.comments({ id })).items[1]?.via, null)
  })

  it('can be of a label, a merge and closing', async (world) => {
    const { agent, id, alice, moderator, anonymous } = await start(world)
    const label = await moderator.labels.create({ name: 'parser', color: '#aa3355' })
    const other = await alice.bugs.create({ ...bug, title: 'Crash again' })
    const suggest = (operation: string, input: object) =>
      agent.suggestions.create({ operation, input: { ...input }, ...why })
    const ids = [
      (await suggest('bugs.attachLabel', { id, labelId: label.id })).id,
      (await suggest('bugs.merge', { id: other.id, into: id })).id,
      (await suggest('bugs.close', { id, closed: true })).id,
    ]
    const { items } = await moderator.suggestions.accept({ ids })
    assert.deepEqual(
      items.map(({ state, error }) => [state, error]),
      ids.map(() => ['accepted', null]),
    )
    const seen = await anonymous.bugs.get({ id })
    assert.deepEqual([seen.labels.map(({ name }) => name), seen.mergedCount, seen.status], [['parser'], 1, 'resolved'])
  })

  it('stands by itself where ten are accepted at once; eleven are refused', async (world) => {
    const { agent, id, moderator } = await start(world)
    const good = await agent.suggestions.create(raised(id))
    const into = '01a1fb4e-bb9a-7544-87a4-2785318c8f22'
    const bad = await agent.suggestions.create({ operation: 'bugs.merge', input: { id, into }, ...why })
    const unknown = Array.from({ length: MAX_AT_ONCE - 2 }, (_, at) => `unknown-${at}`)
    const { items } = await moderator.suggestions.accept({ ids: [bad.id, good.id, ...unknown] })
    assert.deepEqual([items[0]?.state, items[1]?.state], ['waiting', 'accepted'])
    assert.ok(items[0]?.error)
    assert.ok(items.slice(2).every(({ state, error }) => state === null && error === 'No such suggestion'))
    const ids = [good.id, bad.id, ...unknown, 'one-more']
    await assert.rejects(moderator.suggestions.accept({ ids }), { status: 400 })
  })

  it('is refused with a reason, or withdrawn by its author, and then decided no more', async (world) => {
    const { agent, id, moderator, anonymous, bob, alice } = await start(world)
    const one = await agent.suggestions.create(raised(id))
    const refused = await moderator.suggestions.refuse({ ids: [one.id], reason: 'It is low' })
    assert.deepEqual(refused.items, [{ id: one.id, state: 'refused', error: null }])
    assert.equal((await anonymous.suggestions.list({ state: 'refused' })).items[0]?.decision, 'It is low')
    const two = await agent.suggestions.create(raised(id))
    await assert.rejects(alice.suggestions.withdraw({ id: two.id }), { status: 404 })
    assert.deepEqual(await bob.suggestions.withdraw({ id: two.id }), { id: two.id, state: 'withdrawn' })
    await assert.rejects(bob.suggestions.withdraw({ id: two.id }), { status: 409 })
    for (const verb of ['accept', 'refuse'] as const) {
      const { items } = await moderator.suggestions[verb]({ ids: [one.id, two.id] })
      assert.ok(items.every(({ error }) => /does not wait/.test(String(error))))
    }
    assert.equal((await anonymous.bugs.get({ id })).severity, 'low')
  })

  it('is made once, however many accept it at once', async (world) => {
    const { agent, id, moderator, admin, alice } = await start(world)
    const input = { id, body: 'Update to 2.4' }
    for (let round = 0; round < 10; round++) {
      const made = await agent.suggestions.create({ operation: 'bugs.comment', input, ...why })
      const people = [moderator, admin, alice, moderator]
      await Promise.all(people.map((person) => person.suggestions.accept({ ids: [made.id] })))
      assert.equal((await alice.bugs.get({ id })).commentCount, round + 1)
    }
  })

  it('is decided by a person: no token accepts it', async (world) => {
    const { agent, id } = await start(world)
    const made = await agent.suggestions.create(raised(id))
    const ofModerator = await agentOf(world, world.moderator)
    await assert.rejects(ofModerator.suggestions.accept({ ids: [made.id] }), { status: 401 })
    await assert.rejects(ofModerator.suggestions.refuse({ ids: [made.id] }), { status: 401 })
    await assert.rejects(world.anonymous.suggestions.accept({ ids: [made.id] }), { status: 401 })
    await assert.rejects(world.anonymous.suggestions.create(raised(id)), { status: 401 })
  })

  it('is of what can be suggested, on what everyone sees, and not twice', async (world) => {
    const { agent, id, moderator } = await start(world)
    const suggest = (operation: string, input: object) =>
      agent.suggestions.create({ operation, input: { ...input }, ...why })
    await assert.rejects(suggest('bugs.delete', { id }), { status: 400 })
    await assert.rejects(suggest('nothing', { id }), { status: 400 })
    await assert.rejects(suggest('bugs.triage', { id }), { status: 400, message: /severity/ })
    await assert.rejects(suggest('bugs.triage', { id, severity: 'worst' }), { status: 400, message: /severity/ })
    await assert.rejects(suggest('bugs.triage', { id: 'unknown', severity: 'high' }), { status: 404 })
    await suggest('bugs.triage', { id, severity: 'high', hidden: 'dropped' })
    await assert.rejects(suggest('bugs.triage', { id, severity: 'high' }), { status: 409 })
    const other = (more: object) =>
      agent.suggestions.create({ ...raised(id), input: { id, status: 'resolved' }, ...more })
    for (const wrong of [{ confidence: -0.01 }, { confidence: 1.01 }, { reason: 'x'.repeat(501) }, { reason: '' }]) {
      await assert.rejects(other(wrong), { status: 400 })
    }
    assert.equal((await other({ confidence: 0, reason: 'x'.repeat(500) })).confidence, 0)
    assert.equal((await other({ confidence: 1, reason: 'y' })).confidence, 1)
    await moderator.reports.create({ targetType: 'bug', targetId: id, reason: 'spam' })
    const [open] = (await moderator.moderation.cases({})).items
    await moderator.moderation.decide({ id: required(open).id, action: 'hide', rule: 'spam', reason: 'Spam' })
    assert.deepEqual((await moderator.suggestions.list({})).items, [])
    await assert.rejects(suggest('bugs.triage', { id, severity: 'critical' }), { status: 404 })
  })

  it(`waits with ${MAX_WAITING} others of a thing at most, and goes with it`, async (world) => {
    const { agent, id, alice, moderator, db } = await start(world)
    const create = (at: number) =>
      agent.suggestions.create({ operation: 'bugs.comment', input: { id, body: `Answer ${at}` }, ...why })
    for (let at = 0; at < MAX_WAITING - 1; at++) await create(at)
    const results = await Promise.allSettled([create(100), create(101), create(102)])
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    await assert.rejects(create(103), { status: 409 })
    await moderator.bugs.delete({ id })
    assert.deepEqual((await alice.suggestions.list({})).items, [])
    assert.deepEqual(await db.selectFrom('suggestion').select('id').execute(), [])
  })

  it('does not show while its author is blocked', async (world) => {
    const { agent, id, anonymous, admin, bob } = await start(world)
    await agent.suggestions.create(raised(id))
    await admin.admin.block({ id: (await bob.account()).id, blocked: true, reason: 'Spam' })
    assert.deepEqual((await anonymous.suggestions.list({})).items, [])
  })
})

onEveryEngine(
  'agents that may only suggest',
  (it) => {
    it('write nothing else, but for what has a rule of its own; people are not asked', async (world) => {
      const { agent, id, bob } = await start(world)
      const refusal = { status: 403, message: /only suggest/ }
      await assert.rejects(agent.bugs.create(bug), refusal)
      await assert.rejects(agent.bugs.comment({ id, body: 'Me too' }), refusal)
      await assert.rejects(agent.profile.update({ name: 'Mine' }), refusal)
      await assert.rejects(agent.posts.create({ title: 'T', body: 'B' }), refusal)
      await agent.suggestions.create(raised(id))
      await agent.bugs.vote({ id, value: 1 })
      await agent.bugs.get({ id })
      await bob.bugs.create(bug)
    })
  },
  { AGENTS: 'suggest; votes: write' },
)

onEveryEngine(
  'agents that may suggest some kinds of acts',
  (it) => {
    it('are ruled by the kind of what they suggest, and withdraw what they suggested', async (world) => {
      const { agent, id } = await start(world)
      const suggest = (operation: string, more: object) =>
        agent.suggestions.create({ operation, input: { id, ...more }, ...why })
      await assert.rejects(suggest('bugs.comment', { body: 'Me too' }), { status: 403, message: /may not/ })
      await assert.rejects(agent.bugs.create(bug), { status: 403, message: /only suggest/ })
      const made = await suggest('bugs.triage', { severity: 'high' })
      assert.equal((await agent.suggestions.withdraw({ id: made.id })).state, 'withdrawn')
    })
  },
  { AGENTS: 'off; posts: suggest' },
)

onEveryEngine(
  'agents that may not write',
  (it) => {
    it('do not suggest either, and read', async (world) => {
      const { agent, id, bob } = await start(world)
      const refusal = { status: 403, message: /may not/ }
      await assert.rejects(agent.bugs.create(bug), refusal)
      await assert.rejects(agent.suggestions.create(raised(id)), refusal)
      await agent.bugs.get({ id })
      await bob.suggestions.create(raised(id))
    })
  },
  { AGENTS: 'off' },
)

onEveryEngine(
  'agents of accounts without a verified email',
  (it) => {
    it('may do less where the rule says so', async (world) => {
      const { agent, db, bob } = await start(world)
      const verify = (emailVerifiedAt: string | null) =>
        db.updateTable('user').set({ emailVerifiedAt }).where('email', '=', bob.email).execute()
      await verify(null)
      await assert.rejects(agent.bugs.create(bug), { status: 403 })
      await verify('2026-01-01T00:00:00.000Z')
      await agent.bugs.create(bug)
    })
  },
  { AGENTS: 'write; unverified: off' },
)

plainIt('A rule for agents has a power and exceptions by kind', () => {
  const parsed = parseAgents('suggest; comments: write; unverified: off')
  assert.deepEqual(parsed, { power: 'suggest', kinds: { comments: 'write' }, unverified: 'off' })
  for (const wrong of [
    '',
    'maybe',
    'write; bugs: off',
    'write; account: off',
    'write; comments',
    'suggest, votes: off',
  ]) {
    assert.equal(parseAgents(wrong), undefined, wrong)
  }
})
