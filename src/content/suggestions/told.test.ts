// What became of a suggestion, told to the account that made it.
import assert from 'node:assert/strict'
import { agentOf } from '../../../test/agents.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'

const why = { reason: 'Three members lost data', confidence: 0.8 }

onEveryEngine('the account that suggested something', (it) => {
  it('hears once of each decision by another one, with the reason, and of none of its own', async (world) => {
    const { alice, bob, moderator, app } = world
    const agent = await agentOf(world, bob)
    const { id } = await alice.bugs.create({ title: 'Crash', description: 'On start', severity: 'low' })
    const raise = (severity: string) =>
      agent.suggestions.create({ operation: 'bugs.triage', input: { id, severity }, ...why })
    const [high, medium] = [await raise('high'), await raise('medium')]
    await moderator.suggestions.accept({ ids: [high.id] })
    await moderator.suggestions.accept({ ids: [high.id] })
    await moderator.suggestions.refuse({ ids: [medium.id], reason: 'It is high' })
    const answer = { operation: 'bugs.comment', input: { id, body: 'Update' }, ...why }
    const byAlice = await alice.suggestions.create(answer)
    await alice.suggestions.accept({ ids: [byAlice.id] })
    const byBob = await bob.suggestions.create({ ...answer, input: { id, body: 'Update again' } })
    await bob.suggestions.withdraw({ id: byBob.id })
    await app.deliver()
    const decided = async (person: Person) =>
      (await person.notifications.list()).items
        .filter(({ change }) => change?.startsWith('suggestion'))
        .map(({ type, change, target, excerpt, actor }) => [type, change, target.id, excerpt, actor?.id])
    const by = (await moderator.account()).id
    assert.deepEqual(await decided(bob), [
      ['status', 'suggestion_refused', id, 'It is high', by],
      ['status', 'suggestion_accepted', id, '', by],
    ])
    assert.deepEqual(await decided(alice), [])
    assert.deepEqual(await decided(moderator), [])
  })

  it('hears nothing of one that could not be made', async (world) => {
    const { alice, bob, moderator, app } = world
    const feature = await alice.features.create({ title: 'Dark', description: 'Mode' })
    const input = { id: feature.id, status: 'planned' }
    const { id } = await bob.suggestions.create({ operation: 'features.setStatus', input, ...why })
    const { items } = await moderator.suggestions.accept({ ids: [id] })
    assert.equal(items[0]?.state, 'waiting')
    await app.deliver()
    assert.deepEqual((await bob.notifications.list()).items, [])
  })
})
