// Whose bug may be removed by whom, and what of it is remembered.
import assert from 'node:assert/strict'
import { onEveryEngine } from '../../test/world.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

onEveryEngine('bugs of others', (it) => {
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
    const { alice, bob, moderator, blocked, anonymous } = world
    const { id } = await alice.bugs.create(crash)
    for (const wrong of [bob, blocked]) {
      for (const bug of [id, 'nothing']) {
        const answer = await wrong.request(`/api/community/bugs/${bug}`, { method: 'DELETE' })
        assert.equal(answer.status, 403)
        assert.equal(await answer.text(), '{"error":"Forbidden"}')
      }
    }
    await assert.rejects(anonymous.bugs.delete({ id }), { status: 401 })
    await assert.rejects(moderator.bugs.delete({ id: 'nothing' }), { status: 404 })
    await assert.rejects(alice.bugs.delete({ id, reason: 'x'.repeat(501) }), { status: 400 })
    assert.deepEqual(await alice.bugs.delete({ id, reason: 'x'.repeat(500) }), { id })
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
        ['label.create', 'label', label.id, null],
        ['bug.triage', 'bug', id, 'Not ours'],
        ['bug.label', 'bug', id, null],
        ['bug.unlabel', 'bug', id, 'Wrong one'],
        ['comment.delete', 'comment', commentId, 'Rude'],
        ['bug.delete', 'bug', id, 'A copy'],
      ],
    )
    assert.deepEqual(items[1]!.detail, {
      authorId,
      from: { status: 'open', severity: 'high' },
      to: { status: 'wontfix' },
    })
    assert.deepEqual(items[5]!.detail, { authorId, title: 'Crash' })
  })
})
