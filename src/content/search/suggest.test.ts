// Suggestions while a text is typed, through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { MAX_SUGGESTED } from './contract.ts'

async function named({ person }: World, username: string, name?: string): Promise<void> {
  const member = person(name ?? username)
  await member.profile.setUsername({ username })
}

onEveryEngine('suggestions', (it) => {
  it('after @ are members, by the beginning of the username first, and nobody who is blocked', async (world) => {
    const { anonymous, admin } = world
    await named(world, 'Mira-1')
    await named(world, 'mirabel')
    await named(world, 'other', 'miranda')
    await named(world, 'mirblocked')
    const all = async (q: string) =>
      (await anonymous.search.suggest({ sign: '@', q })).members.map((one) => one.username)
    assert.deepEqual((await all('MIR')).slice(0, 3), ['Mira-1', 'mirabel', 'mirblocked'])
    assert.ok((await all('miran')).includes('other'))
    const { users } = await admin.admin.listUsers({ q: 'mirblocked' })
    await admin.admin.block({ id: users[0]!.id, blocked: true })
    assert.ok(!(await all('mirb')).includes('mirblocked'))
    assert.deepEqual(await all(''), [])
    assert.deepEqual(await all('%'), [])
  })

  it(`are at most ${MAX_SUGGESTED}`, async (world) => {
    for (let index = 0; index <= MAX_SUGGESTED; index++) await named(world, `crowd-${index}`)
    assert.equal((await world.anonymous.search.suggest({ sign: '@', q: 'crowd' })).people.length, MAX_SUGGESTED)
  })

  it('after # are bugs, requests and posts by number and words, and public items', async ({ alice, anonymous }) => {
    const bug = await alice.bugs.create({ title: 'The digest comes twice', description: 'At two', severity: 'low' })
    const post = await alice.posts.create({ title: 'A digest for mornings', body: 'Words' })
    await alice.library.publish({
      kind: 'workflow',
      visibility: 'public',
      tags: '',
      file: workflowFile({ name: 'Digest' }),
    })
    await alice.library.publish({ kind: 'workflow', file: workflowFile({ name: 'Digest of mine' }) })
    const { things, items, members, people } = await anonymous.search.suggest({ sign: '#', q: 'dige' })
    assert.deepEqual(things.map(({ number }) => number).sort(), [bug.number, post.number].sort())
    assert.deepEqual(
      items.map(({ name, kind }) => [name, kind]),
      [['Digest', 'workflow']],
    )
    assert.match(items[0]!.url, /^\/library\/workflows\//)
    assert.deepEqual([members, people], [[], []])
    const byNumber = await anonymous.search.suggest({ sign: '#', q: String(bug.number) })
    assert.deepEqual(byNumber.things[0], { number: bug.number, type: 'bug', title: 'The digest comes twice' })
  })

  it('have bounds', async ({ anonymous }) => {
    await anonymous.search.suggest({ sign: '#', q: 'x'.repeat(60) })
    await assert.rejects(anonymous.search.suggest({ sign: '#', q: 'x'.repeat(61) }), { status: 400 })
    await assert.rejects(anonymous.search.suggest({ sign: '!' as '#', q: 'x' }), { status: 400 })
  })
})
