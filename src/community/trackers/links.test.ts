// Links of boards with repositories, as admins make them.
import assert from 'node:assert/strict'
import { github, link, settings } from '../../../test/trackers.ts'
import { onEveryEngine } from '../../../test/world.ts'

const report = { title: 'One', description: 'Text', severity: 'low' } as const

onEveryEngine(
  'a link with a repository',
  (it) => {
    it('is made by an admin, with a token that GitHub takes, once for a board and a repository', async (world) => {
      const made = await link(world)
      assert.deepEqual([made.name, made.login, made.board, made.state], ['acme/looms', 'guild-bot', null, 'on'])
      assert.equal(made.webhookUrl, `http://localhost:3000/api/trackers/github/${made.id}`)
      const [shown] = (await world.admin.trackers.list()).items
      assert.ok(!JSON.stringify(shown).includes('github_pat') && !('secret' in (shown ?? {})))
      const stored = await world.db.selectFrom('tracker').select(['token', 'secret']).executeTakeFirstOrThrow()
      assert.ok(!stored.token.includes('github_pat') && stored.secret !== made.secret)
      const token = github.tokenOf('guild-bot')
      for (const person of [world.moderator, world.alice]) {
        await assert.rejects(person.trackers.create({ name: 'acme/looms', token }), { status: 403 })
        await assert.rejects(person.trackers.list(), { status: 403 })
      }
      await assert.rejects(world.anonymous.trackers.list(), { status: 401 })
      await assert.rejects(world.admin.trackers.create({ name: 'acme/looms', token }), { status: 409 })
      await assert.rejects(world.admin.trackers.create({ name: 'acme/looms', token: 'wrong' }), { status: 400 })
      await assert.rejects(world.admin.trackers.create({ name: 'acme/none', token }), { status: 400 })
      for (const name of ['acme', 'acme/..', 'a/b/c', '../x', 'acme/looms?x']) {
        await assert.rejects(world.admin.trackers.create({ name, token }), { status: 400 }, name)
      }
      await world.admin.trackers.remove({ id: made.id })
      assert.deepEqual((await world.admin.trackers.list()).items, [])
      await assert.rejects(world.admin.trackers.remove({ id: made.id }), { status: 404 })
    })

    it('of a closed board needs a yes for a public repository, and pauses where the board is closed later', async (world) => {
      const { admin, clock, app } = world
      const readers = 'roles: moderator'
      await admin.boards.create({ slug: 'labs', name: 'Labs', readers })
      await assert.rejects(link(world, { board: 'labs' }), { status: 409 })
      const { id } = await link(world, { board: 'labs', publish: true })
      await admin.trackers.remove({ id })
      await admin.boards.update({ board: 'labs', readers: 'everyone' })
      await link(world, { board: 'labs' })
      await admin.boards.update({ board: 'labs', readers })
      await world.alice.bugs.create({ ...report, title: 'In the first board' })
      await world.moderator.bugs.create({ ...report, title: 'Secret', board: 'labs' })
      clock.pass(61)
      await app.deliver()
      await app.syncTrackers()
      const [row] = (await admin.trackers.list()).items
      assert.equal(row?.state, 'paused')
      assert.match(row?.error ?? '', /say publish/)
      assert.deepEqual(github.issues, [])
    })

    it('takes nothing of what is hidden, and waits as long as GitHub asks', async (world) => {
      const { settle } = await link(world)
      const { id } = await world.alice.bugs.create(report)
      github.limited = { kind: 'primary', seconds: 120 }
      await settle()
      const count = github.requests.length
      await settle()
      assert.equal(github.requests.length, count, 'it waits')
      github.limited = undefined
      world.clock.pass(121)
      await settle()
      assert.equal(github.issues.length, 1)
      await world.bob.reports.create({ targetType: 'bug', targetId: id, reason: 'spam', text: 'See' })
      const [open] = (await world.moderator.moderation.cases({})).items
      const decision = { action: 'hide', rule: 'spam', reason: 'No' } as const
      await world.moderator.moderation.decide({ id: open?.id ?? '', ...decision })
      github.act('octocat').comment(1, 'Meanwhile')
      github.act('octocat').edit(1, { title: 'Changed there' })
      const before = github.requests.length
      await settle()
      assert.equal(github.issue(1).title, 'Changed there')
      assert.equal((await world.moderator.bugs.get({ id })).title, 'One')
      const writes = github.requests.slice(before).filter(({ method }) => method !== 'GET')
      assert.deepEqual(writes, [])
    })

    it('sends nothing whose first attempt failed and that is in a closed board by now, or of a blocked account', async (world) => {
      const { settle } = await link(world)
      const { admin, alice, bob, app, clock, db } = world
      await admin.boards.create({ slug: 'inside', name: 'Inside', readers: 'roles: moderator' })
      const failing = async ({ bugs }: typeof alice, title: string) => {
        await settle()
        github.limited = { kind: 'primary', seconds: 120 }
        const made = await bugs.create({ ...report, title })
        await app.deliver()
        await app.syncTrackers()
        github.limited = undefined
        clock.pass(121)
        return made
      }
      const { id } = await failing(alice, 'Secret by now')
      await admin.boards.move({ board: 'inside', type: 'bug', id, confirm: true, reason: 'Inside' })
      const { authorId } = await failing(bob, 'Spam')
      const of = (blockedAt: string | null) =>
        db.updateTable('user').set({ blockedAt }).where('id', '=', authorId).execute()
      await of('2026-01-01T00:00:00.000Z')
      await settle()
      assert.deepEqual(github.issues, [])
      assert.equal((await db.selectFrom('trackerPair').select('thingId').execute()).length, 2, 'both were tried')
      await of(null)
      await bob.bugs.edit({ id: (await bob.bugs.list({})).items[0]!.id, title: 'No spam' })
      await settle()
      const there = github.issues.map(({ title }) => title)
      assert.deepEqual(there, ['No spam'])
    })

    it('rests while it is paused, and catches up', async (world) => {
      const { settle, id } = await link(world)
      await world.admin.trackers.update({ id, state: 'paused' })
      await world.alice.bugs.create(report)
      github.act('octocat').open('Two')
      await settle()
      assert.equal(github.issues.length, 1)
      await world.admin.trackers.update({ id, state: 'on' })
      await settle()
      assert.equal(github.issues.length, 2)
      assert.equal((await world.alice.bugs.list({})).total, 2)
    })

    it('leaves bugs alone whose issues are gone, but not where the repository has another name', async (world) => {
      const { settle } = await link(world)
      await world.alice.bugs.create(report)
      await settle()
      const issues = github.issues.splice(0)
      await world.alice.bugs.edit({ id: (await world.alice.bugs.list({})).items[0]!.id, title: 'Two' })
      github.name = 'acme/renamed'
      await settle()
      github.name = 'acme/looms'
      github.issues.push(...issues)
      world.clock.pass(10)
      await settle()
      assert.equal(github.issue(1).title, 'Two')
    })

    it('takes the past of both sides along where that is wanted, with its states', async (world) => {
      const first = await link(world)
      await world.admin.trackers.remove({ id: first.id })
      await world.alice.bugs.create({ ...report, title: 'Ours' })
      await world.app.deliver()
      const stranger = github.act('stranger')
      stranger.open('Theirs')
      stranger.edit(1, { state: 'closed', state_reason: 'completed' })
      const token = github.tokenOf('guild-bot')
      await world.admin.trackers.create({ name: 'acme/looms', token, from: 'beginning' })
      for (let round = 0; round < 4; round++) await world.app.syncTrackers()
      const there = github.issues.map(({ title, state }) => [title, state])
      assert.deepEqual(there, [
        ['Theirs', 'closed'],
        ['Ours', 'open'],
      ])
      const here = (await world.alice.bugs.list({})).items.map(({ title, status }) => [title, status])
      assert.deepEqual(here.toSorted(), [
        ['Ours', 'open'],
        ['Theirs', 'resolved'],
      ])
    })
  },
  settings,
)

onEveryEngine(
  'someone at a repository whose budget here is used up',
  (it) => {
    it('holds no one else up', async (world) => {
      const { settle } = await link(world)
      const stranger = github.act('stranger')
      for (let n = 1; n <= 12; n++) stranger.open(`Much ${n}`)
      await settle()
      const count = async (name: string) =>
        (await world.admin.bugs.list({ per_page: 100 })).items.filter(({ authorUsername }) => authorUsername === name)
          .length
      const taken = await count('stranger')
      assert.ok(taken > 0 && taken < 12, String(taken))
      github.act('octocat').open('One')
      const { id } = await world.alice.bugs.create(report)
      await settle()
      assert.equal(await count('octocat'), 1)
      assert.ok(
        github.issues.some(({ title }) => title === report.title),
        id,
      )
      const [row] = (await world.admin.trackers.list()).items
      assert.equal(row?.restUntil, null)
      world.clock.pass(86_400)
      await settle()
      assert.ok((await count('stranger')) > taken, 'the rest comes later')
    })
  },
  { ...settings, RATE_LIMITS: 'on' },
)
