// Following and notifications through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it as plainIt } from 'node:test'
import { BASE_URL, onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { mentionsIn } from './rules.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const
const WORKFLOW = readFileSync('test/fixtures/workflow-morning-digest.json', 'utf8')

/** What an inbox says, oldest first. */
async function told({ app }: World, person: Person) {
  await app.deliver()
  const { items } = await person.notifications.list({ after: '0', per_page: 100 })
  return items.map(({ type, excerpt, read }) => `${type}: ${excerpt}${read ? ' (read)' : ''}`)
}

const unread = async (person: Person) => (await person.notifications.count()).unread

async function named(person: Person, username: string): Promise<string> {
  await person.profile.setUsername({ username })
  return (await person.account()).id
}

const workflow = (version: string) =>
  new File([WORKFLOW.replace(/"version": *"[^"]*"/, `"version": "${version}"`)], 'w.json')

onEveryEngine('notifications', (it) => {
  it('tell the author and those who commented of comments, once, and nobody of their own', async (world) => {
    const { alice, bob, moderator, clock } = world
    const bug = await alice.bugs.create(crash)
    await bob.bugs.comment({ id: bug.id, body: 'Here too' })
    clock.pass(1)
    await moderator.bugs.comment({ id: bug.id, body: 'Looking' })
    await alice.bugs.comment({ id: bug.id, body: 'Thanks' })
    assert.deepEqual(await told(world, alice), ['comment: Here too', 'comment: Looking'])
    assert.deepEqual(await told(world, bob), ['comment: Looking', 'comment: Thanks'])
    assert.deepEqual(await told(world, moderator), ['comment: Thanks'])
    assert.deepEqual([await unread(alice), await unread(bob), await unread(moderator)], [2, 2, 1])
  })

  it('have their thing, their place, and who did it', async (world) => {
    const { alice, bob } = world
    const actor = { id: await named(bob, 'bob'), username: 'bob' }
    const bug = await alice.bugs.create(crash)
    const { id: commentId } = await bob.bugs.comment({ id: bug.id, body: 'Here too' })
    await told(world, alice)
    const { items, unread: count } = await alice.notifications.list()
    const { createdAt, ...rest } = items[0]!
    assert.deepEqual(rest, {
      id: '1',
      type: 'comment',
      target: { type: 'bug', id: bug.id, number: bug.number, title: 'Crash' },
      url: `/community/comments/${commentId}`,
      href: `${BASE_URL}/community/comments/${commentId}`,
      actor,
      excerpt: 'Here too',
      status: null,
      version: null,
      merged: null,
      unmergedFrom: null,
      release: null,
      read: false,
    })
    assert.deepEqual([items.length, count], [1, 1])
  })

  it('come of what is followed, and not of what is muted or no longer followed', async (world) => {
    const { alice, bob, moderator, admin } = world
    const post = await alice.posts.create({ title: 'Hello', body: 'I am new' })
    const { id } = post
    assert.equal((await alice.follows.get({ id })).state, 'following')
    assert.equal((await bob.follows.get({ id })).state, 'none')
    await bob.follows.set({ id, state: 'following' })
    await admin.follows.set({ id, state: 'following' })
    await admin.follows.set({ id, state: 'none' })
    await alice.follows.set({ id, state: 'muted' })
    await named(alice, 'alice')
    await moderator.posts.comment({ id, body: 'Welcome, @alice' })
    assert.deepEqual(await told(world, alice), [], 'what is muted tells of no mention either')
    assert.deepEqual(await told(world, bob), ['comment: Welcome, @alice'])
    assert.deepEqual(await told(world, admin), [])
    await alice.posts.comment({ id, body: 'Hi' })
    assert.equal((await alice.follows.get({ id })).state, 'muted', 'a comment does not follow what is muted')
  })

  it('follow what one votes for, once that is chosen, and nothing that is not chosen', async (world) => {
    const { alice, bob } = world
    const [one, two] = [await alice.bugs.create(crash), await alice.bugs.create(crash)]
    await bob.bugs.vote({ id: one.id, value: 1 })
    assert.equal((await bob.follows.get({ id: one.id })).state, 'none')
    await bob.notifications.updateSettings({ followVoted: true, followAnswered: false, followWritten: false })
    await bob.bugs.vote({ id: two.id, value: 1 })
    await bob.bugs.comment({ id: one.id, body: 'Me too' })
    const mine = await bob.bugs.create(crash)
    assert.deepEqual(await Promise.all([one, two, mine].map(async ({ id }) => (await bob.follows.get({ id })).state)), [
      'none',
      'following',
      'none',
    ])
  })

  it('tell of replies and mentions before comments, and each event once', async (world) => {
    const { alice, bob, moderator } = world
    await named(alice, 'Alice')
    await named(bob, 'bob')
    const bug = await alice.bugs.create(crash)
    const { id: parentId } = await bob.bugs.comment({ id: bug.id, body: 'First' })
    await moderator.bugs.comment({ id: bug.id, body: 'For @ALICE and @alice', parentId })
    await moderator.bugs.comment({ id: bug.id, body: 'For @bob', parentId })
    assert.deepEqual(await told(world, alice), [
      'comment: First',
      'mention: For @ALICE and @alice',
      'comment: For @bob',
    ])
    assert.deepEqual(await told(world, bob), ['reply: For @ALICE and @alice', 'mention: For @bob'])
  })

  it('tell of mentions in new things, of at most ten, and of none in code', async (world) => {
    const { alice, bob } = world
    await named(bob, 'bob')
    const names = (count: number) => Array.from({ length: count }, (_, n) => `@other-${n}`).join(' ')
    await alice.posts.create({ title: 'One', body: `${names(9)} @bob` })
    await alice.posts.create({ title: 'Two', body: `${names(10)} @bob` })
    await alice.posts.create({ title: 'Three', body: 'Run `@bob` or\n```\n@bob\n```\nor x@bob.example' })
    await bob.posts.create({ title: 'Mine', body: 'I am @bob' })
    assert.deepEqual(await told(world, bob), [`mention: ${names(9)} @bob`])
  })

  it('tell of a changed status with its reason, and not of what stays', async (world) => {
    const { alice, moderator, admin } = world
    const bug = await alice.bugs.create(crash)
    const wish = await alice.features.create({ title: 'Dark', description: 'mode' })
    await moderator.bugs.triage({ id: bug.id, status: 'open', severity: 'low' })
    await moderator.bugs.triage({ id: bug.id, status: 'wontfix', reason: 'By design' })
    await admin.features.setStatus({ id: wish.id, status: 'planned' })
    await told(world, alice)
    const { items } = await alice.notifications.list({ after: '0' })
    assert.deepEqual(
      items.map(({ type, status, excerpt, url }) => ({ type, status, excerpt, url })),
      [
        {
          type: 'status',
          status: { from: 'open', to: 'wontfix' },
          excerpt: 'By design',
          url: `/community/bugs/${bug.id}`,
        },
        { type: 'status', status: { from: 'open', to: 'planned' }, excerpt: '', url: `/community/features/${wish.id}` },
      ],
    )
  })

  it('tell of new versions those who follow or downloaded an item that everybody sees', async (world) => {
    const { alice, bob, moderator, admin } = world
    const item = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflow('1.0.0') })
    await bob.follows.set({ id: item.id, state: 'following' })
    const path = `/api/library/items/${item.id}/artifact`
    for (const person of [moderator, moderator, alice]) assert.equal((await person.request(path)).status, 200)
    await admin.account()
    await alice.library.publishVersion({ id: item.id, version: '1.1.0', file: workflow('1.1.0') })
    await admin.library.comment({ id: item.id, body: 'Good' })
    await told(world, bob)
    const versions = async (person: Person) =>
      (await person.notifications.list({ after: '0' })).items.map(({ type, version }) => `${type} ${version}`)
    assert.deepEqual(await versions(bob), ['version 1.1.0', 'comment null'])
    assert.deepEqual(await versions(moderator), ['version 1.1.0'], 'a download tells of versions alone')
    assert.deepEqual(await versions(alice), ['comment null'])
    await alice.library.update({ id: item.id, visibility: 'private' })
    await alice.library.publishVersion({ id: item.id, version: '1.2.0', file: workflow('1.2.0') })
    assert.deepEqual([await told(world, bob), await unread(bob)], [[], 0], 'what is hidden disappears')
    await assert.rejects(bob.follows.get({ id: item.id }), { status: 404 })
  })

  it('disappear with their comment, their thing, and a blocked account, with their share of the count', async (world) => {
    const { alice, bob, moderator, db } = world
    const bug = await alice.bugs.create(crash)
    const other = await alice.bugs.create(crash)
    const comment = await bob.bugs.comment({ id: bug.id, body: 'One' })
    await bob.bugs.comment({ id: bug.id, body: 'Two' })
    await moderator.bugs.comment({ id: bug.id, body: 'Three' })
    await bob.bugs.comment({ id: other.id, body: 'Four' })
    assert.equal((await told(world, alice)).length, 4)
    await bob.bugs.deleteComment({ id: bug.id, commentId: comment.id })
    assert.deepEqual([(await told(world, alice)).length, await unread(alice)], [3, 3])
    await moderator.admin.block({ id: (await bob.account()).id, blocked: true })
    assert.deepEqual([await told(world, alice), await unread(alice)], [['comment: Three'], 1])
    await moderator.bugs.delete({ id: bug.id })
    // The notice of what the moderator did.
    assert.deepEqual([await told(world, alice), await unread(alice)], [['notice: '], 1])
    const left = await db.selectFrom('follow').selectAll().where('targetId', '=', bug.id).execute()
    assert.deepEqual(left, [])
  })

  it('are not delivered of an account that was blocked before', async (world) => {
    const { alice, bob, moderator } = world
    const bug = await alice.bugs.create(crash)
    await bob.bugs.comment({ id: bug.id, body: 'Spam' })
    await moderator.admin.block({ id: (await bob.account()).id, blocked: true })
    assert.deepEqual([await told(world, alice), await unread(alice)], [[], 0])
  })

  it('are turned off by kind', async (world) => {
    const { alice, bob } = world
    const bug = await alice.bugs.create(crash)
    assert.deepEqual(await alice.notifications.updateSettings({ comment: 'off' }), {
      ...{ mention: 'mail', reply: 'mail', comment: 'off', status: 'site', version: 'site', release: 'daily' },
      ...{ posted: 'site', invitation: 'mail', approval: 'mail', report: 'site' },
      ...{ followWritten: true, followAnswered: true, followVoted: false, pushMentions: true, pushApprovals: true },
    })
    await bob.bugs.comment({ id: bug.id, body: 'One' })
    assert.deepEqual(await told(world, alice), [])
    assert.equal((await alice.notifications.settings()).comment, 'off')
    await assert.rejects(alice.notifications.updateSettings({ comment: 'loud' as 'off' }), { status: 400 })
  })
})

onEveryEngine('an inbox', (it) => {
  it('is read in pages from either end, and goes on after a cursor', async (world) => {
    const { alice, bob } = world
    const bug = await alice.bugs.create(crash)
    assert.deepEqual(await alice.notifications.list(), { items: [], hasMore: false, next: null, unread: 0 })
    for (let n = 1; n <= 5; n++) await bob.bugs.comment({ id: bug.id, body: `No. ${n}` })
    await world.app.deliver()
    const page = async (input: Parameters<typeof alice.notifications.list>[0]) => {
      const { items, hasMore, next } = await alice.notifications.list(input)
      return [items.map(({ excerpt }) => Number(excerpt.slice(4))), hasMore, next]
    }
    assert.deepEqual(await page({ per_page: 2 }), [[5, 4], true, '4'])
    assert.deepEqual(await page({ per_page: 3, before: '4' }), [[3, 2, 1], false, null])
    assert.deepEqual(await page({ per_page: 4, after: '0' }), [[1, 2, 3, 4], true, '4'])
    assert.deepEqual(await page({ after: '4' }), [[5], false, '5'])
    assert.deepEqual(await page({ after: '5' }), [[], false, '5'])
    for (const after of ['-1', 'x', '1.5', '']) {
      await assert.rejects(alice.notifications.list({ after }), { status: 400 }, after)
    }
    await assert.rejects(alice.notifications.list({ per_page: 101 }), { status: 400 })
  })

  it('counts what is marked as read, by ids or up to one, and each once', async (world) => {
    const { alice, bob } = world
    const bug = await alice.bugs.create(crash)
    for (let n = 1; n <= 6; n++) await bob.bugs.comment({ id: bug.id, body: `${n}` })
    await world.app.deliver()
    assert.equal(await unread(alice), 6)
    assert.deepEqual(await alice.notifications.read({ ids: ['2', '2', '99'] }), { unread: 5 })
    assert.deepEqual(await alice.notifications.read({ ids: ['2'] }), { unread: 5 })
    assert.deepEqual(await alice.notifications.read({ through: '4' }), { unread: 2 })
    const { items } = await alice.notifications.list({ unread: 'true' })
    assert.deepEqual([items.map(({ id }) => id), await unread(alice)], [['6', '5'], 2])
    await Promise.all(Array.from({ length: 8 }, () => alice.notifications.read({ through: '6' })))
    assert.equal(await unread(alice), 0)
    assert.deepEqual(await bob.notifications.read({ through: '6' }), { unread: 0 })
  })

  it('marks at most 100 by their ids, and needs a way to name them', async ({ alice }) => {
    const ids = (count: number) => Array.from({ length: count }, (_, n) => String(n + 1))
    await alice.notifications.read({ ids: ids(100) })
    for (const input of [{ ids: ids(101) }, { ids: [] }, {}, { ids: ['x'] }, { through: '-1' }]) {
      await assert.rejects(alice.notifications.read(input), { status: 400 })
    }
  })

  it('is nobody else’s, and anonymous users have none', async (world) => {
    const { alice, bob, anonymous } = world
    const bug = await alice.bugs.create(crash)
    await bob.bugs.comment({ id: bug.id, body: 'One' })
    await world.app.deliver()
    await bob.notifications.read({ ids: ['1'] })
    assert.deepEqual([await unread(alice), await unread(bob)], [1, 0])
    await assert.rejects(anonymous.notifications.list(), { status: 401 })
    await assert.rejects(anonymous.follows.set({ id: bug.id, state: 'following' }), { status: 401 })
    await assert.rejects(bob.follows.set({ id: 'nothing', state: 'following' }), { status: 404 })
  })
})

plainIt(
  'Mentions are names by themselves, in lower case, each once, and those that a text had before are left out',
  () => {
    assert.deepEqual(mentionsIn('@Mira, @mira and (@bob-1)! not a@mira.example or @ab or /@mira'), ['mira', 'bob-1'])
    assert.deepEqual(mentionsIn('@mira @bob', 'hello @Mira'), ['bob'])
    assert.deepEqual(mentionsIn('``` @mira'), [])
    assert.deepEqual(mentionsIn('> @mira wrote this\n  > and @bob\n\na > b @nora'), ['nora'])
    assert.deepEqual(mentionsIn('a ` b @mira'), ['mira'])
    const before = process.threadCpuUsage()
    for (const part of ['`', '@', '```\n', '@a`', '~~~\n`', '>', '\n> @']) mentionsIn(part.repeat(20_000))
    assert.ok(process.threadCpuUsage(before).user < 1_000_000)
  },
)
