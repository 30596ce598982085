// The outcome of a report, as its author sees it, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import type { Decision } from '../../contract/kinds.ts'

const post = (person: Person, title: string) => person.posts.create({ title, body: 'Cheap watches' })

const report = (person: Person, targetId: string) =>
  person.reports.create({ targetType: 'post', targetId, reason: 'spam', text: `Of ${targetId}` })

/** Decides the open case about a thing; gives the act. */
async function decide({ moderator }: World, targetId: string, action: Decision) {
  const found = (await moderator.moderation.cases({})).items.find(({ target }) => target.id === targetId)
  assert.ok(found)
  return moderator.moderation.decide({ id: found.id, action, rule: 'spam', reason: 'A secret of the author' })
}

const mine = async (person: Person) =>
  (await person.reports.mine({})).items.map(({ target, state, action }) => [target.title, state, action])

/** What an inbox says of reports. */
async function told({ app }: World, person: Person) {
  await app.deliver()
  const { items } = await person.notifications.list({ after: '0' })
  return items.filter(({ type }) => type === 'report')
}

onEveryEngine('My reports', (it) => {
  it('wait, and say what was done once they are decided', async (world) => {
    const { alice, bob, moderator, clock } = world
    const [one, two, three] = [await post(bob, 'One'), await post(bob, 'Two'), await post(bob, 'Three')]
    for (const { id } of [one, two, three]) {
      await report(alice, id)
      clock.pass(1)
    }
    assert.deepEqual(await mine(alice), [
      ['Three', 'waiting', null],
      ['Two', 'waiting', null],
      ['One', 'waiting', null],
    ])
    await decide(world, one.id, 'dismiss')
    await decide(world, two.id, 'warn')
    const { id: act } = await decide(world, three.id, 'hide')
    const { items } = await alice.reports.mine({})
    assert.deepEqual(await mine(alice), [
      ['', 'acted', 'hide'],
      ['Two', 'acted', 'warn'],
      ['One', 'dismissed', 'dismiss'],
    ])
    const [hidden] = items
    assert.deepEqual(hidden?.target, { type: 'post', id: three.id, title: '', url: '', href: hidden?.target.href })
    assert.deepEqual([hidden.text, hidden.reason, hidden.undone], [`Of ${three.id}`, 'spam', false])
    assert.ok(hidden.decidedAt && hidden.decidedAt >= hidden.createdAt)
    assert.doesNotMatch(JSON.stringify(items), /secret|moderator|Cheap/i)
    await moderator.moderation.undo({ id: act, reason: 'It was fine' })
    const [shown] = (await alice.reports.mine({})).items
    assert.deepEqual([shown?.target.title, shown?.state, shown?.undone], ['Three', 'acted', true])
  })

  it('are each decided by the act of its time, where a thing was reported again', async (world) => {
    const { alice, bob } = world
    const { id } = await post(bob, 'Again')
    await report(alice, id)
    await decide(world, id, 'dismiss')
    await report(alice, id)
    await decide(world, id, 'hide')
    assert.deepEqual(
      (await mine(alice)).map(([, ...rest]) => rest),
      [
        ['acted', 'hide'],
        ['dismissed', 'dismiss'],
      ],
    )
    assert.deepEqual(
      (await told(world, alice)).map((one) => one.report?.state),
      ['dismissed', 'acted'],
    )
  })

  it('are told once to each who reported, without the thing, and not to the one who decided', async (world) => {
    const { alice, bob, moderator, admin } = world
    const { id } = await post(bob, 'Watches')
    for (const person of [alice, admin, moderator]) await report(person, id)
    await decide(world, id, 'delete')
    for (const person of [alice, admin]) {
      const [one, ...more] = await told(world, person)
      assert.ok(one)
      assert.deepEqual([one.target.type, one.target.title, one.url], ['report', '', '/moderation/reports'])
      assert.deepEqual(
        [one.report, one.actor, one.excerpt, more.length],
        [{ type: 'post', state: 'acted' }, null, '', 0],
      )
    }
    assert.deepEqual(await told(world, moderator), [])
    assert.deepEqual(await told(world, bob), [])
    assert.equal((await mine(moderator)).length, 1)
  })

  it('are told as their account chose', async (world) => {
    const { alice, bob, admin, db, mails } = world
    await alice.notifications.updateSettings({ report: 'off' })
    await admin.notifications.updateSettings({ report: 'mail' })
    const { id: adminId } = await admin.account()
    const verified = { emailVerifiedAt: '2026-01-01T00:00:00.000Z' }
    await db.updateTable('user').set(verified).where('id', '=', adminId).execute()
    const { id } = await post(bob, 'Watches')
    for (const person of [alice, admin]) await report(person, id)
    await decide(world, id, 'dismiss')
    assert.deepEqual(await told(world, alice), [])
    assert.equal((await told(world, admin)).length, 1)
    const mail = (await mails(admin.email)).at(-1)
    assert.match(mail?.subject ?? '', /what you reported, and found no violation/)
    assert.doesNotMatch(mail?.body ?? '', /Watches|secret/)
  })

  it('come to many, each once, and none is left out', async (world) => {
    const { bob, alice, db } = world
    const { id } = await post(bob, 'Watches')
    await report(alice, id)
    const stored = await db.selectFrom('report').selectAll().where('targetId', '=', id).executeTakeFirstOrThrow()
    const user = await db.selectFrom('user').selectAll().where('id', '=', stored.reporterId).executeTakeFirstOrThrow()
    const ids = Array.from({ length: 260 }, (_, n) => `reporter-${String(n).padStart(4, '0')}`)
    for (let n = 0; n < ids.length; n += 20) {
      const some = ids.slice(n, n + 20)
      const users = some.map((one) => ({
        ...user,
        id: one,
        email: `${one}@example.com`,
        usernameKey: null,
        username: null,
      }))
      await db.insertInto('user').values(users).execute()
      const reports = some.map((one) => ({
        ...stored,
        id: `${stored.id.slice(0, -5)}${one.slice(-4)}x`,
        reporterId: one,
      }))
      await db.insertInto('report').values(reports).execute()
    }
    await decide(world, id, 'dismiss')
    await world.app.deliver()
    const rows = await db.selectFrom('notification').select('userId').where('kind', '=', 'report').execute()
    assert.equal(new Set(rows.map(({ userId }) => userId)).size, 261)
    assert.equal(rows.length, 261)
  })

  it('come in pages, newest first, and are of the account alone', async (world) => {
    const { alice, bob, anonymous } = world
    for (let n = 1; n <= 5; n++) await report(alice, (await post(bob, `No. ${n}`)).id)
    const first = await alice.reports.mine({ per_page: 2, cursor: '' })
    const second = await alice.reports.mine({ per_page: 3, cursor: first.nextCursor ?? '' })
    const titles = [...first.items, ...second.items].map(({ target }) => target.title)
    assert.deepEqual(titles, ['No. 5', 'No. 4', 'No. 3', 'No. 2', 'No. 1'])
    assert.deepEqual([first.hasMore, second.hasMore, second.nextCursor], [true, false, null])
    await assert.rejects(bob.reports.mine({ cursor: first.nextCursor ?? '' }), { status: 400 })
    await assert.rejects(alice.reports.mine({ per_page: 101 }), { status: 400 })
    await assert.rejects(anonymous.reports.mine({}), { status: 401 })
    assert.deepEqual((await bob.reports.mine({})).items, [])
  })

  it('name nothing that their author cannot read by now', async (world) => {
    const { alice, bob, admin, moderator } = world
    await admin.boards.create({ slug: 'inner', name: 'Inner', readers: 'members' })
    const inner = await bob.posts.create({ title: 'Of the board', body: 'Text', board: 'inner' })
    const gone = await post(bob, 'Gone')
    const blocked = await post(admin, 'Stays')
    for (const { id } of [inner, gone, blocked]) await report(alice, id)
    assert.deepEqual(
      (await mine(alice)).map(([title]) => title),
      ['Stays', 'Gone', 'Of the board'],
    )
    await admin.boards.update({ board: 'inner', readers: 'none' })
    await bob.posts.delete({ id: gone.id })
    assert.deepEqual(
      (await mine(alice)).map(([title]) => title),
      ['Stays', '', ''],
    )
    await moderator.admin.block({ id: (await bob.account()).id, blocked: true })
    await admin.boards.update({ board: 'inner', readers: 'members' })
    assert.deepEqual(
      (await mine(alice)).map(([title]) => title),
      ['Stays', '', ''],
    )
  })
})
