// The list of members, some of them by their ids, and the numbers of the first page.
import assert from 'node:assert/strict'
import { onEveryEngine } from '../../../test/world.ts'
import { MAX_CARDS } from './contract.ts'

onEveryEngine('the members', (it) => {
  it('are the accounts with a username, newest first, a page at a time, with a total', async ({
    alice,
    bob,
    anonymous,
    clock,
  }) => {
    assert.deepEqual(await anonymous.members.list({}), { items: [], hasMore: false, total: 0 })
    await alice.profile.setUsername({ username: 'Alice' })
    await alice.profile.update({ name: 'Alice A.', tagline: 'Makes things' })
    clock.pass(1)
    await bob.profile.setUsername({ username: 'bob' })
    await alice.posts.create({ title: 'Hello', body: 'I am new here' })
    const { items, ...rest } = await anonymous.members.list({})
    assert.deepEqual(rest, { hasMore: false, total: 2 })
    const { id } = await alice.account()
    const mine = items.find((member) => member.id === id)
    const { createdAt } = await anonymous.profile.show({ username: 'alice' })
    assert.deepEqual(mine, {
      ...{ id, username: 'Alice', name: 'Alice A.', avatarUrl: null, role: 'member', tagline: 'Makes things' },
      ...{ createdAt, contributions: 1 },
    })
    const [first, second] = [
      await anonymous.members.list({ per_page: 1 }),
      await anonymous.members.list({ per_page: 1, page: 1 }),
    ]
    assert.deepEqual([first.hasMore, second.hasMore], [true, false])
    assert.deepEqual([...first.items, ...second.items], items)
    assert.deepEqual((await anonymous.members.list({ page: 2, per_page: 1 })).items, [])
  })

  it('are found by name and username, and never by address', async ({ alice, bob, anonymous }) => {
    await alice.profile.setUsername({ username: 'weaver' })
    await alice.profile.update({ name: 'Mira Lindqvist' })
    await bob.profile.setUsername({ username: 'other' })
    const names = async (q: string) => (await anonymous.members.list({ q })).items.map(({ username }) => username)
    assert.deepEqual(await names('weaver'), ['weaver'])
    assert.deepEqual(await names('lindqvist'), ['weaver'])
    assert.deepEqual(await names('example.com'), [])
    const { email } = await alice.account()
    assert.deepEqual(await names(email), [])
    await assert.rejects(anonymous.members.list({ q: 'x'.repeat(201) }), { status: 400 })
    assert.equal((await anonymous.members.list({ q: 'x'.repeat(200) })).total, 0)
  })

  it('leave out a blocked account everywhere, until it is unblocked', async ({ alice, bob, admin, anonymous }) => {
    await alice.profile.setUsername({ username: 'alice' })
    await bob.profile.setUsername({ username: 'bob' })
    const { id } = await alice.account()
    const seen = async () => {
      const [list, cards, { members }] = await Promise.all([
        anonymous.members.list({}),
        anonymous.members.cards({ ids: id }),
        anonymous.members.statistics(),
      ])
      const found = await anonymous.members.list({ q: 'alice' })
      return [list.total, list.items.length, cards.items.length, found.items.length, members]
    }
    assert.deepEqual(await seen(), [2, 2, 1, 1, 2])
    await admin.admin.block({ id, blocked: true })
    assert.deepEqual(await seen(), [1, 1, 0, 0, 1])
    await admin.admin.block({ id, blocked: false })
    assert.deepEqual(await seen(), [2, 2, 1, 1, 2])
  })

  it('come by their ids and usernames: each once, and what is no member is left out', async ({
    alice,
    bob,
    anonymous,
  }) => {
    await alice.profile.setUsername({ username: 'alice' })
    const [{ id }, { id: unnamed }] = [await alice.account(), await bob.account()]
    const { items } = await anonymous.members.cards({ ids: [id, unnamed, 'nobody', id].join() })
    assert.deepEqual(
      items.map(({ username }) => username),
      ['alice'],
    )
    const named = await anonymous.members.cards({ ids: id, usernames: 'ALICE,nobody' })
    assert.deepEqual(named.items, items)
    assert.deepEqual(await anonymous.members.cards({ ids: '', usernames: ',' }), { items: [] })
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `id-${at}`).join()
    assert.deepEqual(await anonymous.members.cards({ ids: ids(MAX_CARDS) }), { items: [] })
    await assert.rejects(anonymous.members.cards({ ids: ids(MAX_CARDS + 1) }), { status: 400 })
    await assert.rejects(anonymous.members.cards({ usernames: ids(MAX_CARDS + 1) }), { status: 400 })
    await assert.rejects(anonymous.members.cards({ ids: 'x'.repeat(201) }), { status: 400 })
  })
})

onEveryEngine('the numbers of the first page', (it) => {
  it('are those of the lists', async ({ alice, moderator, admin, anonymous }) => {
    await alice.profile.setUsername({ username: 'alice' })
    const bug = await alice.bugs.create({ title: 'Crash', description: 'It stops', severity: 'low' })
    await alice.bugs.create({ title: 'Another', description: 'It stops', severity: 'high' })
    const feature = await alice.features.create({ title: 'Pause', description: 'For the night' })
    await alice.posts.create({ title: 'Hello', body: 'I am new here' })
    const none = { orgs: 0, items: 0 }
    const before = { members: 1, bugs: 2, resolvedBugs: 0, features: 1, shippedFeatures: 0, posts: 1, ...none }
    assert.deepEqual(await anonymous.members.statistics(), before)
    await moderator.bugs.triage({ id: bug.id, status: 'resolved' })
    await admin.features.setStatus({ id: feature.id, status: 'shipped' })
    assert.deepEqual(await anonymous.members.statistics(), { ...before, resolvedBugs: 1, shippedFeatures: 1 })
  })
})

onEveryEngine('the badges of a member', (it) => {
  const crash = { title: 'Crash', description: 'It stops', severity: 'low' } as const
  const bodyOf = (n: number) => ({ body: `Answer ${n}` })

  it('come with what was resolved and shipped, and go with it', async ({ alice, moderator, admin, anonymous }) => {
    await alice.profile.setUsername({ username: 'alice' })
    const kinds = async () => (await anonymous.members.badges({ username: 'ALICE' })).items.map(({ kind }) => kind)
    assert.deepEqual(await kinds(), [])
    const [bug, feature] = [
      await alice.bugs.create(crash),
      await alice.features.create({ title: 'Pause', description: 'At night' }),
    ]
    await moderator.bugs.triage({ id: bug.id, status: 'resolved' })
    await admin.features.setStatus({ id: feature.id, status: 'shipped' })
    assert.deepEqual(await kinds(), ['first_fix', 'shipped'])
    await moderator.bugs.triage({ id: bug.id, status: 'open' })
    assert.deepEqual(await kinds(), ['shipped'])
  })

  it('need ten comments that others thanked for: no fewer, and not by oneself', async ({ alice, bob, anonymous }) => {
    await alice.profile.setUsername({ username: 'alice' })
    const { id } = await bob.bugs.create(crash)
    const kinds = async () => (await anonymous.members.badges({ username: 'alice' })).items.map(({ kind }) => kind)
    const said: string[] = []
    for (let n = 0; n < 10; n++) said.push((await alice.bugs.comment({ id, ...bodyOf(n) })).id)
    for (const one of said.slice(0, 9)) await bob.comments.react({ id: one, reaction: 'heart' })
    await alice.comments.react({ id: said[9]!, reaction: 'heart' })
    await bob.comments.react({ id: said[9]!, reaction: 'confused' })
    assert.deepEqual(await kinds(), [])
    await bob.comments.react({ id: said[9]!, reaction: 'thumbs_up' })
    assert.deepEqual(await kinds(), ['ten_thanked'])
  })

  it('are of nobody who is blocked or unknown', async ({ alice, admin, anonymous }) => {
    await alice.profile.setUsername({ username: 'alice' })
    await assert.rejects(anonymous.members.badges({ username: 'nobody' }), { status: 404 })
    await admin.admin.block({ id: (await alice.account()).id, blocked: true })
    await assert.rejects(anonymous.members.badges({ username: 'alice' }), { status: 404 })
  })
})
