// The search through the front door, on SQLite and on PostgreSQL: everything that everyone may see, at once, and nothing else.
import assert from 'node:assert/strict'
import { orgFile, workflowFile } from '../../../test/library.ts'
import { BASE_URL, onEveryEngine, type World } from '../../../test/world.ts'

type SearchPage = Awaited<ReturnType<World['anonymous']['search']['find']>>
const textOf = (parts: SearchPage['items'][number]['title']) => parts.map(({ text }) => text).join('')
const matchesOf = (parts: SearchPage['items'][number]['title']) =>
  parts.filter(({ match }) => match).map(({ text }) => text)

/** What an anonymous user finds: `type title`. */
async function found({ anonymous }: World, q: string): Promise<string[]> {
  const { items, total, counts } = await anonymous.search.find({ q })
  assert.equal(total, items.length)
  assert.equal(
    counts.reduce((sum, { count }) => sum + count, 0),
    total,
  )
  return items.map(({ type, title }) => `${type} ${textOf(title)}`).sort()
}

onEveryEngine('the search', (it) => {
  it('finds every kind of thing, with its address', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const { id: authorId } = await alice.account()
    await alice.profile.setUsername({ username: 'zinnia' })
    await alice.profile.update({ name: 'Quagga Zebra' })
    const bug = await alice.bugs.create({ title: 'A quagga stalls', description: 'It stands.', severity: 'low' })
    const feature = await alice.features.create({ title: 'Feed it', description: 'A *quagga* is hungry.' })
    const post = await alice.posts.create({ title: 'On the quagga', body: 'It is extinct.' })
    const comment = await bob.bugs.comment({ id: bug.id, body: 'My quaggas do that too.' })
    const onBlog = await bob.blog.comment({ slug: 'what-guildhall-is', body: 'No quagga here.' })
    const org = await alice.orgs.create({
      orgJson: JSON.stringify({ name: 'Quagga House', goal: 'Keep one.', roles: [{ id: 'solo' }] }),
    })
    const item = await alice.library.publish({
      kind: 'workflow',
      visibility: 'public',
      name: 'Quagga watch',
      tags: 'quagga',
      file: workflowFile(),
    })
    await alice.library.publish({ kind: 'org', visibility: 'public', name: 'Quagga two', file: orgFile() })
    await moderator.labels.create({ name: 'Quagga', color: '#aabbcc' })
    const { items, total, counts } = await anonymous.search.find({ q: 'quagga' })
    const byType = (type: string) => items.filter((one) => one.type === type)
    assert.equal(total, 11)
    assert.deepEqual(Object.fromEntries(counts.map(({ type, count, more }) => [type, more ? `${count}+` : count])), {
      comment: 2,
      person: 1,
      label: 1,
      tag: 1,
      post: 1,
      bug: 1,
      feature: 1,
      org: 2,
      workflow: 1,
    })
    assert.deepEqual(byType('bug')[0], {
      type: 'bug',
      id: bug.id,
      title: [
        { text: 'A ', match: false },
        { text: 'quagga', match: true },
        { text: ' stalls', match: false },
      ],
      text: [{ text: 'It stands.', match: false }],
      url: `/community/bugs/${bug.id}`,
      href: `${BASE_URL}/community/bugs/${bug.id}`,
      authorUsername: 'zinnia',
      createdAt: bug.createdAt,
      updatedAt: bug.createdAt,
      score: 0,
      via: null,
    })
    assert.equal(textOf(byType('feature')[0]!.text), 'A quagga is hungry.')
    assert.deepEqual(matchesOf(byType('comment').find(({ id }) => id === comment.id)!.text), ['quaggas'])
    const urls = Object.fromEntries(items.map(({ id, url }) => [id, url]))
    assert.deepEqual(urls, {
      [bug.id]: `/community/bugs/${bug.id}`,
      [feature.id]: `/community/features/${feature.id}`,
      [post.id]: `/community/posts/${post.id}`,
      [comment.id]: `/community/comments/${comment.id}`,
      [onBlog.id]: `/community/comments/${onBlog.id}`,
      [org.id]: '/community/orgs/quagga-house',
      [item.id]: `/library/workflows/${item.slug}`,
      [byType('org').find(({ id }) => id !== org.id)!.id]: '/library/orgs/quagga-two',
      [authorId]: '/community/u/zinnia',
      [byType('label')[0]!.id]: '/community/bugs?label=Quagga',
      'tag/quagga': '/library?tag=quagga',
    })
    const titles = byType('comment').map(({ title }) => textOf(title))
    assert.deepEqual(titles.sort(), ['A quagga stalls', 'What Guildhall is'])
    assert.deepEqual(await found(world, 'zinnia'), ['person Quagga Zebra'])
    await alice.profile.setUsername({ username: 'tulip' })
    assert.deepEqual(await found(world, 'zinnia'), [])
    assert.deepEqual(await found(world, 'tulip'), ['person Quagga Zebra'])
  })

  it('knows at once what is changed, removed and made private', async (world) => {
    const { alice, bob, moderator } = world
    const bug = await alice.bugs.create({ title: 'Numbat', description: 'D', severity: 'low' })
    const comment = await bob.bugs.comment({ id: bug.id, body: 'Another numbat' })
    const post = await alice.posts.create({ title: 'Numbat post', body: 'B' })
    const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    assert.deepEqual(await found(world, 'numbat'), ['bug Numbat', 'comment Numbat', 'post Numbat post'])
    await bob.bugs.deleteComment({ id: bug.id, commentId: comment.id })
    assert.deepEqual(await found(world, 'numbat'), ['bug Numbat', 'post Numbat post'])
    await bob.bugs.comment({ id: bug.id, body: 'A third numbat' })
    await moderator.bugs.delete({ id: bug.id })
    assert.deepEqual(await found(world, 'numbat'), ['post Numbat post'])
    await alice.posts.delete({ id: post.id })
    await alice.orgs.update({ id: org.id, body: 'We keep a numbat.' })
    assert.deepEqual(await found(world, 'numbat'), ['org Desk'])
    await alice.orgs.update({ id: org.id, name: 'Numbats', body: null })
    assert.deepEqual(await found(world, 'numbat'), ['org Numbats'])
    await bob.orgs.comment({ id: org.id, body: 'numbat?' })
    await alice.orgs.delete({ id: org.id })
    assert.deepEqual(await found(world, 'numbat'), [])
  })

  it('shows nothing of private items, not even comments and tags', async (world) => {
    const { alice, bob } = world
    const item = await alice.library.publish({ kind: 'workflow', name: 'Bilby', tags: 'bilby', file: workflowFile() })
    assert.deepEqual(await found(world, 'bilby'), [])
    const { items } = await alice.search.find({ q: 'bilby' })
    assert.deepEqual(items, [])
    await alice.library.update({ id: item.id, visibility: 'public' })
    await bob.library.comment({ id: item.id, body: 'What a bilby' })
    assert.deepEqual(await found(world, 'bilby'), ['comment Bilby', 'tag bilby', 'workflow Bilby'])
    await alice.library.update({ id: item.id, visibility: 'private' })
    assert.deepEqual(await found(world, 'bilby'), [])
    await alice.library.update({ id: item.id, visibility: 'public', tags: ['other'], description: 'Of the night' })
    assert.deepEqual(await found(world, 'bilby'), ['comment Bilby', 'workflow Bilby'])
    await alice.library.publish({
      kind: 'workflow',
      name: 'B',
      tags: 'other',
      visibility: 'public',
      file: workflowFile(),
    })
    await alice.library.delete({ id: item.id })
    assert.deepEqual(await found(world, 'bilby'), [])
    assert.deepEqual(await found(world, 'other'), ['tag other', 'workflow B'])
  })

  it('shows nothing of a blocked account, from the block to its end', async (world) => {
    const { alice, bob, admin } = world
    const { id } = await alice.account()
    await alice.profile.setUsername({ username: 'dhole' })
    const bug = await alice.bugs.create({ title: 'Dhole bug', description: 'D', severity: 'low' })
    await bob.bugs.comment({ id: bug.id, body: 'About the dhole' })
    const mine = await bob.bugs.create({ title: 'Mine', description: 'D', severity: 'low' })
    await alice.bugs.comment({ id: mine.id, body: 'dhole dhole' })
    const all = ['bug Dhole bug', 'comment Dhole bug', 'comment Mine', 'person alice']
    const name = (await alice.profile.me()).name ?? 'dhole'
    const expected = all.map((one) => (one.startsWith('person') ? `person ${name}` : one)).sort()
    assert.deepEqual(await found(world, 'dhole'), expected)
    await admin.admin.block({ id, blocked: true })
    assert.deepEqual(await found(world, 'dhole'), [])
    await admin.admin.block({ id, blocked: false })
    assert.deepEqual(await found(world, 'dhole'), expected)
  })

  it('finds workflows by what their steps are called', async (world) => {
    const node = (id: string, name: string) => ({ id, type: 'action.http', name, position: { x: 0, y: 0 }, config: {} })
    const file = workflowFile({ nodes: [node('a', 'Fetch the thylacine'), node('b', 'Tell me')], connections: [] })
    const item = await world.alice.library.publish({ kind: 'workflow', name: 'Zoo', file, visibility: 'public' })
    assert.deepEqual(await found(world, 'thylacine'), ['workflow Zoo'])
    const contents = await world.anonymous.library.contents({ id: item.id })
    assert.deepEqual(Object.keys(contents).includes('stepNames'), false)
  })

  it('reads README, steps and file names of the newest version alone', async (world) => {
    const { alice, anonymous } = world
    const file = (name: string) => workflowFile({ description: `Uses the ${name}.` })
    const item = await alice.library.publish({
      kind: 'workflow',
      visibility: 'public',
      name: 'W',
      file: file('kowari'),
    })
    assert.deepEqual(await found(world, 'kowari'), ['workflow W'])
    await alice.library.publishVersion({ id: item.id, file: file('quoll') })
    const { items } = await anonymous.search.find({ q: 'quoll' })
    assert.deepEqual(
      items.map(({ id }) => id),
      [item.id],
    )
    const details = await anonymous.library.contents({ id: item.id })
    assert.deepEqual(await found(world, details.files[0]!.path), ['workflow W'])
  })

  it('filters by types, and counts them all', async ({ alice, bob, anonymous }) => {
    const { id } = await alice.bugs.create({ title: 'Fossa', description: 'D', severity: 'low' })
    await alice.posts.create({ title: 'Fossa', body: 'B' })
    for (let n = 0; n < 3; n++) await bob.bugs.comment({ id, body: `A fossa, ${n}` })
    const of = async (type: string | undefined, more = {}) => {
      const { items, counts, ...page } = await anonymous.search.find({ q: 'fossa', ...(type && { type }), ...more })
      assert.deepEqual(
        counts.map(({ type, count }) => `${count} ${type}`),
        ['3 comment', '1 post', '1 bug'],
      )
      return { types: items.map(({ type }) => type).sort(), ...page }
    }
    const rest = { corrected: [] }
    assert.deepEqual(await of('bug,post'), { types: ['bug', 'post'], hasMore: false, total: 2, ...rest })
    assert.deepEqual(await of('person'), { types: [], hasMore: false, total: 0, ...rest })
    assert.deepEqual(await of('comment', { per_page: 2 }), {
      types: ['comment', 'comment'],
      hasMore: true,
      total: 3,
      ...rest,
    })
    assert.deepEqual(await of('comment', { per_page: 2, page: 1 }), {
      types: ['comment'],
      hasMore: false,
      total: 3,
      ...rest,
    })
    assert.deepEqual(await of('comment', { page: 1_000_000_000 }), { types: [], hasMore: false, total: 3, ...rest })
    await assert.rejects(anonymous.search.find({ q: 'fossa', type: 'nothing' }), { status: 400 })
    await assert.rejects(anonymous.search.find({ q: 'fossa', per_page: 101 }), { status: 400 })
    assert.equal((await anonymous.search.find({ q: 'fossa', per_page: 100 })).items.length, 5)
  })

  it('says what it corrected, and puts what has more votes first of equals', async ({ alice, bob, anonymous }) => {
    const made = await Promise.all(
      [0, 1, 2].map((n) => alice.posts.create({ title: 'About the kinkajou', body: `Number ${n}` })),
    )
    await bob.posts.vote({ id: made[1]!.id, value: 1 })
    const { items, corrected } = await anonymous.search.find({ q: 'kinkjaou' })
    assert.deepEqual(corrected, [{ word: 'kinkjaou', to: 'kinkajou' }])
    assert.equal(items[0]?.id, made[1]!.id)
    assert.equal(items[0]?.score, 1)
    assert.equal(items.length, 3)
    assert.deepEqual((await anonymous.search.find({ q: 'kinkajou' })).corrected, [])
  })

  it('tells no word of what is gone or blocked', async ({ alice, bob, admin, anonymous }) => {
    const correct = async (q: string) => (await anonymous.search.find({ q })).corrected.map(({ to }) => to)
    const { id } = await alice.posts.create({ title: 'About the kinkajou', body: 'B' })
    await alice.profile.setUsername({ username: 'tamandua' })
    await bob.posts.create({ title: 'The binturong', body: 'B' })
    assert.deepEqual(await correct('kinkjaou tamadnua bintruong'), ['kinkajou', 'tamandua', 'binturong'])
    await alice.posts.delete({ id })
    await alice.profile.setUsername({ username: 'other' })
    assert.deepEqual(await correct('kinkjaou tamadnua bintruong'), ['binturong'])
    await admin.admin.block({ id: (await bob.account()).id, blocked: true })
    assert.deepEqual(await correct('bintruong'), [])
  })

  it('shows no comment on a blog post that is gone', async ({ bob, db, anonymous }) => {
    const { id } = await bob.blog.comment({ slug: 'what-guildhall-is', body: 'No quagga here.' })
    await db.updateTable('searchDocument').set({ parentId: 'gone' }).where('id', '=', id).execute()
    assert.deepEqual((await anonymous.search.find({ q: 'quagga' })).items, [])
  })

  it('keeps up when many write at once', async (world) => {
    const { alice, bob } = world
    await Promise.all([alice.account(), bob.account()])
    const many = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? alice : bob).posts.create({ title: `Olingo ${n}`, body: 'B' })),
    )
    await Promise.all(many.slice(10).map(({ id, authorId: _ }, n) => ((n + 10) % 2 ? alice : bob).posts.delete({ id })))
    assert.equal((await found(world, 'olingo')).length, 10)
  })
})
