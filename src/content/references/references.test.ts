// Numbers of bugs, feature requests and posts, and what texts refer to, through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { BASE_URL, onEveryEngine } from '../../../test/world.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const
const wish = { title: 'Dark mode', description: 'For the night' }
const hello = { title: 'Hello', body: 'I am new here' }

onEveryEngine('numbers', (it) => {
  it('are one sequence for bugs, requests and posts, and find them', async ({ alice, anonymous }) => {
    const bug = await alice.bugs.create(crash)
    const feature = await alice.features.create(wish)
    const post = await alice.posts.create(hello)
    assert.ok(bug.number >= 1 && feature.number > bug.number && post.number > feature.number)
    assert.deepEqual(await anonymous.references.get({ number: feature.number }), {
      number: feature.number,
      type: 'feature',
      id: feature.id,
      title: wish.title,
      url: `/community/features/${feature.id}`,
      href: `${BASE_URL}/community/features/${feature.id}`,
    })
    assert.equal((await anonymous.bugs.get({ id: bug.id })).number, bug.number)
    assert.equal((await anonymous.posts.list()).items[0]?.number, post.number)
    const { items } = await anonymous.feed.list()
    assert.deepEqual(
      items.map(({ number }) => number),
      [post.number, feature.number, bug.number],
    )
    await alice.posts.delete({ id: post.id })
    await assert.rejects(anonymous.references.get({ number: post.number }), { status: 404 })
    const next = await alice.posts.create(hello)
    assert.ok(next.number > post.number, 'a number is never given again')
    for (const number of [0, -1, 1.5, 1_000_000_000]) {
      await assert.rejects(anonymous.references.get({ number }), { status: 400 })
    }
    for (const odd of ['0x1', '1e1', '%201', '0b1', 'one', '+1']) {
      assert.equal((await anonymous.request(`/api/community/numbers/${odd}`)).status, 404, odd)
    }
  })

  it('are unique when many things are made at once', async ({ alice, bob, anonymous }) => {
    await Promise.all([alice.account(), bob.account()])
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, n) => [
        alice.bugs.create(crash),
        bob.features.create({ ...wish, title: `Wish ${n}` }),
        bob.posts.create(hello),
      ]).flat(),
    )
    assert.equal(new Set(made.map(({ number }) => number)).size, 36)
    for (const { number, id } of made) assert.equal((await anonymous.references.get({ number })).id, id)
  })
})

onEveryEngine('references', (it) => {
  it('are found together, and what does not exist is left out', async (world) => {
    const { alice, bob, blocked, anonymous } = world
    await bob.profile.setUsername({ username: 'Bob-1' })
    const { id } = await blocked.account()
    const named = { username: 'gone', usernameKey: 'gone' }
    await world.db.updateTable('user').set(named).where('id', '=', id).execute()
    const [first, second] = [await alice.bugs.create(crash), await alice.posts.create(hello)]
    const numbers = `${second.number},${first.number},999999`
    const found = await anonymous.references.list({ numbers, usernames: 'bob-1,nobody,gone' })
    assert.deepEqual(found.numbers.map((one) => one.id).sort(), [first.id, second.id].sort())
    assert.deepEqual(found.users, found.members)
    assert.deepEqual(found.members, [
      { username: 'Bob-1', url: '/community/u/Bob-1', href: `${BASE_URL}/community/u/Bob-1` },
    ])
    await world.admin.admin.block({ id: first.authorId, blocked: true })
    assert.deepEqual((await anonymous.references.list({ numbers })).numbers, [])
    assert.deepEqual(await anonymous.references.list(), { numbers: [], members: [], users: [] })
  })

  it('are at most 100 of each', async ({ anonymous }) => {
    const many = (count: number, prefix: string) => Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`).join()
    await anonymous.references.list({ numbers: many(100, ''), usernames: many(100, 'user') })
    await assert.rejects(anonymous.references.list({ numbers: many(101, '') }), { status: 400 })
    await assert.rejects(anonymous.references.list({ usernames: many(101, 'user') }), { status: 400 })
    for (const numbers of ['1,', 'x', '-1', '1, 2', '0']) {
      await assert.rejects(anonymous.references.list({ numbers }), { status: 400 }, numbers)
    }
    for (const usernames of ['ab', 'a b c', 'mira,', 'ü'.repeat(5)]) {
      await assert.rejects(anonymous.references.list({ usernames }), { status: 400 }, usernames)
    }
  })
})
