// Two ways with Linear: what is different there from GitHub.
import assert from 'node:assert/strict'
import { linear, linkTo, settings } from '../../../test/trackers.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'

const report = { title: 'The tray jams', description: 'It jams on Mondays.', severity: 'medium' } as const
const waiting = async ({ admin }: World) => (await admin.trackers.list()).items[0]?.waiting

onEveryEngine(
  'two ways with Linear',
  (it) => {
    it('go both ways in title, text, comments, labels and state, and then it is quiet', async (world) => {
      const { settle, linkPerson } = await linkTo(world, 'linear')
      const username = await linkPerson('maintainer', world.moderator)
      const { id: labelId } = await world.moderator.labels.create({ name: 'mail', color: '#336699' })
      const { id } = await world.alice.bugs.create({ ...report, description: 'It jams:\n\n- on Mondays\n- at night\n' })
      await world.bob.bugs.comment({ id, body: 'Here too, @octocat\n\n- twice' })
      await world.moderator.bugs.attachLabel({ id, labelId })
      await world.moderator.bugs.triage({ id, status: 'wontfix' })
      await settle()
      const issue = linear.issue(1)
      assert.deepEqual([issue.state, issue.state_reason, issue.labels], ['closed', 'not_planned', ['mail']])
      assert.match(
        issue.body ?? '',
        /^\*\*.+\*\* wrote on \[Guildhall\]\(\S+\):\n\nIt jams:\n\n\* on Mondays\n\* at night$/,
      )
      const before = linear.requests.length
      await settle()
      const writes = linear.requests.slice(before).filter(({ method }) => method !== 'GET')
      assert.deepEqual(writes, [])
      const there = linear.act('maintainer')
      there.edit(1, { title: 'Often', body: issue.body?.replace('Mondays', 'Tuesdays'), state: 'open' })
      there.comment(1, 'I look at it')
      there.unlabel(1, 'mail')
      await settle()
      const bug = await world.alice.bugs.get({ id })
      assert.deepEqual(
        [bug.title, bug.description, bug.status, bug.labels],
        ['Often', 'It jams:\n\n* on Tuesdays\n* at night', 'open', []],
      )
      const { items } = await world.alice.bugs.comments({ id })
      assert.deepEqual([items[1]?.body, items[1]?.authorUsername], ['I look at it', username])
    })

    it('an answer that got lost makes nothing twice: what was made is known by its id', async (world) => {
      const { settle } = await linkTo(world, 'linear')
      const { id } = await world.alice.bugs.create(report)
      for (const write of [undefined, () => world.bob.bugs.comment({ id, body: 'Here too' })]) {
        await write?.()
        linear.losesAnswer = true
        await settle()
        world.clock.pass(10)
        await settle()
      }
      assert.deepEqual([linear.issues.length, linear.issue(1).comments.length], [1, 1])
      assert.equal((await world.alice.bugs.list({})).total, 1)
      assert.equal((await world.alice.bugs.comments({ id })).total, 1)
    })

    it('who is no member here changes their own texts alone, and all of it is found by asking', async (world) => {
      const { poll } = await linkTo(world, 'linear')
      linear.act('octocat').open('No yarn', 'There is none.')
      await poll()
      const stranger = linear.act('stranger')
      stranger.edit(1, { body: 'Spam', title: 'Spam', state: 'closed', state_reason: 'completed' })
      stranger.comment(1, 'Mine')
      await poll()
      const bug = (await world.admin.bugs.list({})).items[0]
      assert.deepEqual([bug?.title, bug?.description, bug?.status], ['No yarn', 'There is none.', 'open'])
      assert.deepEqual(
        [linear.issue(1).title, linear.issue(1).body, linear.issue(1).state],
        ['No yarn', 'There is none.', 'open'],
      )
      assert.equal((await world.alice.bugs.comments({ id: bug?.id ?? '' })).total, 1)
    })

    it('waits as long as is asked for', async (world) => {
      const { settle } = await linkTo(world, 'linear')
      linear.limited = { kind: 'primary', seconds: 90 }
      await world.alice.bugs.create(report)
      await settle()
      const count = linear.requests.length
      world.clock.pass(80)
      await settle()
      assert.equal(linear.requests.length, count)
      linear.limited = undefined
      world.clock.pass(11)
      await settle()
      assert.equal(linear.issues.length, 1)
    })

    it('a delivery is signed with the secret that Linear made, was sent a moment ago, and counts once', async (world) => {
      const { deliver, id: linkId } = await linkTo(world, 'linear')
      const secret = 'lin_wh_0123456789abcdef'
      for (const wrong of ['short', 'x'.repeat(15), 'x'.repeat(201), 'with a space in it'])
        await assert.rejects(world.admin.trackers.update({ id: linkId, secret: wrong }), { status: 400 })
      await assert.rejects(world.moderator.trackers.update({ id: linkId, secret }), { status: 403 })
      const shown = await world.admin.trackers.update({ id: linkId, secret })
      assert.ok(!JSON.stringify(shown).includes(secret) && shown.state === 'on')
      const bodyAt = (at: number, identifier = 'LOOM-1') =>
        JSON.stringify({
          ...{ action: 'update', type: 'Issue', createdAt: '2026-01-01T00:00:00.000Z', webhookTimestamp: at },
          ...{ actor: { id: 'u5', name: 'eve', type: 'user' }, data: { id: 'x', identifier } },
          updatedFrom: { description: 'before' },
        })
      const send = (body: string, headers: Record<string, string>) =>
        deliver({ event: '', id: '', signature: '', body, headers })
      const now = world.clock.now()
      const good = bodyAt(now)
      assert.equal((await send(good, linear.sign(good))).status, 401, 'the secret of before')
      for (const at of [now - 60_001, now + 63_000]) {
        assert.equal((await send(bodyAt(at), linear.sign(bodyAt(at), { secret }))).status, 401)
      }
      assert.equal((await send(`${good} `, linear.sign(good, { secret }))).status, 401)
      assert.equal((await send('x', linear.sign('x', { secret }))).status, 401)
      assert.equal(await waiting(world), 0)
      const headers = linear.sign(good, { secret })
      for (let times = 0; times < 2; times++) assert.equal((await send(good, headers)).status, 202)
      const row = () => world.db.selectFrom('trackerWork').select(['times', 'told']).executeTakeFirst()
      assert.equal((await row())?.times, 1)
      assert.match((await row())?.told ?? '', /"what":"text"/)
      for (const identifier of ['OTHER-1', 'LOOM', '-1', 'LOOM-x']) {
        const body = bodyAt(now, identifier)
        assert.equal((await send(body, linear.sign(body, { secret }))).status, 202, identifier)
      }
      assert.equal((await row())?.times, 1)
    })

    it('a link names a team by its key', async (world) => {
      await linkTo(world, 'linear')
      const token = linear.tokenOf('guild-bot')
      const make = (name: string) => world.admin.trackers.create({ service: 'linear', name, token })
      for (const name of ['acme/looms', '1X', 'TOOLONGAKEYX', 'NONE'])
        await assert.rejects(make(name), { status: 400 }, name)
      await assert.rejects(make('loom'), { status: 409 })
    })
  },
  settings,
)
