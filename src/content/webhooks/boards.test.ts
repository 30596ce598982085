// Webhooks of one board: of an open one, and of a closed one, which no other webhook hears of.
import assert from 'node:assert/strict'
import { assertSound } from '../../../test/sound.ts'
import { home, type Receiver, receiving } from '../../../test/webhook-receiver.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'

const bug = { title: 'Crash', description: 'It stops', severity: 'low' } as const
const BOARDS = ['main', 'labs', 'staff'] as const

interface Scene {
  /** What each webhook got since it was asked last: `board event title`. */
  told(): Promise<string[]>
  receiver: Receiver
}

/** A webhook of each board, and one of none, with two boards beside the first one. */
const withBoards = (world: World, run: (scene: Scene) => Promise<void>) =>
  receiving(async (receiver) => {
    const { admin, app, dependencies } = world
    dependencies.reach = home
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
    await admin.boards.create({ slug: 'labs', name: 'Labs' })
    for (const board of BOARDS) await admin.webhooks.create({ url: `${receiver.url}?${board}`, board })
    await admin.webhooks.create({ url: `${receiver.url}?all` })
    const told = async () => {
      await app.deliver()
      await app.sendWebhooks()
      const lines = receiver.arrived.splice(0).map(({ path, body }) => {
        const { type, data } = JSON.parse(body)
        return `${path.split('?')[1]} ${type} ${data.target.title ?? '-'}`
      })
      return lines.sort()
    }
    await run({ told, receiver })
  })

onEveryEngine('a webhook of a board', (it) => {
  it('gets what happens to things in it, and nothing of others', (world) =>
    withBoards(world, async ({ told }) => {
      const { alice, moderator } = world
      const inMain = await alice.bugs.create({ ...bug, title: 'M' })
      const inLabs = await alice.bugs.create({ ...bug, title: 'L', board: 'labs' })
      const inStaff = await moderator.bugs.create({ ...bug, title: 'S', board: 'staff' })
      assert.deepEqual(await told(), [
        ...['all bug.created L', 'all bug.created M', 'labs bug.created L', 'main bug.created M'],
        'staff bug.created S',
      ])
      const all = [inMain, inLabs, inStaff]
      const comments = []
      for (const { id } of all) comments.push(await moderator.bugs.comment({ id, body: 'Hm' }))
      assert.deepEqual(await told(), [
        ...['all comment.created L', 'all comment.created M', 'labs comment.created L', 'main comment.created M'],
        'staff comment.created S',
      ])
      for (const { id } of all) await moderator.bugs.triage({ id, status: 'resolved' })
      assert.deepEqual(await told(), [
        ...['all bug.status_changed L', 'all bug.status_changed M', 'labs bug.status_changed L'],
        ...['main bug.status_changed M', 'staff bug.status_changed S'],
      ])
      for (const { id } of comments) await moderator.comments.delete({ id })
      assert.deepEqual(await told(), [
        ...['all comment.deleted -', 'all comment.deleted -', 'labs comment.deleted -', 'main comment.deleted -'],
        'staff comment.deleted -',
      ])
      for (const { id } of all) await moderator.bugs.delete({ id })
      assert.deepEqual(await told(), [
        ...['all bug.deleted -', 'all bug.deleted -', 'labs bug.deleted -', 'main bug.deleted -'],
        'staff bug.deleted -',
      ])
      await assertSound(world)
    }))

  it('hears that a thing left it for readers of another one, and what came into it', (world) =>
    withBoards(world, async ({ told }) => {
      const { moderator } = world
      const { id } = await moderator.posts.create({ title: 'P', body: 'B', board: 'labs' })
      await told()
      const move = { type: 'post', id, confirm: true } as const
      await moderator.boards.move({ ...move, board: 'staff' })
      assert.deepEqual(await told(), ['all post.deleted -', 'labs post.deleted -'])
      await moderator.posts.edit({ id, body: 'C' })
      assert.deepEqual(await told(), ['staff post.edited P'])
      await moderator.boards.move({ ...move, board: 'main' })
      assert.deepEqual(await told(), ['all post.created P', 'main post.created P'])
      await assertSound(world)
    }))

  it('of a closed one gets nothing once its owner is no admin, or the thing is elsewhere or hidden', (world) =>
    withBoards(world, async ({ told, receiver }) => {
      const { moderator, admin, app, db } = world
      const create = (title: string) => moderator.bugs.create({ ...bug, title, board: 'staff' })
      const [gone, moved, hidden] = [await create('G'), await create('V'), await create('H')]
      await app.deliver()
      await moderator.bugs.delete({ id: gone.id })
      await moderator.boards.move({ board: 'main', type: 'bug', id: moved.id, confirm: true })
      await db.updateTable('bug').set({ hidden: 66 }).where('id', '=', hidden.id).execute()
      assert.deepEqual(await told(), ['all bug.created V', 'main bug.created V', 'staff bug.deleted -'])
      await create('N')
      await app.deliver()
      const { id } = await admin.account()
      await db.updateTable('user').set({ role: 'moderator' }).where('id', '=', id).execute()
      await app.sendWebhooks()
      assert.deepEqual(receiver.arrived, [])
    }))

  it('tells nobody else of what is in a closed one by notifications', (world) =>
    withBoards(world, async ({ told }) => {
      const { alice, moderator, admin, bob } = world
      await alice.profile.setUsername({ username: 'quokka' })
      await moderator.profile.setUsername({ username: 'wanda' })
      await bob.follows.set({ id: (await moderator.account()).id, state: 'following' })
      const { id } = await moderator.bugs.create({ ...bug, description: 'Hello @quokka', board: 'staff' })
      await moderator.bugs.comment({ id, body: 'And @quokka again' })
      assert.equal((await told()).length, 2)
      for (const person of [alice, bob, admin]) assert.deepEqual((await person.notifications.list({})).items, [])
    }))

  it('is of a board that there is, and says of which', async ({ admin, dependencies }) => {
    dependencies.reach = home
    const url = 'https://localhost/hook'
    await assert.rejects(admin.webhooks.create({ url, board: 'none' }), { status: 404 })
    const { id } = await admin.boards.create({ slug: 'labs', name: 'Labs' })
    assert.equal((await admin.webhooks.create({ url, board: 'labs' })).boardId, id)
    assert.equal((await admin.webhooks.create({ url })).boardId, null)
  })

  it('can get another board, or all of them, and what waits of the one before is sent no more', (world) =>
    withBoards(world, async ({ told, receiver }) => {
      const { admin, alice, moderator, app } = world
      const { items } = await admin.webhooks.list()
      const { id } = items.find(({ url }) => url.endsWith('?staff'))!
      await moderator.bugs.create({ ...bug, title: 'S', board: 'staff' })
      await app.deliver()
      const labs = await admin.boards.get({ board: 'labs' })
      assert.equal((await admin.webhooks.update({ id, board: 'labs' })).boardId, labs.id)
      assert.deepEqual(await told(), [], 'it is of the other board by now')
      await alice.bugs.create({ ...bug, title: 'L', board: 'labs' })
      await moderator.bugs.create({ ...bug, title: 'S2', board: 'staff' })
      assert.deepEqual(await told(), ['all bug.created L', 'labs bug.created L', 'staff bug.created L'])
      assert.equal((await admin.webhooks.update({ id, description: 'D' })).boardId, labs.id, 'what is not given stays')
      assert.equal((await admin.webhooks.update({ id, board: null })).boardId, null)
      await alice.bugs.create({ ...bug, title: 'M' })
      await moderator.bugs.create({ ...bug, title: 'S3', board: 'staff' })
      assert.deepEqual(await told(), ['all bug.created M', 'main bug.created M', 'staff bug.created M'])
      await assert.rejects(admin.webhooks.update({ id, board: 'none' }), { status: 404 })
      for (const person of [alice, moderator])
        await assert.rejects(person.webhooks.update({ id, board: 'labs' }), { status: 403 })
      assert.equal(receiver.arrived.length, 0)
    }))
})
