// What lists take in a query: values that they do not have, and several of one name.
import assert from 'node:assert/strict'
import { onEveryEngine } from '../../test/world.ts'

onEveryEngine('the parameters of lists', (it) => {
  it('are refused by name where they have values and this is none; the feed takes any', async ({
    alice,
    anonymous,
  }) => {
    const { id } = await alice.posts.create({ title: 'Hello', body: 'I am new here' })
    const { id: bug } = await alice.bugs.create({ title: 'Crash', description: 'It stops', severity: 'low' })
    const posts = `/api/community/posts/${id}/comments`
    for (const path of [
      '/api/community/bugs',
      '/api/community/features',
      '/api/community/orgs',
      posts,
      '/api/search',
    ]) {
      for (const value of ['worst', '', 'latest,popular']) {
        const response = await anonymous.request(`${path}?sort=${value}`)
        const { error } = (await response.json()) as { error: string }
        assert.deepEqual([response.status, error.startsWith('sort')], [400, true], `${path} ${value}: ${error}`)
      }
    }
    const feed = await anonymous.request('/api/community/feed?sort=worst&type=worm')
    const { items } = (await feed.json()) as { items: { id: string }[] }
    assert.deepEqual(
      items.map((item) => item.id),
      [bug, id],
    )
  })

  it('have all their values where there may be several, and else the first', async ({ alice, bob, anonymous }) => {
    const crash = { title: 'Wombat', description: 'A wombat stops', severity: 'low' } as const
    const bug = await alice.bugs.create(crash)
    const post = await bob.posts.create({ title: 'Wombat', body: 'A wombat' })
    const feature = await bob.features.create({ title: 'Wombat', description: 'A wombat' })
    const found = async (query: string) => {
      const response = await anonymous.request(`/api/search?q=wombat&${query}`)
      assert.equal(response.status, 200, query)
      const { items } = (await response.json()) as { items: { type: string }[] }
      return items.map(({ type }) => type).sort()
    }
    for (const query of ['type=bug,post', 'type=bug&type=post', 'type=bug,post&type=bug', 'type=&type=bug&type=post'])
      assert.deepEqual(await found(query), ['bug', 'post'], query)
    assert.deepEqual(await found('type=bug&type='), ['bug'])
    assert.deepEqual(await found('type='), ['bug', 'feature', 'post'])
    assert.equal((await anonymous.search.find({ q: 'wombat', type: ['bug', 'post'] })).total, 2)
    const refused = await anonymous.request('/api/search?q=wombat&type=bug&type=worm')
    const { error } = (await refused.json()) as { error: string }
    assert.deepEqual([refused.status, /^type\b/.test(error)], [400, true], error)

    const both = `numbers=${bug.number}&numbers=${post.number}`
    const references = await anonymous.request(`/api/community/references?${both}`)
    const { numbers } = (await references.json()) as { numbers: { id: string }[] }
    assert.deepEqual(numbers.map(({ id }) => id).sort(), [bug.id, post.id].sort())
    const ids = [alice, bob].map(async (who) => `ids=${(await who.account()).id}`)
    for (const who of [alice, bob]) await who.profile.setUsername({ username: who === alice ? 'mira' : 'ben' })
    const cards = await anonymous.request(`/api/community/members/cards?${(await Promise.all(ids)).join('&')}`)
    assert.equal(((await cards.json()) as { items: object[] }).items.length, 2)

    const first = await anonymous.request('/api/community/bugs?status=open&status=resolved&sort=latest&sort=worst')
    assert.equal(((await first.json()) as { total: number }).total, 1)
    assert.equal((await anonymous.features.list({ status: 'open' })).items[0]?.id, feature.id)
  })
})
