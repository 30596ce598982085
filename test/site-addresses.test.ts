// The addresses of bugs, feature requests and posts: their number and the words of their title; those by id lead there for good.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { onEveryEngine, type Person } from './world.ts'

/** Status and target of a redirect that is not followed. */
async function leads(person: Person, path: string) {
  const { status, headers } = await person.request(path, { redirect: 'manual' })
  return [status, headers.get('location')]
}

onEveryEngine('the addresses of things', (it) => {
  it('have the number and the title; ids and other words lead there', async ({ alice, anonymous }) => {
    const bug = await alice.bugs.create({ title: 'Duplicate invoices', description: 'D', severity: 'low' })
    const feature = await alice.features.create({ title: 'Größere Schrift!', description: 'D' })
    const post = await alice.posts.create({ title: '日本語', body: 'B' })
    const all = [
      [`/community/bugs/${bug.id}`, `/community/bugs/${bug.number}-duplicate-invoices`],
      [`/community/features/${feature.id}`, `/community/features/${feature.number}-gro-ere-schrift`],
      [`/community/posts/${post.id}`, `/community/posts/${post.number}`],
    ] as const
    for (const person of [anonymous, alice]) {
      for (const [byId, here] of all) {
        assert.deepEqual(await leads(person, byId), [301, here])
        assert.deepEqual(await leads(person, `${byId}?sort=newest&page=1`), [301, `${here}?sort=newest&page=1`])
        assert.deepEqual(await leads(person, `${here}-x?page=2`), [301, `${here}?page=2`])
        const response = await person.request(here, { redirect: 'manual' })
        assert.equal(response.status, 200)
        assert.match(await response.text(), new RegExp(`<link rel="canonical" href="[^"]*${here}"`))
      }
    }
    const [, [, there]] = all
    assert.deepEqual(await leads(anonymous, `/community/bugs/${bug.number}`), [301, all[0][1]])
    assert.deepEqual(await leads(anonymous, `/community/${feature.number}`), [302, there])
    const { headers } = await anonymous.request(`/community/bugs/${bug.id}`, { redirect: 'manual' })
    assert.equal(headers.get('cache-control'), 'no-cache')
    assert.equal((await alice.bugs.get({ id: bug.id })).url, all[0][0], 'the API names ids')
    for (const below of ['/history', '.atom'])
      assert.deepEqual(await leads(anonymous, all[0][1] + below), [200, null], below)
    assert.equal((await alice.request(`${all[0][1]}/edit`)).status, 200)
  })

  it('follow a title that changes', async ({ alice, anonymous }) => {
    const { id, number } = await alice.posts.create({ title: 'Before', body: 'B' })
    await alice.posts.edit({ id, title: 'After' })
    assert.deepEqual(await leads(anonymous, `/community/posts/${number}-before`), [
      301,
      `/community/posts/${number}-after`,
    ])
    await alice.posts.edit({ id, title: 'Before' })
    assert.deepEqual(await leads(anonymous, `/community/posts/${number}-after`), [
      301,
      `/community/posts/${number}-before`,
    ])
  })

  it('say nothing of what a reader may not see', async (world) => {
    const { alice, bob, moderator, admin, anonymous } = world
    const bug = await alice.bugs.create({ title: 'A secret', description: 'D', severity: 'low' })
    const byNumber = `/community/bugs/${bug.number}-a-secret`
    const byId = `/community/bugs/${bug.id}`
    // Of another kind, and of no kind.
    for (const path of [`/community/posts/${bug.number}-a-secret`, '/community/bugs/999999', '/community/bugs/0-x'])
      assert.deepEqual(await leads(anonymous, path), [404, null], path)
    await bob.reports.create({ targetType: 'bug', targetId: bug.id, reason: 'spam' })
    const [waiting] = (await moderator.moderation.cases({})).items
    const { id: act } = await moderator.moderation.decide({
      id: waiting!.id,
      action: 'hide',
      rule: 'spam',
      reason: 'No',
    })
    for (const person of [bob, anonymous])
      for (const path of [byNumber, byId, `${byId}?page=1`, `/community/bugs/${bug.number}`])
        assert.deepEqual(await leads(person, path), [404, null], path)
    for (const person of [alice, moderator]) assert.deepEqual(await leads(person, byId), [200, null])
    await moderator.moderation.undo({ id: act, reason: 'Fine' })
    await admin.boards.create({ slug: 'inside', name: 'Inside', readers: 'roles: moderator' })
    await admin.boards.move({ board: 'inside', type: 'bug', id: bug.id, confirm: true, reason: 'Inside' })
    for (const person of [bob, anonymous])
      for (const path of [byNumber, byId, `/community/bugs/${bug.number}`])
        assert.deepEqual(await leads(person, path), [404, null], path)
    assert.deepEqual(await leads(moderator, byId), [301, byNumber])
    assert.deepEqual(await leads(moderator, byNumber), [200, null])
  })

  it('lead from what was merged to what it went into', async ({ alice, moderator, anonymous }) => {
    const [one, two] = [
      await alice.posts.create({ title: 'One', body: 'B' }),
      await alice.posts.create({ title: 'Two', body: 'B' }),
    ]
    await moderator.posts.merge({ id: one.id, into: two.id })
    const there = `/community/posts/${two.number}-two`
    for (const path of [`/community/posts/${one.id}`, `/community/posts/${one.number}-one`])
      assert.deepEqual(await leads(anonymous, path), [301, there])
  })

  it('take forms by number and by id, and show what was refused', async ({ alice, bob }) => {
    const { id, number } = await alice.posts.create({ title: 'One', body: 'B' })
    for (const path of [`/community/posts/${id}`, `/community/posts/${number}-one`, `/community/posts/${number}-old`]) {
      const sent = await submit(bob, `${path}?/comment`, { body: 'Hello' })
      assert.equal(sent.status, 303)
      assert.match(String(sent.headers.get('location')), /#comment-/)
      const refused = await submit(bob, `${path}?/comment`, { body: 'x'.repeat(1001) })
      assert.equal(refused.status, 400)
      assert.match(await refused.text(), /x{1001}/)
    }
    assert.equal((await alice.posts.comments({ id })).total, 3)
  })
})
