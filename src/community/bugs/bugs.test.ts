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
    assert.deepEqual(await moderator.bugs.triage({ id, status: 'open', severity: 'low' }), {
      status: 'open',
      severity: 'low',
    })
    await assert.rejects(moderator.bugs.triage({ id }), { status: 400 })
    await assert.rejects(moderator.bugs.triage({ id: 'nothing', status: 'open' }), { status: 404 })
  })
})
