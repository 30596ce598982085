// Notifications about what is in one board, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine } from '../../../test/world.ts'

const bug = { description: 'It stops', severity: 'low' } as const

onEveryEngine('notifications of a board', (it) => {
  it('are those about what is in it', async ({ admin, alice, bob, moderator, app }) => {
    await admin.boards.create({ slug: 'labs', name: 'Labs' })
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
    for (const board of ['main', 'labs', 'main']) {
      const { id } = await alice.bugs.create({ ...bug, title: board, board })
      await bob.bugs.comment({ id, body: 'Hm' })
    }
    const post = await alice.posts.create({ title: 'labs', body: 'B', board: 'labs' })
    await bob.posts.comment({ id: post.id, body: 'Hm' })
    const inside = await moderator.bugs.create({ ...bug, title: 'staff', board: 'staff' })
    await admin.bugs.comment({ id: inside.id, body: 'Hm' })
    await app.deliver()
    const titles = async (board: string | undefined, more: object = {}) =>
      (await alice.notifications.list({ ...more, ...(board !== undefined && { board }) })).items.map(
        ({ target }) => target.title,
      )
    assert.equal((await titles(undefined)).length, 4)
    assert.deepEqual(await titles('main'), ['main', 'main'])
    assert.deepEqual(await titles('labs'), ['labs', 'labs'])
    const first = await alice.notifications.list({ board: 'labs', per_page: 1, cursor: '' })
    assert.equal(first.hasMore, true)
    assert.equal((await titles('labs', { per_page: 1, cursor: first.nextCursor })).length, 1)
    await assert.rejects(titles('main', { cursor: first.nextCursor }), { status: 400 })
    await assert.rejects(titles(undefined, { cursor: first.nextCursor }), { status: 400 })
    assert.deepEqual(await titles('labs', { after: '0' }), ['labs', 'labs'])
    for (const board of ['staff', 'none']) await assert.rejects(titles(board), { status: 404 })
    const ofStaff = (await moderator.notifications.list({ board: 'staff' })).items
    assert.deepEqual(
      ofStaff.map(({ target }) => target.title),
      ['staff'],
    )
  })
})
