// The search for what was merged, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { assertSound } from '../../../test/sound.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'

const first = {
  title: 'The digest is sent twice',
  description: 'On the night of the change',
  severity: 'high',
} as const
const second = { title: 'Two wombats came', description: 'At two and at three', severity: 'low' } as const

async function twice({ alice, bob }: World) {
  return { target: await alice.bugs.create(first), source: await bob.bugs.create(second) }
}

const foundBy = async ({ anonymous }: World, q: string) =>
  (await anonymous.search.find({ q })).items.map(({ type, id }) => `${type} ${id}`)

onEveryEngine('the search', (it) => {
  it('finds a thing by what was merged into it, once', async (world) => {
    const { alice, moderator, admin, anonymous, app, person } = world
    const { target, source } = await twice(world)
    await moderator.bugs.merge({ id: source.id, into: target.id })
    for (const q of ['two wombats came', 'at three', 'digest twice']) {
      assert.deepEqual(await foundBy(world, q), [`bug ${target.id}`], q)
    }
    const [hit] = (await anonymous.search.find({ q: 'wombats' })).items
    assert.equal(hit?.title.map(({ text }) => text).join(''), first.title)
    assert.ok(hit?.text.some(({ text, match }) => match && text === 'wombats'))
    await alice.bugs.edit({ id: target.id, title: 'The digest comes twice' })
    assert.deepEqual(await foundBy(world, 'wombats'), [`bug ${target.id}`])
    await admin.admin.block({ id: target.authorId, blocked: true })
    await app.deliver()
    assert.deepEqual(await foundBy(world, 'wombats'), [])
    await admin.admin.block({ id: target.authorId, blocked: false })
    await app.deliver()
    assert.deepEqual(await foundBy(world, 'wombats'), [`bug ${target.id}`])
    await admin.admin.block({ id: source.authorId, blocked: true })
    await app.deliver()
    assert.deepEqual(await foundBy(world, 'wombats'), [])
    await assertSound(world)
    await admin.admin.block({ id: source.authorId, blocked: false })
    await app.deliver()
    await person('carol').bugs.vote({ id: target.id, value: 1 })
    await moderator.bugs.undoMerge({ id: source.id })
    assert.deepEqual(await foundBy(world, 'wombats'), [`bug ${source.id}`])
    await assertSound(world)
  })
})
