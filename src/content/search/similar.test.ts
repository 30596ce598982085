// What is similar to a new title, through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { required } from '../../runtime/untyped.ts'

const crash = { description: 'It stops on start', severity: 'high' } as const

const titles = async ({ anonymous }: World, title: string, type: 'bug' | 'feature' | 'post' = 'bug') =>
  (await anonymous.search.similar({ title, type })).items.map((item) => item.title)

onEveryEngine('similar things', (it) => {
  it('have words of the title, of the same type, the most similar first', async (world) => {
    const { alice, bob, anonymous } = world
    const twice = await alice.bugs.create({ ...crash, title: 'The digest is sent twice when the clock changes' })
    await alice.bugs.create({ ...crash, title: 'The digest has no links' })
    await alice.bugs.create({ ...crash, title: 'A label cannot be removed' })
    await alice.features.create({ title: 'Send the digest twice', description: 'For those who sleep' })
    await bob.bugs.vote({ id: twice.id, value: 1 })
    await bob.bugs.comment({ id: twice.id, body: 'Here too' })
    assert.deepEqual(await titles(world, 'digest sends twice'), [
      'The digest is sent twice when the clock changes',
      'The digest has no links',
    ])
    assert.deepEqual(await titles(world, 'Digests, twice', 'feature'), ['Send the digest twice'])
    assert.deepEqual(await titles(world, 'Digests, twice', 'post'), [])
    assert.deepEqual(await titles(world, 'A label can'), ['A label cannot be removed'])
    assert.deepEqual(await titles(world, ''), [])
    assert.deepEqual(await titles(world, 'Pictures are turned around'), [])
    const { items } = await anonymous.search.similar({ title: 'clock changes: digest twice', type: 'bug' })
    assert.deepEqual(items[0], {
      ...{ type: 'bug', id: twice.id, number: twice.number, title: twice.title, url: `/community/bugs/${twice.id}` },
      ...{ score: 1, commentCount: 1, likely: true, href: items[0]?.href },
    })
    assert.equal(items[1]?.likely, undefined)
    const [weak] = (await anonymous.search.similar({ title: 'digest arrives late', type: 'bug' })).items
    assert.equal(required(weak).likely, false)
  })

  it('say the same in their text too', async (world) => {
    const { alice, anonymous } = world
    const description = 'After each restart of the runner everybody gets it once more.'
    await alice.bugs.create({ ...crash, title: 'Approval mail goes out again', description })
    await alice.bugs.create({ ...crash, title: 'Approval needs two clicks' })
    const find = async (title: string) =>
      (await anonymous.search.similar({ title, type: 'bug' })).items.map((one) => [one.title, one.likely])
    const again = ['Approval mail goes out again', true]
    assert.deepEqual(await find('Restart of the runner sends approval mail'), [again])
    assert.deepEqual(await find('Everybody gets approvals once more'), [again])
    assert.deepEqual(await find('Restarts of a runner'), [])
  })

  it('are likely with three quarters of the words, and shown with half of them', async (world) => {
    const { alice, anonymous } = world
    // Each word is in one title, so that all weigh the same.
    for (const title of ['Okapi', 'Quagga', 'Fossa', 'Serval', 'Tapir']) await alice.bugs.create({ ...crash, title })
    const find = async (title: string) =>
      (await anonymous.search.similar({ title, type: 'bug' })).items
        .filter((one) => one.title.startsWith('Kinkajou'))
        .map(({ likely }) => likely)
    await alice.bugs.create({ ...crash, title: 'Kinkajou', description: 'okapi quagga' })
    assert.deepEqual(await find('kinkajou okapi quagga fossa'), [true])
    assert.deepEqual(await find('kinkajou okapi quagga fossa serval'), [false])
    assert.deepEqual(await find('kinkajou okapi fossa serval'), [false])
    assert.deepEqual(await find('kinkajou okapi fossa serval tapir'), [])
  })

  it('are read up to 2,048 characters', async (world) => {
    const { admin, anonymous } = world
    const bodyOf = (length: number) => `${'z'.repeat(length - 6)} okapi`
    assert.equal(bodyOf(2_048).length, 2_048)
    await admin.changelog.create({ title: 'Tamandua', body: bodyOf(2_048) })
    await admin.changelog.create({ title: 'Tamandua, again', body: bodyOf(2_049) })
    const { items } = await anonymous.search.similar({ title: 'tamandua okapi', type: 'release' })
    assert.deepEqual(
      items.map(({ title, likely }) => [title, likely]),
      [
        ['Tamandua', true],
        ['Tamandua, again', false],
      ],
    )
  })

  it('are five at most, and none of a blocked account or of what is gone', async (world) => {
    const { alice, bob, admin } = world
    for (let n = 0; n < 4; n++) await alice.posts.create({ title: `Ledger ${n}`, body: 'Text' })
    const gone = await bob.posts.create({ title: 'Ledger of Bob', body: 'Text' })
    await bob.posts.create({ title: 'Ledger of Bob, again', body: 'Text' })
    assert.equal((await titles(world, 'Ledger', 'post')).length, 5)
    await bob.posts.delete({ id: gone.id })
    assert.equal((await titles(world, 'Ledger', 'post')).length, 5)
    await admin.admin.block({ id: gone.authorId, blocked: true })
    assert.deepEqual((await titles(world, 'Ledger', 'post')).sort(), ['Ledger 0', 'Ledger 1', 'Ledger 2', 'Ledger 3'])
  })

  it('are found for a title of 100 characters, and for no longer one', async (world) => {
    assert.deepEqual(await titles(world, 'x'.repeat(100)), [])
    await assert.rejects(titles(world, 'x'.repeat(101)), { status: 400 })
    await world.alice.posts.create({ title: 'Ledger', body: 'Text' })
    await world.alice.features.create({ title: 'Ledgers', description: 'Text' })
    assert.equal((await world.anonymous.search.similar({ title: 'ledger' })).items.length, 2)
    await assert.rejects(world.anonymous.search.similar({ title: 'x', type: 'person' as 'bug' }), { status: 400 })
  })
})
