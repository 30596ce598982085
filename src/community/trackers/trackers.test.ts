// Two ways with GitHub: a bug here is an issue there, by our operations and by the API and the deliveries of a GitHub of ours.
import assert from 'node:assert/strict'
import { github, link, settings } from '../../../test/trackers.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'

const report = { title: 'The tray jams', description: 'It jams on Mondays.', severity: 'medium' } as const

const onlyBug = async ({ admin }: World) => (await admin.bugs.list({})).items[0]!

onEveryEngine(
  'two ways with GitHub',
  (it) => {
    it('a bug becomes an issue with a mark of who wrote it, once', async (world) => {
      const { settle } = await link(world)
      await world.alice.profile.setUsername({ username: 'alice_w' })
      const { id } = await world.alice.bugs.create(report)
      await settle()
      const [issue, ...more] = github.issues
      assert.deepEqual(more, [])
      assert.equal(issue?.title, report.title)
      assert.match(
        issue?.body ?? '',
        new RegExp(
          `^\\*\\*alice\\\\_w\\*\\* wrote on \\[Guildhall\\]\\(http://localhost:3000/community/bugs/${id}\\):\n\nIt jams on Mondays\\.\n\n<!-- guildhall bug ${id} [\\w-]{22} -->$`,
        ),
      )
    })

    it('an issue becomes a bug of its author, who has an account of their own without a way in', async (world) => {
      const { settle } = await link(world)
      github.act('octocat').open('No yarn', 'There is none.\r\nSee #7.')
      await settle()
      const found = await onlyBug(world)
      assert.deepEqual(
        [found.title, found.description, found.authorUsername, found.status],
        ['No yarn', 'There is none.\nSee acme/looms#7.', 'octocat', 'open'],
      )
      const { importedFrom } = await world.alice.bugs.get({ id: found.id })
      assert.deepEqual(importedFrom, {
        source: 'github',
        name: 'acme/looms',
        number: 1,
        url: 'https://github.com/acme/looms/issues/1',
      })
    })

    it('edits, comments, labels and states go both ways, and nothing goes in circles', async (world) => {
      const { settle, linkPerson } = await link(world)
      const username = await linkPerson('maintainer', world.moderator)
      const { id: labelId } = await world.moderator.labels.create({ name: 'mail', color: '#336699' })
      const { id } = await world.alice.bugs.create(report)
      await world.bob.bugs.comment({ id, body: 'Here too, @octocat' })
      await world.moderator.bugs.attachLabel({ id, labelId })
      await world.moderator.bugs.triage({ id, status: 'wontfix' })
      await settle()
      const issue = github.issue(1)
      assert.deepEqual([issue.state, issue.state_reason, issue.labels], ['closed', 'not_planned', ['mail']])
      assert.match(issue.comments[0]?.body ?? '', /wrote on .*\n\nHere too, @\u200boctocat\n\n<!-- guildhall comment/)
      const there = github.act('maintainer')
      there.edit(1, { title: 'The tray jams often', body: issue.body?.replace('Mondays', 'Tuesdays'), state: 'open' })
      there.comment(1, 'I look at it')
      there.unlabel(1, 'mail')
      await settle()
      const bug = await world.alice.bugs.get({ id })
      assert.deepEqual(
        [bug.title, bug.description, bug.status, bug.labels],
        ['The tray jams often', 'It jams on Tuesdays.', 'open', []],
      )
      const { items } = await world.alice.bugs.comments({ id })
      assert.deepEqual(items.map(({ body, authorUsername }) => [body, authorUsername])[1], ['I look at it', username])
      const before = github.requests.length
      await settle()
      assert.deepEqual(
        github.requests.slice(before).filter(({ method }) => method !== 'GET'),
        [],
      )
      assert.equal(github.issues.length, 1)
      assert.equal(issue.comments.length, 2)
    })

    it('someone without a member changes their own texts alone: the rest is put back', async (world) => {
      const { settle } = await link(world)
      const { id: labelId } = await world.moderator.labels.create({ name: 'mail', color: '#336699' })
      assert.ok(labelId)
      const { id } = await world.alice.bugs.create(report)
      await settle()
      const stranger = github.act('stranger')
      stranger.edit(1, { title: 'Spam', body: 'Spam', state: 'closed' })
      stranger.label(1, 'mail')
      const own = stranger.comment(1, 'My own')
      await settle()
      const issue = github.issue(1)
      assert.deepEqual([issue.title, issue.state, issue.labels], [report.title, 'open', []])
      assert.match(issue.body ?? '', /It jams on Mondays/)
      const bug = await world.alice.bugs.get({ id })
      assert.deepEqual([bug.title, bug.description, bug.status], [report.title, report.description, 'open'])
      stranger.editComment(1, own.id, 'My own words')
      await settle()
      assert.deepEqual(
        (await world.alice.bugs.comments({ id })).items.map(({ body }) => body),
        ['My own words'],
      )
      stranger.deleteComment(1, own.id)
      await settle()
      assert.deepEqual((await world.alice.bugs.comments({ id })).items, [])
    })

    it('of two edits of a field the later one counts, and the other one is in the history', async (world) => {
      const { settle, linkPerson } = await link(world)
      await linkPerson('maintainer', world.moderator)
      const { id } = await world.alice.bugs.create(report)
      await settle()
      const there = github.act('maintainer')
      there.edit(1, { title: 'Theirs, first' })
      world.clock.pass(5)
      await world.alice.bugs.edit({ id, title: 'Ours, later' })
      await settle()
      assert.equal(github.issue(1).title, 'Ours, later')
      const first = (await world.alice.bugs.revisions({ id })).items.flatMap(({ changes }) =>
        changes.map(({ after }) => after),
      )
      assert.ok(first.includes('Theirs, first'), first.join())
      world.clock.pass(5)
      await world.alice.bugs.edit({ id, title: 'Ours, first' })
      world.clock.pass(5)
      there.edit(1, { title: 'Theirs, later' })
      await settle()
      assert.equal((await world.alice.bugs.get({ id })).title, 'Theirs, later')
      const second = (await world.alice.bugs.revisions({ id })).items.flatMap(({ changes }) =>
        changes.map(({ before }) => before),
      )
      assert.ok(second.includes('Ours, first'))
    })

    it('what no delivery told is found by asking', async (world) => {
      const { poll } = await link(world)
      const { id } = await world.alice.bugs.create(report)
      await poll()
      const octocat = github.act('octocat')
      octocat.open('No yarn')
      const comment = octocat.comment(1, 'First')
      await poll()
      assert.equal((await world.alice.bugs.list({})).total, 2)
      octocat.editComment(1, comment.id, 'Second')
      await poll()
      assert.deepEqual(
        (await world.alice.bugs.comments({ id })).items.map(({ body }) => body),
        ['Second'],
      )
    })

    it('an answer that got lost makes nothing twice', async (world) => {
      const { settle } = await link(world)
      const { id } = await world.alice.bugs.create(report)
      github.losesAnswer = true
      await settle()
      world.clock.pass(10)
      await settle()
      assert.equal(github.issues.length, 1)
      await world.bob.bugs.comment({ id, body: 'Here too' })
      github.losesAnswer = true
      await settle()
      world.clock.pass(10)
      await settle()
      assert.equal(github.issue(1).comments.length, 1)
      assert.equal((await world.alice.bugs.comments({ id })).total, 1)
      await world.alice.bugs.edit({ id, title: 'Another title' })
      await settle()
      assert.equal(github.issue(1).title, 'Another title')
    })

    it('what is gone here is closed there, and a comment that is gone goes', async (world) => {
      const { settle } = await link(world)
      const { id } = await world.alice.bugs.create(report)
      const { id: commentId } = await world.bob.bugs.comment({ id, body: 'Here too' })
      await settle()
      assert.equal(github.issue(1).comments.length, 1)
      await world.bob.comments.delete({ id: commentId })
      await settle()
      assert.equal(github.issue(1).comments.length, 0)
      await world.moderator.bugs.delete({ id })
      await settle()
      assert.deepEqual([github.issue(1).state, github.issue(1).state_reason], ['closed', 'not_planned'])
      github.act('octocat').comment(1, 'Why?')
      await settle()
      assert.equal((await world.alice.bugs.list({})).total, 0)
    })
  },
  settings,
)
