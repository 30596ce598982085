// Cursors: a list goes on where its page ended, also when entries came or went in between.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { allOf, assertSameByCursor } from '../../test/cursors.ts'
import { withWebhook } from '../../test/webhooks.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { api } from '../api.ts'
import type { Operation } from '../contract/operation.ts'

const idsOf = async (read: Parameters<typeof allOf<{ id: string }>>[0], between?: () => Promise<unknown>) =>
  (await allOf(read, between)).map(({ id }) => id)

async function makeBugs({ alice, bob, moderator, clock }: World, count: number) {
  const made = []
  for (let n = 0; n < count; n++) {
    const person = n % 2 ? alice : bob
    const bug = await person.bugs.create({ title: `Wobble ${n}`, description: 'It stops', severity: 'low' })
    if (n % 3 === 0) await bob.bugs.vote({ id: bug.id, value: 1 })
    if (n % 4 === 0) await moderator.bugs.triage({ id: bug.id, status: 'resolved' })
    made.unshift(bug)
    if (n % 2) clock.pass(1)
  }
  return made
}

const BAD = /nextCursor/

onEveryEngine('a cursor', (it) => {
  it('reads a list whole with any filter, order and size, as pages do', async (world) => {
    const { anonymous, moderator } = world
    const [first] = await makeBugs(world, 11)
    const label = await moderator.labels.create({ name: 'ui', color: '#336699' })
    for (const { id } of (await anonymous.bugs.list({ per_page: 4 })).items) {
      await moderator.bugs.attachLabel({ id, labelId: label.id })
    }
    const { authorId } = first!
    const filters = [
      ...[{}, { authorId }, { status: 'open' as const }, { severity: 'low' as const, status: 'resolved' as const }],
      ...[
        { label: 'ui' },
        { label: 'ui', authorId },
        { q: 'wobble' },
        { q: 'wobbles', authorId },
        { by: 'people' as const },
      ],
      ...[{ label: 'ui', q: 'wobble' }, { q: 'nothing' }],
    ]
    for (const filter of filters) {
      for (const sort of ['latest', 'popular'] as const) {
        const whole = await anonymous.bugs.list({ ...filter, sort, per_page: 100 })
        assert.equal('nextCursor' in whole, false)
        for (const per_page of [1, 2, 3, 11, 100]) {
          const read = (cursor: string) => anonymous.bugs.list({ ...filter, sort, per_page, cursor })
          const ids = whole.items.map(({ id }) => id)
          assert.deepEqual(await idsOf(read), ids, JSON.stringify({ filter, sort, per_page }))
          const { total, hasMore, items } = await read('')
          assert.deepEqual(
            [total, hasMore, items.length],
            [ids.length, ids.length > per_page, Math.min(ids.length, per_page)],
          )
        }
      }
    }
  })

  it('gives nothing twice and leaves nothing out when things come and go at its head', async (world) => {
    const { alice, moderator, anonymous } = world
    for (const list of ['bugs', 'feed', 'author', 'search'] as const) {
      const made = await makeBugs(world, 7)
      const { authorId } = made[0]!
      const read = {
        bugs: (cursor: string) => anonymous.bugs.list({ cursor, per_page: 3 }),
        feed: (cursor: string) => anonymous.feed.list({ cursor, per_page: 3 }),
        author: (cursor: string) => anonymous.feed.list({ cursor, per_page: 3, authorId }),
        search: (cursor: string) => anonymous.bugs.list({ cursor, per_page: 3, q: 'wobble' }),
      }[list]
      const before = (await idsOf(read)).slice()
      // The last of the first page goes, too: the place where it was stays.
      const between = async () => {
        await moderator.bugs.delete({ id: before[2]!, reason: 'Spam' })
        for (let n = 0; n < 4; n++) await alice.bugs.create({ title: 'Wobble', description: 'New', severity: 'low' })
      }
      assert.deepEqual(await idsOf(read, between), before, list)
    }
  })

  it('is refused by another list, in another order or with other filters, and where it was not given', async (world) => {
    const { anonymous, alice } = world
    const [bug] = await makeBugs(world, 5)
    const { nextCursor } = await anonymous.bugs.list({ cursor: '', per_page: 2 })
    const cursor = nextCursor as string
    const values = JSON.parse(Buffer.from(cursor.slice(12), 'base64url').toString())
    const withValues = (given: unknown) =>
      cursor.slice(0, 12) + Buffer.from(JSON.stringify(given)).toString('base64url')
    assert.equal(withValues(values), cursor)
    const refused = [
      () => anonymous.bugs.list({ cursor, sort: 'popular' }),
      () => anonymous.bugs.list({ cursor, status: 'open' }),
      () => anonymous.bugs.list({ cursor, authorId: bug!.authorId }),
      () => anonymous.features.list({ cursor }),
      () => anonymous.feed.list({ cursor }),
      () => anonymous.bugs.comments({ id: bug!.id, cursor }),
      () => anonymous.members.list({ cursor }),
      () => anonymous.search.find({ q: 'wobble', cursor }),
      () => alice.notifications.list({ cursor }),
      ...[
        'x',
        `${cursor}=`,
        cursor.slice(1),
        `${cursor} `,
        withValues([...values, 1]),
        withValues([1, 2]),
        withValues({}),
      ].map((made) => () => anonymous.bugs.list({ cursor: made })),
    ]
    for (const [at, ask] of refused.entries()) {
      await assert.rejects(ask, { status: 400, message: BAD }, `${at}`)
    }
    await assert.rejects(anonymous.bugs.list({ cursor: 'x'.repeat(1_001) }), { status: 400 })
    await assert.rejects(anonymous.library.list({ cursor }), { status: 400, code: 'invalid_request' })
    // The size of pages may change.
    assert.equal((await anonymous.bugs.list({ cursor, per_page: 3 })).items.length, 3)
  })

  it('reads comments, labels, members, revisions, drafts, follows and the inbox', async (world) => {
    const { alice, bob, admin, moderator, anonymous, clock } = world
    const { id } = await alice.bugs.create({ title: 'Wobble', description: 'It stops', severity: 'low' })
    for (let n = 0; n < 5; n++) {
      const comment = await bob.bugs.comment({ id, body: `Comment ${n}` })
      if (n % 2) await alice.comments.react({ id: comment.id, reaction: 'heart' })
      await bob.posts.create({ title: `Post ${n}`, body: 'Text' })
      await alice.bugs.edit({ id, title: `Wobble ${n}` })
      await moderator.labels.create({ name: `Label ${n % 2 ? 'a' : 'B'}${n}`, color: '#336699' })
      await moderator.changelog.create({ title: `Release ${n}`, body: 'Text', version: `1.${n}`, draft: true })
      await world.person(`member${n}`).profile.setUsername({ username: `member${n}` })
      clock.pass(n % 2)
    }
    const account = await bob.account()
    await world.app.deliver()
    const lists: Parameters<typeof assertSameByCursor<object>>[0] = {
      oldest: (page) => anonymous.bugs.comments({ id, ...page }),
      newest: (page) => anonymous.bugs.comments({ id, sort: 'newest', ...page }),
      popular: (page) => anonymous.bugs.comments({ id, sort: 'popular', ...page }),
      threads: (page) => anonymous.bugs.comments({ id, parentId: 'none', replies: 2, ...page }),
      revisions: (page) => anonymous.bugs.revisions({ id, ...page }),
      labels: (page) => anonymous.labels.list(page),
      members: (page) => anonymous.members.list(page),
      named: (page) => anonymous.members.list({ q: 'member', ...page }),
      drafts: (page) => moderator.changelog.drafts(page),
      inbox: (page) => alice.notifications.list(page),
      news: (page) => alice.news.list(page),
      written: (page) => anonymous.comments.list({ authorId: account.id, ...page }),
      audit: (page) => admin.admin.listAudit(page),
      users: async (page) => {
        const { users, ...more } = await admin.admin.listUsers(page)
        return { items: users, ...more }
      },
      search: (page) => anonymous.search.find({ q: 'wobble comment', ...page }),
      newestFound: (page) => anonymous.search.find({ q: 'comment', sort: 'newest', ...page }),
      follows: (page) => bob.follows.list(page),
    }
    await assertSameByCursor(lists, 4)
    await assertSameByCursor({ blog: (page) => anonymous.blog.list(page) }, 1)
  })

  it('reads what moderators and admins have', (home) =>
    withWebhook(home, async ({ alice, bob, admin, moderator, anonymous, app, id: webhookId, clock }) => {
      const into = await alice.posts.create({ title: 'Target', body: 'Text' })
      for (let n = 0; n < 8; n++) {
        const { id } = await bob.posts.create({ title: `Post ${n}`, body: 'Text' })
        await alice.reports.create({ targetType: 'post', targetId: id, reason: 'spam' })
        const found = (await moderator.moderation.cases({ per_page: 100 })).items.find(({ target }) => target.id === id)
        if (n < 4) await moderator.moderation.decide({ id: found!.id, action: 'warn', rule: 'spam', reason: 'No' })
        if (n >= 4) await moderator.posts.merge({ id, into: into.id })
        clock.pass(n % 2)
      }
      for (const name of ['a', 'b', 'c'])
        await home.person(name).reports.create({ targetType: 'post', targetId: into.id, reason: 'spam' })
      const reported = (await moderator.moderation.cases({})).items.find(({ target }) => target.id === into.id)!
      for (let n = 0; n < 4; n++) await admin.webhooks.test({ id: webhookId })
      await app.sendWebhooks()
      await assertSameByCursor<object>(
        {
          open: (page) => moderator.moderation.cases({ state: 'open', ...page }),
          closed: (page) => moderator.moderation.cases({ state: 'closed', ...page }),
          reports: (page) => moderator.moderation.caseReports({ id: reported.id, ...page }),
          notices: (page) => bob.moderation.notices(page),
          log: (page) => anonymous.moderation.log(page),
          merged: (page) => anonymous.posts.merged({ id: into.id, ...page }),
          deliveries: (page) => admin.webhooks.deliveries({ id: webhookId, ...page }),
        },
        3,
      )
    }))
})

it('is taken by every list that has pages', () => {
  const operations: [string, Operation][] = Object.entries(api).flatMap(([slice, contract]) =>
    Object.entries(contract).map(([name, operation]) => [`${slice}.${name}`, operation] as [string, Operation]),
  )
  const paged = operations.filter(([, { input }]) => 'page' in input.shape || 'before' in input.shape)
  assert.ok(paged.length > 45)
  const without = paged.filter(([, { input }]) => !('cursor' in input.shape)).map(([name]) => name)
  assert.deepEqual(without, [])
  const silent = paged.filter(([, { output }]) => !('shape' in output && 'nextCursor' in (output.shape as object)))
  assert.deepEqual(
    silent.map(([name]) => name),
    ['profile.show'],
    'A profile has its list in `entries`',
  )
})
