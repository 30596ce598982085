// Through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine } from '../../../test/world.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

onEveryEngine('bugs', (it) => {
  it('are filed open, by whoever is signed in, and read back by anybody', async ({ alice, stranger }) => {
    const bug = await alice.bugs.create({ ...crash, title: '  Crash  ' })
    const { id: authorId } = await alice.account()
    assert.equal(bug.title, 'Crash')
    assert.equal(bug.status, 'open')
    assert.equal(bug.createdAt, bug.updatedAt)
    assert.deepEqual(await stranger.bugs.get({ id: bug.id }), {
      ...bug,
      authorId,
      authorUsername: null,
      score: 0,
      myVote: 0,
      commentCount: 0,
      labels: [],
      url: `/community/bugs/${bug.id}`,
    })
  })

  it('lets moderators triage, and nobody below them', async ({ alice, moderator }) => {
    const { id } = await alice.bugs.create(crash)
    await assert.rejects(alice.bugs.triage({ id, status: 'resolved' }), { status: 403, message: 'Forbidden' })
    assert.deepEqual(await moderator.bugs.triage({ id, status: 'resolved' }), { status: 'resolved' })
    assert.deepEqual(await moderator.bugs.triage({ id, status: 'open', severity: 'low', reason: 'Rare' }), {
      status: 'open',
      severity: 'low',
    })
    await assert.rejects(moderator.bugs.triage({ id }), { status: 400 })
    await assert.rejects(moderator.bugs.triage({ id, reason: 'None' }), { status: 400 })
    await assert.rejects(moderator.bugs.triage({ id: 'nothing', status: 'open' }), { status: 404 })
  })

  it('are removed by their author while nobody has commented', async ({ alice, bob, moderator }) => {
    const { id } = await alice.bugs.create(crash)
    await bob.bugs.vote({ id, value: 1 })
    const { id: commentId } = await bob.bugs.comment({ id, body: 'Here too' })
    await assert.rejects(alice.bugs.delete({ id }), { status: 403, message: 'Forbidden' })
    await bob.bugs.deleteComment({ id, commentId })
    assert.deepEqual(await alice.bugs.delete({ id }), { id })
    const other = await alice.bugs.create(crash)
    await bob.bugs.comment({ id: other.id, body: 'Here too' })
    assert.deepEqual(await moderator.bugs.delete({ id: other.id }), { id: other.id })
  })

  it('are guarded alike whether they exist or not, for everybody but moderators', async (world) => {
    const { alice, bob, moderator, blocked, stranger } = world
    const { id } = await alice.bugs.create(crash)
    for (const wrong of [bob, blocked]) {
      for (const bug of [id, 'nothing']) {
        const answer = await wrong.request(`/api/community/bugs/${bug}`, { method: 'DELETE' })
        assert.equal(answer.status, 403)
        assert.equal(await answer.text(), '{"error":"Forbidden"}')
      }
    }
    await assert.rejects(stranger.bugs.delete({ id }), { status: 401 })
    await assert.rejects(moderator.bugs.delete({ id: 'nothing' }), { status: 404 })
    await assert.rejects(alice.bugs.delete({ id, reason: 'x'.repeat(501) }), { status: 400 })
    assert.deepEqual(await alice.bugs.delete({ id, reason: 'x'.repeat(500) }), { id })
  })

  it('leave nothing behind', async ({ alice, bob, moderator, db }) => {
    const { id } = await alice.bugs.create(crash)
    const label = await moderator.labels.create({ name: 'ui', color: '#336699' })
    await moderator.bugs.attachLabel({ id, labelId: label.id })
    await bob.bugs.vote({ id, value: 1 })
    await bob.bugs.comment({ id, body: 'Here too' })
    await moderator.bugs.delete({ id })
    for (const table of ['bug', 'bugLabel', 'vote', 'comment', 'feedEntry'] as const) {
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table)
    }
    const counts = await db.selectFrom('tally').selectAll().where('count', '!=', 0).execute()
    assert.deepEqual(counts, [])
    const texts = await db.selectFrom('searchText').select('id').where('type', '=', 'bug').execute()
    assert.deepEqual(texts, [])
  })

  it('are in the audit log when somebody else acts on them, with the reason', async ({ alice, moderator, admin }) => {
    const { id } = await alice.bugs.create(crash)
    const label = await moderator.labels.create({ name: 'ui', color: '#336699' })
    const { id: commentId } = await alice.bugs.comment({ id, body: 'It happens daily' })
    await moderator.bugs.triage({ id, status: 'wontfix', reason: '  Not ours ' })
    await moderator.bugs.attachLabel({ id, labelId: label.id })
    await moderator.bugs.attachLabel({ id, labelId: label.id })
    await moderator.bugs.detachLabel({ id, labelId: label.id, reason: 'Wrong one' })
    await moderator.bugs.deleteComment({ id, commentId, reason: 'Rude' })
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ reason: 'A copy' })
    await moderator.request(`/api/community/bugs/${id}`, { method: 'DELETE', headers, body })
    const own = await moderator.bugs.create(crash)
    await moderator.bugs.triage({ id: own.id, status: 'resolved' })
    await moderator.bugs.delete({ id: own.id })

    const { id: actorId } = await moderator.account()
    const { id: authorId } = await alice.account()
    const { items } = await admin.admin.listAudit({ actorId })
    assert.deepEqual(
      items.reverse().map(({ action, targetType, targetId, reason }) => [action, targetType, targetId, reason]),
      [
        ['bug.triage', 'bug', id, 'Not ours'],
        ['bug.label', 'bug', id, null],
        ['bug.unlabel', 'bug', id, 'Wrong one'],
        ['comment.delete', 'comment', commentId, 'Rude'],
        ['bug.delete', 'bug', id, 'A copy'],
      ],
    )
    assert.deepEqual(items[0]!.detail, {
      authorId,
      from: { status: 'open', severity: 'high' },
      to: { status: 'wontfix' },
    })
    assert.deepEqual(items[4]!.detail, { authorId, title: 'Crash' })
  })

  it('are filtered by everything at once, and counted right', async ({ alice, bob, moderator, stranger }) => {
    const ui = await moderator.labels.create({ name: 'UI', color: '#336699' })
    const net = await moderator.labels.create({ name: 'net', color: '#339966' })
    const bugs = []
    for (let n = 0; n < 12; n++) {
      const severity = n % 2 ? 'low' : 'high'
      const bug = await (n % 3 ? alice : bob).bugs.create({ ...crash, title: `Crash ${n}`, severity })
      if (n % 4 === 0) await moderator.bugs.attachLabel({ id: bug.id, labelId: ui.id })
      if (n % 6 === 0) await moderator.bugs.attachLabel({ id: bug.id, labelId: net.id })
      if (n % 4 === 0) await moderator.bugs.triage({ id: bug.id, status: 'resolved' })
      if (n % 5 === 0) await alice.bugs.vote({ id: bug.id, value: 1 })
      bugs.push(bug)
    }
    await moderator.bugs.detachLabel({ id: bugs[8]!.id, labelId: ui.id })
    await moderator.bugs.delete({ id: bugs[6]!.id })
    const { id: authorId } = await bob.account()
    const numbers = async (input: Parameters<typeof stranger.bugs.list>[0]) => {
      const { items, total } = await stranger.bugs.list(input)
      assert.equal(total, items.length, JSON.stringify(input))
      return items.map(({ title }) => Number(title.slice(6)))
    }
    assert.deepEqual(await numbers({}), [11, 10, 9, 8, 7, 5, 4, 3, 2, 1, 0])
    assert.deepEqual(await numbers({ sort: 'popular' }), [10, 5, 0, 11, 9, 8, 7, 4, 3, 2, 1])
    assert.deepEqual(await numbers({ status: 'resolved' }), [8, 4, 0])
    assert.deepEqual(await numbers({ severity: 'low', status: 'open' }), [11, 9, 7, 5, 3, 1])
    assert.deepEqual(await numbers({ authorId }), [9, 3, 0])
    assert.deepEqual(await numbers({ authorId, status: 'resolved' }), [0])
    assert.deepEqual(await numbers({ label: ui.id }), [4, 0])
    assert.deepEqual(await numbers({ label: 'ui', sort: 'popular' }), [0, 4])
    assert.deepEqual(await numbers({ label: 'UI', status: 'open' }), [])
    assert.deepEqual(await numbers({ label: 'net' }), [0])
    assert.deepEqual(await numbers({ label: 'net', authorId, status: 'resolved', severity: 'high', q: 'crash' }), [0])
    assert.deepEqual(await numbers({ label: 'ui', authorId }), [0])
    assert.deepEqual(await numbers({ label: 'nothing' }), [])
    assert.deepEqual(await numbers({ q: 'rash 1' }), [11, 10, 1])
    assert.deepEqual(await numbers({ q: 'rash 1', status: 'resolved' }), [])
    assert.deepEqual(await numbers({ authorId: `${authorId}/open` }), [])
    for (const wrong of [{ status: 'done' }, { severity: 'none' }, { per_page: 101 }]) {
      await assert.rejects(stranger.bugs.list(wrong as never), { status: 400 })
    }
  })
})
