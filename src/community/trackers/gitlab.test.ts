// Two ways with GitLab: what is different there from GitHub.
import assert from 'node:assert/strict'
import { gitlab, linkTo, settings } from '../../../test/trackers.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'

const report = { title: 'The tray jams', description: 'It jams on Mondays.', severity: 'medium' } as const
const onlyBug = async ({ admin }: World) => (await admin.bugs.list({})).items[0]!
const waiting = async ({ admin }: World) => (await admin.trackers.list()).items[0]?.waiting

const edited = (name = 'acme/looms') =>
  JSON.stringify({
    ...{ object_kind: 'issue', user: { id: 5, username: 'eve' }, project: { path_with_namespace: name } },
    object_attributes: { id: 7, iid: 1, action: 'update', updated_at: '2026-01-01 00:00:00 UTC' },
    changes: { description: { previous: 'x', current: 'y' } },
  })

onEveryEngine(
  'two ways with GitLab',
  (it) => {
    it('go both ways in title, text, comments, labels and state, and then it is quiet', async (world) => {
      const { settle, linkPerson, webhookUrl, id: linkId } = await linkTo(world, 'gitlab')
      assert.equal(webhookUrl, `http://localhost:3000/api/trackers/gitlab/${linkId}`)
      const username = await linkPerson('maintainer', world.moderator)
      const { id: labelId } = await world.moderator.labels.create({ name: 'mail', color: '#336699' })
      const { id } = await world.alice.bugs.create(report)
      await world.bob.bugs.comment({ id, body: 'Here too, @octocat' })
      await world.moderator.bugs.attachLabel({ id, labelId })
      await world.moderator.bugs.triage({ id, status: 'wontfix' })
      await settle()
      const issue = gitlab.issue(1)
      assert.deepEqual([issue.state, issue.labels], ['closed', ['mail']])
      assert.equal((await world.alice.bugs.get({ id })).status, 'wontfix')
      const there = gitlab.act('maintainer')
      there.edit(1, { title: 'Often', body: issue.body?.replace('Mondays', 'Tuesdays'), state: 'open' })
      there.comment(1, 'I look at it')
      there.unlabel(1, 'mail')
      await settle()
      const bug = await world.alice.bugs.get({ id })
      assert.deepEqual(
        [bug.title, bug.description, bug.status, bug.labels],
        ['Often', 'It jams on Tuesdays.', 'open', []],
      )
      const { items } = await world.alice.bugs.comments({ id })
      assert.deepEqual([items[1]?.body, items[1]?.authorUsername], ['I look at it', username])
      const before = gitlab.requests.length
      await settle()
      const writes = gitlab.requests.slice(before).filter(({ method }) => method !== 'GET')
      assert.deepEqual(writes, [])
    })

    it('a text from here is no command there, and comes back as it was', async (world) => {
      const { settle, linkPerson } = await linkTo(world, 'gitlab')
      await linkPerson('maintainer', world.moderator)
      const description = '/close\n`/title x`\n```\n/confidential\n```\n  /label ~bug'
      const { id } = await world.alice.bugs.create({ ...report, description })
      await world.bob.bugs.comment({ id, body: '/close' })
      await settle()
      const issue = gitlab.issue(1)
      assert.deepEqual([issue.state, issue.title, issue.comments.length], ['open', report.title, 1])
      gitlab.act('maintainer').edit(1, { body: issue.body?.replace('~bug', '~yarn') })
      await settle()
      assert.equal((await world.alice.bugs.get({ id })).description, description.replace('~bug', '~yarn'))
      assert.equal(issue.state, 'open')
    })

    it('what is confidential or internal there does not come, and what becomes so is left alone', async (world) => {
      const { settle, poll } = await linkTo(world, 'gitlab')
      gitlab.hidden.add(1)
      try {
        const there = gitlab.act('octocat')
        there.open('Secret')
        there.open('Public', 'Text')
        gitlab.internal.add(there.comment(2, 'Between us').id)
        await settle()
        await poll()
        const bug = await onlyBug(world)
        assert.equal(bug.title, 'Public')
        assert.equal((await world.alice.bugs.comments({ id: bug.id })).total, 0)
        gitlab.hidden.add(2)
        there.edit(2, { title: 'Secret by now' })
        await settle()
        await poll()
        assert.equal((await onlyBug(world)).title, 'Public')
      } finally {
        gitlab.hidden.clear()
        gitlab.internal.clear()
      }
    })

    it('who edited a text is known without a delivery', async (world) => {
      const { poll } = await linkTo(world, 'gitlab')
      gitlab.act('octocat').open('No yarn', 'There is none.')
      await poll()
      gitlab.act('stranger').edit(1, { body: 'Spam' })
      await poll()
      assert.deepEqual([(await onlyBug(world)).description, gitlab.issue(1).body], ['There is none.', 'There is none.'])
    })

    it('an answer that got lost makes nothing twice, and a wait that is asked for is kept', async (world) => {
      const { settle } = await linkTo(world, 'gitlab')
      const { id } = await world.alice.bugs.create(report)
      for (const write of [undefined, () => world.bob.bugs.comment({ id, body: 'Here too' })]) {
        await write?.()
        gitlab.losesAnswer = true
        await settle()
        world.clock.pass(10)
        await settle()
      }
      assert.deepEqual([gitlab.issues.length, gitlab.issue(1).comments.length], [1, 1])
      gitlab.limited = { kind: 'primary', seconds: 90 }
      await world.alice.bugs.edit({ id, title: 'Two' })
      await settle()
      const count = gitlab.requests.length
      await settle()
      assert.equal(gitlab.requests.length, count)
      gitlab.limited = undefined
      world.clock.pass(91)
      await settle()
      assert.equal(gitlab.issue(1).title, 'Two')
    })

    it('a delivery is signed, or has the secret, of this link and not of long ago, and counts once', async (world) => {
      const { deliver, id: linkId, secret } = await linkTo(world, 'gitlab')
      const body = edited()
      const send = (headers: Record<string, string>, sent = body, to = linkId) =>
        deliver({ event: '', id: '', signature: '', body: sent, headers }, to)
      const good = gitlab.sign(body)
      const wrong: Record<string, string>[] = [
        {},
        { ...good, 'webhook-signature': 'v1,' },
        { ...good, 'webhook-id': 'another' },
        gitlab.sign(body, { secret: 'whsec_AAAA' }),
        gitlab.sign(body, { at: world.clock.now() - 301_000 }),
        gitlab.sign(body, { at: world.clock.now() + 302_000 }),
        { 'X-Gitlab-Event': 'Issue Hook', 'X-Gitlab-Token': '' },
        { 'X-Gitlab-Event': 'Issue Hook', 'X-Gitlab-Token': `${secret} x` },
      ]
      for (const headers of wrong) assert.equal((await send(headers)).status, 401, JSON.stringify(headers))
      assert.equal((await send(good, `${body} `)).status, 401)
      const elsewhere = await world.anonymous.request(`/api/trackers/github/${linkId}`, { method: 'POST', body })
      assert.equal(elsewhere.status, 404)
      assert.equal(await waiting(world), 0)
      for (let times = 0; times < 2; times++) assert.equal((await send(good)).status, 202)
      const row = () => world.db.selectFrom('trackerWork').select(['times', 'told']).executeTakeFirst()
      assert.equal((await row())?.times, 1)
      assert.match((await row())?.told ?? '', /"what":"text"/)
      gitlab.signs = false
      try {
        assert.equal((await send(gitlab.sign(body))).status, 202)
        assert.equal((await row())?.times, 2)
        const others = edited('acme/others')
        assert.equal((await send(gitlab.sign(others), others)).status, 202)
        assert.equal((await send(gitlab.sign(body, { event: 'Push Hook' }))).status, 202)
        assert.equal((await row())?.times, 2)
        assert.equal((await send(gitlab.sign('{}'), '{}')).status, 400)
      } finally {
        gitlab.signs = true
      }
    })

    it('many long texts there hold nothing up', async (world) => {
      const { poll } = await linkTo(world, 'gitlab')
      const there = gitlab.act('stranger')
      for (let number = 1; number <= 10; number++) there.open(`Long ${number}`, 'x'.repeat(1_000_000))
      there.open('Short', 'Text')
      await poll()
      await poll()
      await poll()
      assert.equal((await world.admin.trackers.list()).items[0]?.error, null)
      const { items } = await world.admin.bugs.list({ per_page: 100 })
      assert.ok(
        items.some(({ title }) => title === 'Short'),
        items.map(({ title }) => title).join(),
      )
    })

    it('a link names a project of any depth, once at each service', async (world) => {
      const { id } = await linkTo(world, 'gitlab')
      const token = gitlab.tokenOf('guild-bot')
      const link = (name: string) => world.admin.trackers.create({ service: 'gitlab', name, token })
      for (const name of ['acme', '../x', 'acme/..', 'acme/../x', 'acme//x', 'acme/x?y'])
        await assert.rejects(link(name), { status: 400 }, name)
      await assert.rejects(link('acme/looms'), { status: 409 })
      const [shown] = (await world.admin.trackers.list()).items
      assert.deepEqual([shown?.service, shown?.name, shown?.login], ['gitlab', 'acme/looms', 'guild-bot'])
      await world.admin.trackers.remove({ id })
      gitlab.name = 'acme/group/looms'
      try {
        assert.equal((await linkTo(world, 'gitlab')).name, 'acme/group/looms')
      } finally {
        gitlab.name = 'acme/looms'
      }
    })
  },
  settings,
)
