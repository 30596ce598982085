// Lists: pages, filters and totals.
import assert from 'node:assert/strict'
import { onEveryEngine, type Person } from '../../test/world.ts'

onEveryEngine('a list', (it) => {
  it('of one author, status or label has just these, on every page and in either order', async (world) => {
    const { alice, bob, moderator, admin, anonymous, clock } = world
    const label = await admin.labels.create({ name: 'ui', color: '#336699' })
    const people = [alice, bob, moderator]
    const made: { id: string; score: number; authorId: string; status: string; labelled: boolean }[] = []
    for (let n = 0; n < 24; n++) {
      const person = people[n % 3] as Person
      const { id, authorId } = await person.bugs.create({ title: `Bug ${n}`, description: 'It stops', severity: 'low' })
      const status = n % 4 === 0 ? 'resolved' : 'open'
      if (status !== 'open') await moderator.bugs.triage({ id, status })
      const labelled = n % 2 === 0
      if (labelled) await moderator.bugs.attachLabel({ id, labelId: label.id })
      const score = n % 5 === 0 ? 1 : 0
      if (score) await alice.bugs.vote({ id, value: 1 })
      made.unshift({ id, score, authorId, status, labelled })
      clock.pass(1)
    }
    const { id: authorId } = await bob.account()
    const filters = [
      [{}, () => true],
      [{ authorId }, (bug) => bug.authorId === authorId],
      [{ status: 'open' }, (bug) => bug.status === 'open'],
      [{ severity: 'low' }, () => true],
      [{ severity: 'low', status: 'resolved' }, (bug) => bug.status === 'resolved'],
      [{ authorId, status: 'open' }, (bug) => bug.authorId === authorId && bug.status === 'open'],
      [{ label: 'ui' }, (bug) => bug.labelled],
      [{ label: 'ui', authorId }, (bug) => bug.labelled && bug.authorId === authorId],
      [{ label: 'ui', status: 'open' }, (bug) => bug.labelled && bug.status === 'open'],
    ] as [object, (bug: (typeof made)[number]) => boolean][]
    for (const [filter, fits] of filters) {
      for (const sort of ['latest', 'popular'] as const) {
        const expected = made.filter(fits)
        if (sort === 'popular') expected.sort((a, b) => b.score - a.score)
        const found: string[] = []
        for (let page = 0; ; page++) {
          const { items, hasMore, total } = await anonymous.bugs.list({ ...filter, sort, page, per_page: 3 })
          assert.equal(total, expected.length)
          found.push(...items.map(({ id }) => id))
          if (!hasMore) break
        }
        const ids = expected.map(({ id }) => id)
        assert.deepEqual(found, ids, JSON.stringify({ ...filter, sort }))
      }
    }
  })

  it('of a search is whole where the other filters leave few things, however many others match', async (world) => {
    const { alice, bob, moderator } = world
    const report = { title: 'Wobble', description: 'Text', severity: 'low' } as const
    const hers = await alice.bugs.create({ ...report, severity: 'critical' })
    const label = await moderator.labels.create({ name: 'ui', color: '#336699' })
    await moderator.bugs.attachLabel({ id: hers.id, labelId: label.id })
    for (let n = 0; n < 301; n++) await bob.bugs.create(report)
    for (const filter of [{ authorId: hers.authorId }, { severity: 'critical' as const }, { label: label.id }]) {
      for (const q of ['wobble', 'WO']) {
        for (const sort of ['latest', 'popular'] as const) {
          const { items, total, hasMore } = await alice.bugs.list({ q, sort, ...filter })
          assert.deepEqual([items.map(({ id }) => id), total, hasMore], [[hers.id], 1, false])
        }
      }
      assert.equal((await alice.bugs.list({ q: 'wobbly', ...filter })).total, 0)
      assert.equal((await alice.bugs.list({ q: '%', ...filter })).total, 0)
    }
    assert.equal((await alice.bugs.list({ q: 'wobble' })).total, 300)
    const post = await alice.posts.create({ title: 'Wobble', body: 'Words' })
    for (let n = 0; n < 301; n++) await bob.posts.create({ title: 'Wobble', body: 'Words' })
    assert.equal((await bob.posts.list({ q: 'wobble', authorId: post.authorId })).total, 1)
  })

  it('of a search has the things with all words, in any order and form', async ({ alice, anonymous }) => {
    const title = 'Approval mail goes out again after every restart'
    const { id } = await alice.bugs.create({ title, description: 'UI of A and B', severity: 'low' })
    await alice.bugs.create({ title: 'Approval mail is late', description: 'Text', severity: 'low' })
    await alice.posts.create({ title, body: 'Text' })
    for (const filter of [{}, { severity: 'low' as const }]) {
      const found = async (q: string) => (await anonymous.bugs.list({ q, ...filter })).items.map((one) => one.id)
      for (const q of [
        'approval mail restart',
        'restarts  MAILS',
        'restart ui',
        'mail goes',
        'ui of a',
        'of',
        'rest appr',
      ]) {
        assert.deepEqual(await found(q), [id], q)
      }
      for (const q of ['approval mail reboot', 'restart "mail', 'restart zz', 'zz', 'restart AND mail']) {
        assert.deepEqual(await found(q), q.includes('AND') ? [id] : [], q)
      }
      assert.equal((await found('mail approval')).length, 2)
      assert.deepEqual(await found(Array(30).fill('mail').join(' ')), await found('mail'))
    }
  })

  it('never goes on with what belongs to others, even where it has been counted wrongly', async (world) => {
    const { alice, bob, moderator, anonymous, db } = world
    for (const person of [alice, bob, moderator]) await person.posts.create({ title: 'Mine', body: 'All of it' })
    for (const { account } of [alice, bob, moderator]) {
      const { id } = await account()
      await db.updateTable('counter').set({ count: 3 }).where('key', '=', `post/by/${id}/`).execute()
      for (const sort of ['latest', 'popular'] as const) {
        for (const page of [0, 1]) {
          const { items } = await anonymous.posts.list({ authorId: id, sort, page, per_page: 2 })
          assert.ok(items.every(({ authorId }) => authorId === id))
        }
      }
    }
  })
})
