// Filters that moderators share in boards, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { erase } from '../../../test/erasure.ts'
import { verify } from '../../../test/visitor.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { MAX_SHARED } from './rules.ts'

const bugs = { name: 'Open bugs', path: '/community/bugs?status=open' }
const staffBugs = { board: 'staff', name: 'Worst', path: '/community/bugs?board=staff&severity=critical' }
const ANYWHERE = '/community/bugs?status='

/** A board that moderators read, and one that everybody reads. */
async function twoBoards({ admin }: World) {
  await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
  await admin.boards.create({ slug: 'labs', name: 'Labs', position: 2 })
}

onEveryEngine('shared filters', (it) => {
  it('are shared by moderators, renamed and taken out, and seen by all who read the board', async (world) => {
    const { moderator, alice, anonymous } = world
    await assert.rejects(alice.savedFilters.share({ board: 'main', ...bugs }), { status: 403 })
    await assert.rejects(anonymous.savedFilters.share({ board: 'main', ...bugs }), { status: 401 })
    const made = await moderator.savedFilters.share({ board: 'main', ...bugs })
    const named = { name: 'Latest', path: '/community/posts?board=main&sort=latest' }
    const other = await moderator.savedFilters.share({ board: 'main', ...named })
    assert.deepEqual(other.path, named.path)
    assert.deepEqual(await anonymous.savedFilters.listShared({ board: 'main' }), { items: [other, made] })
    const renamed = await moderator.savedFilters.share({ board: 'main', ...bugs, name: 'All open' })
    assert.deepEqual(renamed, { ...made, name: 'All open' })
    assert.deepEqual(await moderator.savedFilters.list({}), { items: [] })
    await assert.rejects(alice.savedFilters.unshare({ board: 'main', id: made.id }), { status: 403 })
    await moderator.savedFilters.unshare({ board: 'main', id: made.id })
    await assert.rejects(moderator.savedFilters.unshare({ board: 'main', id: made.id }), { status: 404 })
    assert.deepEqual((await alice.savedFilters.listShared({ board: 'main' })).items, [other])
  })

  it('of a closed board are nothing to others, who cannot save a list of it either', async (world) => {
    const { moderator, alice, anonymous } = world
    await twoBoards(world)
    const { id } = await moderator.savedFilters.share(staffBugs)
    for (const person of [alice, anonymous])
      await assert.rejects(person.savedFilters.listShared({ board: 'staff' }), { status: 404 })
    await assert.rejects(alice.savedFilters.share(staffBugs), { status: 404 })
    await assert.rejects(alice.savedFilters.unshare({ board: 'staff', id }), { status: 404 })
    await assert.rejects(moderator.savedFilters.unshare({ board: 'labs', id }), { status: 404 })
    const { name, path } = staffBugs
    await assert.rejects(alice.savedFilters.save({ name, path }), { status: 404 })
    await moderator.savedFilters.save({ name, path })
    assert.equal((await moderator.savedFilters.list({})).items.length, 1)
  })

  it('that an account saved of a board are gone from its list when it does not read the board any more', async (world) => {
    const { admin, alice } = world
    await twoBoards(world)
    await alice.savedFilters.save({ name: 'Labs', path: '/community/bugs?board=labs' })
    assert.equal((await alice.savedFilters.list({})).items.length, 1)
    await admin.boards.update({ board: 'labs', readers: 'roles: moderator' })
    assert.deepEqual(await alice.savedFilters.list({}), { items: [] })
    await admin.boards.update({ board: 'labs', readers: 'everyone' })
    assert.equal((await alice.savedFilters.list({})).items.length, 1)
  })

  it('are lists of their board alone, with filters that the list has', async (world) => {
    const { moderator } = world
    await twoBoards(world)
    const wrong = [
      ['labs', '/community/bugs?board=staff'],
      ['labs', '/community/bugs?status=open'],
      ['main', '/community/bugs?board=labs'],
      ['main', '/community/orgs?sort=popular'],
      ['main', '/search?q=x'],
      ['main', 'https://evil.example/'],
      ['main', `${ANYWHERE}sideways`],
      ['main', `${ANYWHERE}open&colour=red`],
      ['main', `${ANYWHERE}open&status=resolved`],
      ['main', `${ANYWHERE}open&page=2`],
      ['main', '/community/posts?severity=low'],
    ] as const
    for (const [board, path] of wrong)
      await assert.rejects(moderator.savedFilters.share({ board, name: 'x', path }), { status: 400 }, path)
    for (const name of ['', 'x'.repeat(61)])
      await assert.rejects(moderator.savedFilters.share({ board: 'main', ...bugs, name }), { status: 400 })
    await moderator.savedFilters.share({ board: 'main', ...bugs, name: 'x'.repeat(60) })
  })

  it('are shared by the moderators of a board, go along when its address changes, and go with it', async (world) => {
    const { admin, alice, bob, db } = world
    await verify(world, await alice.account())
    await alice.teams.create({ name: 'Core', slug: 'core' })
    await admin.boards.create({ slug: 'labs', name: 'Labs', moderators: 'teams: core' })
    const own = { board: 'labs', name: 'Ours', path: '/community/features?board=labs&status=planned' }
    await assert.rejects(bob.savedFilters.share(own), { status: 403 })
    await assert.rejects(alice.savedFilters.share({ board: 'main', ...bugs }), { status: 403 })
    const made = await alice.savedFilters.share(own)
    await admin.boards.update({ board: 'labs', slug: 'lab' })
    const path = '/community/features?board=lab&status=planned'
    assert.deepEqual((await bob.savedFilters.listShared({ board: 'lab' })).items, [{ ...made, path }])
    const again = await alice.savedFilters.share({ board: 'lab', name: 'Again', path })
    assert.deepEqual(again, { ...made, name: 'Again', path })
    await admin.boards.archive({ board: 'lab', archived: true })
    await assert.rejects(alice.savedFilters.share({ board: 'lab', name: 'Again', path }), { status: 409 })
    await admin.boards.delete({ board: 'lab' })
    assert.deepEqual(await db.selectFrom('sharedFilter').select('id').execute(), [])
  })

  it('are at most fifty in a board, however many are shared at once, and in the audit log', async (world) => {
    const { admin, moderator, db } = world
    const row = (at: number) => ({
      ...{ id: `s${at}`, boardId: null, userId: null, name: 'x', path: `/community/bugs?q=${at}` },
      createdAt: '2026-01-01T00:00:00.000Z',
    })
    for (let at = 0; at < MAX_SHARED - 1; at++) await db.insertInto('sharedFilter').values(row(at)).execute()
    const shares = [1, 2, 3].map((at) =>
      moderator.savedFilters.share({ board: 'main', name: `New ${at}`, path: `/community/posts?q=${at}` }),
    )
    const results = await Promise.allSettled(shares)
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await moderator.savedFilters.listShared({ board: 'main' })).items.length, MAX_SHARED)
    await assert.rejects(moderator.savedFilters.share({ board: 'main', ...bugs }), { status: 409 })
    await moderator.savedFilters.share({ board: 'main', name: 'Renamed', path: '/community/bugs?q=0' })
    const { items } = await admin.admin.listAudit({ action: 'board.share-filter' })
    assert.equal(items.length, 2)
    assert.equal(items[0]?.detail?.['filter'], 'Renamed')
  })

  it('stay when the account is erased that shared them', async (world) => {
    const { moderator, anonymous, db } = world
    await moderator.savedFilters.share({ board: 'main', ...bugs })
    await erase(world, moderator)
    assert.equal((await anonymous.savedFilters.listShared({ board: 'main' })).items.length, 1)
    assert.deepEqual(await db.selectFrom('sharedFilter').select('userId').execute(), [{ userId: null }])
  })
})
