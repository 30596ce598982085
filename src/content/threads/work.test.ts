// Assignees, days when things are due, and the work of an account; through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { assertSound } from '../../../test/sound.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { MAX_ASSIGNEES } from './contract.ts'

const report = ({ alice }: World, title = 'T') => alice.bugs.create({ title, description: 'D', severity: 'low' })
const wish = ({ alice }: World, title = 'W') => alice.features.create({ title, description: 'D' })

onEveryEngine('an assignee', (it) => {
  it('is one of at most ten, each of whom is notified once', async (world) => {
    const { bob, moderator, anonymous, app, admin } = world
    const { id } = await report(world)
    const people = [bob, ...Array.from({ length: MAX_ASSIGNEES }, (_, at) => world.person(`worker${at}`))]
    await bob.profile.setUsername({ username: 'Bob-1' })
    const accounts = []
    for (const person of people) accounts.push(await person.account())
    for (const { id: account } of accounts.slice(0, MAX_ASSIGNEES)) await moderator.threads.assign({ id, account })
    const [first] = accounts
    const { assignees } = await moderator.threads.assign({ id, account: 'BOB-1' })
    assert.deepEqual(
      assignees.map((one) => one.id),
      accounts.slice(0, MAX_ASSIGNEES).map((one) => one.id),
    )
    const more = { id, account: accounts.at(-1)!.id }
    await assert.rejects(moderator.threads.assign(more), { status: 409 })
    assert.deepEqual((await anonymous.bugs.get({ id })).assignees, assignees)
    await app.deliver()
    const told = (await bob.notifications.list()).items
    assert.deepEqual(
      told.map(({ change, target }) => [change, target.id]),
      [['assigned', id]],
    )
    assert.equal((await bob.follows.get({ id })).state, 'following')
    await moderator.threads.unassign({ id, accountId: first!.id })
    await assert.rejects(moderator.threads.unassign({ id, accountId: first!.id }), { status: 404 })
    await moderator.threads.assign(more)
    const audit = (await admin.admin.listAudit({ targetId: id })).items.map(({ action }) => action)
    assert.equal(audit.filter((action) => action === 'thread.assign').length, MAX_ASSIGNEES + 1)
    assert.equal(audit.filter((action) => action === 'thread.unassign').length, 1)
    await assertSound(world)
  })

  it('is set by moderators alone, and is a member who is not blocked', async (world) => {
    const { alice, bob, moderator, anonymous, blocked } = world
    const { id } = await report(world)
    const account = (await bob.account()).id
    for (const act of [
      (person: typeof alice) => person.threads.assign({ id, account }),
      (person: typeof alice) => person.threads.unassign({ id, accountId: account }),
      (person: typeof alice) => person.threads.setDue({ id, dueOn: '2026-12-01' }),
    ]) {
      await assert.rejects(act(alice), { status: 403, message: 'Forbidden' })
      await assert.rejects(act(anonymous as typeof alice), { status: 401 })
    }
    await assert.rejects(anonymous.threads.myWork(), { status: 401 })
    await assert.rejects(moderator.threads.assign({ id, account: 'nobody-here' }), { status: 404 })
    await assert.rejects(moderator.threads.assign({ id, account: (await blocked.account()).id }), { status: 404 })
    const post = await alice.posts.create({ title: 'T', body: 'B' })
    await assert.rejects(moderator.threads.assign({ id: post.id, account }), { status: 404 })
    for (const dueOn of ['2026-02-30', 'tomorrow', '']) {
      await assert.rejects(moderator.threads.setDue({ id, dueOn }), { status: 400 })
    }
  })

  it('are ten when eleven are assigned at once', async (world) => {
    const { moderator, anonymous } = world
    const { id } = await wish(world)
    const people = Array.from({ length: MAX_ASSIGNEES + 1 }, (_, at) => world.person(`at-once${at}`))
    const accounts = await Promise.all(people.map((person) => person.account()))
    const results = await Promise.allSettled(
      accounts.map(({ id: account }) => moderator.threads.assign({ id, account })),
    )
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, MAX_ASSIGNEES)
    assert.equal((await anonymous.features.get({ id })).assignees?.length, MAX_ASSIGNEES)
  })
})

onEveryEngine('work', (it) => {
  it('is what is assigned and open, the first due first, and lists are filtered by it', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const [one, two, three] = [await report(world, 'One'), await report(world, 'Two'), await wish(world, 'Three')]
    const account = (await bob.account()).id
    for (const { id } of [one, two, three]) await moderator.threads.assign({ id, account })
    await moderator.threads.setDue({ id: two.id, dueOn: '2026-12-02' })
    await moderator.threads.setDue({ id: three.id, dueOn: '2026-12-01' })
    await moderator.threads.setDue({ id: three.id, dueOn: '2026-12-01' })
    const titles = async (input = {}) => (await bob.threads.myWork(input)).items.map(({ title }) => title)
    assert.deepEqual(await titles(), ['Three', 'Two', 'One'])
    const page = await bob.threads.myWork({ per_page: 2, cursor: '' })
    assert.deepEqual([page.total, page.hasMore], [3, true])
    assert.deepEqual(await titles({ per_page: 2, cursor: page.nextCursor! }), ['One'])
    const { items } = await bob.threads.myWork({ per_page: 1 })
    assert.deepEqual(items, [
      {
        ...{ id: three.id, type: 'feature', number: three.number, title: 'Three', status: 'open', dueOn: '2026-12-01' },
        ...{ url: `/community/features/${three.id}`, createdAt: three.createdAt, href: items[0]?.href },
      },
    ])
    const bugs = async (filter: object) => (await anonymous.bugs.list(filter)).items.map(({ title }) => title)
    assert.deepEqual(await bugs({ assignee: account }), ['Two', 'One'])
    assert.deepEqual(await bugs({ assignee: account, due: '2026-12-02', status: 'open' }), ['Two'])
    assert.deepEqual(await bugs({ due: '2026-12-01' }), [])
    assert.deepEqual(await bugs({ assignee: 'not-there' }), [])
    const label = await moderator.labels.create({ name: 'mine', color: '#123456' })
    await moderator.bugs.attachLabel({ id: one.id, labelId: label.id })
    assert.deepEqual(await bugs({ assignee: account, label: 'mine' }), ['One'])
    assert.deepEqual(await bugs({ due: '2026-12-02', label: 'mine' }), [])
    await alice.bugs.close({ id: one.id, closed: true })
    await moderator.threads.setDue({ id: two.id, dueOn: null })
    assert.deepEqual(await titles(), ['Three', 'Two'])
    const changes = (await anonymous.threads.changes({ id: two.id })).items
    assert.deepEqual(
      changes.map(({ action, dueOn }) => [action, dueOn]),
      [
        ['due', null],
        ['due', '2026-12-02'],
        ['assigned', null],
      ],
    )
    assert.equal(changes.at(-1)?.account?.id, account)
    assert.equal((await anonymous.threads.changes({ id: three.id })).total, 2)
    assert.deepEqual(await alice.threads.myWork(), { items: [], hasMore: false, total: 0 })
    await assertSound(world)
  })
})
