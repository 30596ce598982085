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

  it('fill a page with what is beyond many that are not in it, in both directions', async ({
    admin,
    alice,
    bob,
    app,
  }) => {
    await admin.boards.create({ slug: 'labs', name: 'Labs' })
    const inLabs = await alice.bugs.create({ ...bug, title: 'labs', board: 'labs' })
    const inMain = await alice.bugs.create({ ...bug, title: 'main', board: 'main' })
    const comment = ({ id }: { id: string }) => bob.bugs.comment({ id, body: 'Hm' })
    for (const thing of [inLabs, ...Array.from({ length: 55 }, () => inMain), inLabs]) await comment(thing)
    await app.deliver()
    const ids = async (more: object) =>
      (await alice.notifications.list({ board: 'labs', per_page: 1, ...more })).items.map(({ id }) => id)
    const [newest, oldest] = [await ids({}), await ids({ after: '0' })]
    assert.deepEqual([newest, oldest], [['57'], ['1']])
    assert.deepEqual(await ids({ before: '57' }), ['1'])
    assert.deepEqual(await ids({ after: '1' }), ['57'])
    assert.deepEqual(await ids({ before: '1' }), [])
    assert.deepEqual(await ids({ per_page: 2 }), ['57', '1'])
    assert.deepEqual(await ids({ per_page: 3 }), ['57', '1'])
  })
})
