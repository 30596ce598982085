// Through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import type { Role } from '../../contract/operation.ts'
import { grantRole } from '../../identity/roles.ts'

const idOf = async (person: Person) => (await person.account()).id

async function promoted({ person, dependencies }: World, name: string, role: Role): Promise<Person> {
  const somebody = person(name)
  await grantRole(dependencies, (await somebody.account()).email, { role, now: new Date().toISOString() })
  return somebody
}

onEveryEngine('blocking', (it) => {
  it('is for moderators and admins', async ({ alice, bob, moderator, admin, blocked, anonymous }) => {
    const id = await idOf(bob)
    await assert.rejects(anonymous.admin.block({ id, blocked: true }), { status: 401 })
    for (const wrong of [alice, blocked]) {
      await assert.rejects(wrong.admin.block({ id, blocked: true }), { status: 403, message: 'Forbidden' })
    }
    const { blockedAt } = await moderator.admin.block({ id, blocked: true })
    assert.match(blockedAt!, /^\d{4}-.*Z$/)
    assert.deepEqual(await admin.admin.block({ id, blocked: true }), { blockedAt })
    assert.deepEqual(await admin.admin.block({ id, blocked: false }), { blockedAt: null })
    assert.deepEqual(await admin.admin.block({ id, blocked: false }), { blockedAt: null })
    await assert.rejects(moderator.admin.block({ id: 'nobody', blocked: true }), { status: 404 })
    await assert.rejects(moderator.admin.block({ id, blocked: 'yes' as never }), { status: 400 })
    await assert.rejects(moderator.admin.block({ id } as never), { status: 400 })
  })

  it('ends every session at once, for good', async ({ alice, bob, moderator, anonymous, db }) => {
    const id = await idOf(alice)
    await bob.account()
    await moderator.admin.block({ id, blocked: true })
    await assert.rejects(alice.profile.me(), { status: 401 })
    const password = { email: alice.email, password: 'alice has a password' }
    await assert.rejects(anonymous.accounts.signIn(password), { status: 403 })
    await moderator.admin.block({ id, blocked: false })
    await assert.rejects(alice.profile.me(), { status: 401 })
    assert.equal((await anonymous.accounts.signIn(password)).user.id, id)
    const sessions = await db.selectFrom('session').select('userId').execute()
    assert.ok(sessions.some(({ userId }) => userId !== id))
  })

  it('hides what the account has in the feed, until it is let in again', async ({ alice, moderator, anonymous }) => {
    await alice.posts.create({ title: 'Hello', body: 'I am new here' })
    const shown = async () => (await anonymous.feed.list()).items.length
    assert.equal(await shown(), 1)
    await moderator.admin.block({ id: await idOf(alice), blocked: true })
    assert.equal(await shown(), 0)
    await moderator.admin.block({ id: await idOf(alice), blocked: false })
    assert.equal(await shown(), 1)
  })

  it('cannot be done to oneself', async (world) => {
    const { moderator, admin } = world
    await promoted(world, 'other', 'admin')
    for (const one of [moderator, admin]) {
      const self = one.admin.block({ id: await idOf(one), blocked: true })
      await assert.rejects(self, { status: 409, message: 'You cannot block yourself' })
      assert.ok(await one.accounts.getSession())
    }
  })

  it('does not reach upwards: a moderator cannot block an admin, but may let one in again', async (world) => {
    const { moderator, admin } = world
    const other = await promoted(world, 'other', 'admin')
    const id = await idOf(other)
    await assert.rejects(moderator.admin.block({ id, blocked: true }), { status: 403, message: 'Forbidden' })
    await admin.admin.block({ id, blocked: true })
    assert.deepEqual(await moderator.admin.block({ id, blocked: false }), { blockedAt: null })
    assert.deepEqual(await admin.admin.block({ id, blocked: false }), { blockedAt: null })
  })
})

onEveryEngine('roles', (it) => {
  it('are given by admins', async ({ alice, bob, moderator, admin, blocked, anonymous }) => {
    const id = await idOf(alice)
    await assert.rejects(anonymous.admin.setRole({ id, role: 'admin' }), { status: 401 })
    for (const wrong of [alice, bob, moderator, blocked]) {
      await assert.rejects(wrong.admin.setRole({ id, role: 'admin' }), { status: 403, message: 'Forbidden' })
    }
    assert.deepEqual(await admin.admin.setRole({ id, role: 'moderator' }), { role: 'moderator' })
    const bug = await bob.bugs.create({ title: 'Crash', description: 'It stops', severity: 'low' })
    assert.deepEqual(await alice.bugs.triage({ id: bug.id, status: 'resolved' }), { status: 'resolved' })
    assert.deepEqual(await admin.admin.setRole({ id, role: 'member' }), { role: 'member' })
    await assert.rejects(alice.bugs.triage({ id: bug.id, status: 'open' }), { status: 403 })
    await assert.rejects(admin.admin.setRole({ id, role: 'owner' as never }), { status: 400 })
    await assert.rejects(admin.admin.setRole({ id: 'nobody', role: 'member' }), { status: 404 })
  })

  it('leave the last admin, who can be neither blocked nor demoted', async (world) => {
    const { admin } = world
    const id = await idOf(admin)
    for (const role of ['member', 'moderator'] as const) {
      await assert.rejects(admin.admin.setRole({ id, role }), { status: 409 })
    }
    await assert.rejects(admin.admin.block({ id, blocked: true }), { status: 409 })
    assert.deepEqual(await admin.admin.setRole({ id, role: 'admin' }), { role: 'admin' })
    const other = await promoted(world, 'other', 'admin')
    await admin.admin.block({ id: await idOf(other), blocked: true })
    await assert.rejects(admin.admin.setRole({ id, role: 'member' }), { status: 409 }, 'the other one is blocked')
    assert.deepEqual(await admin.admin.setRole({ id: await idOf(other), role: 'member' }), { role: 'member' })
    await admin.admin.block({ id: await idOf(other), blocked: false })
    await admin.admin.setRole({ id: await idOf(other), role: 'admin' })
    assert.deepEqual(await admin.admin.setRole({ id, role: 'member' }), { role: 'member' })
  })

  it('leave an admin when several demote and block each other at once', async (world) => {
    const { db } = world
    for (let round = 0; round < 5; round++) {
      const admins = await Promise.all(['a', 'b', 'c'].map((name) => promoted(world, `${name}${round}`, 'admin')))
      const ids = await Promise.all(admins.map(idOf))
      await db.updateTable('user').set({ role: 'member' }).where('id', 'not in', ids).execute()
      const outcomes = await Promise.allSettled([
        ...admins.map((one, n) => one.admin.setRole({ id: ids[(n + 1) % 3]!, role: 'member' })),
        ...admins.map((one, n) => one.admin.block({ id: ids[(n + 2) % 3]!, blocked: true })),
      ])
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.ok([401, 403, 409].includes(outcome.reason.status), outcome.reason)
      }
      const left = await db
        .selectFrom('user')
        .select('id')
        .where('role', '=', 'admin')
        .where('blockedAt', 'is', null)
        .execute()
      assert.ok(left.length >= 1)
    }
  })
})

onEveryEngine('the accounts', (it) => {
  it('are for admins, newest first, with what the interface names', async (world) => {
    const { alice, bob, moderator, admin, blocked, anonymous } = world
    await alice.profile.setUsername({ username: 'Alice-1' })
    await blocked.account()
    for (const wrong of [alice, moderator, blocked]) {
      await assert.rejects(wrong.admin.listUsers(), { status: 403, message: 'Forbidden' })
    }
    await assert.rejects(anonymous.admin.listUsers(), { status: 401 })
    await bob.account()
    const answer = await admin.admin.listUsers()
    assert.deepEqual(Object.keys(answer), ['users'])
    assert.deepEqual(Object.keys(await admin.admin.listUsers({ blocked: 'false' })), ['users', 'hasMore', 'total'])
    const { users } = answer
    assert.equal(users.length, 5)
    const record = users.find(({ email }) => email === alice.email)!
    const { createdAt, ...rest } = record
    assert.deepEqual(rest, {
      id: await idOf(alice),
      email: alice.email,
      username: 'Alice-1',
      role: 'member',
      blockedAt: null,
      deletionAt: null,
    })
    assert.deepEqual(
      users.map((user) => user.createdAt),
      users.map((user) => user.createdAt).sort((a, b) => b.localeCompare(a)),
    )
    assert.ok(createdAt)
  })

  it('are found by role, block and any part of address, username or name', async (world) => {
    const { alice, bob, moderator, admin, blocked } = world
    await alice.profile.setUsername({ username: 'Wonder' })
    await bob.profile.update({ name: 'Robert Größe' })
    await moderator.account()
    await blocked.account()
    const names = async (input: Parameters<typeof admin.admin.listUsers>[0]) =>
      (await admin.admin.listUsers(input)).users.map(({ email }) => email.split('@')[0]).sort()
    assert.deepEqual(await names({ role: 'moderator' }), ['moderator'])
    assert.deepEqual(await names({ blocked: 'true' }), ['blocked'])
    assert.deepEqual(await names({ blocked: 'false' }), ['admin', 'alice', 'bob', 'moderator'])
    assert.deepEqual(await names({ q: 'wonDER' }), ['alice'])
    assert.deepEqual(await names({ q: 'größe' }), ['bob'])
    assert.deepEqual(await names({ q: 'bob@' }), ['bob'])
    assert.deepEqual(await names({ q: 'example.com', role: 'member', blocked: 'false' }), ['alice', 'bob'])
    assert.deepEqual(await names({ q: 'nobody' }), [])
    const total = async (input: Parameters<typeof admin.admin.listUsers>[0]) =>
      (await admin.admin.listUsers({ ...input, per_page: 2 })).total
    const totals = async () =>
      Promise.all(
        [{}, { role: 'member' }, { blocked: 'true' }, { role: 'member', blocked: 'false' }].map((input) =>
          total(input as never),
        ),
      )
    assert.deepEqual(await totals(), [5, 3, 1, 2])
    assert.equal(await total({ q: 'example.com' }), 5)
    const { id } = await bob.account()
    await admin.admin.block({ id, blocked: true })
    assert.deepEqual(await totals(), [5, 3, 2, 1])
    await admin.admin.setRole({ id, role: 'moderator' })
    assert.deepEqual(await totals(), [5, 2, 2, 1])
    await admin.admin.block({ id, blocked: false })
    assert.deepEqual(await totals(), [5, 2, 1, 1])
    const first = await admin.admin.listUsers({ per_page: 3 })
    const second = await admin.admin.listUsers({ per_page: 3, page: 1 })
    assert.deepEqual([first.users.length, first.hasMore, second.users.length, second.hasMore], [3, true, 2, false])
    assert.equal(new Set([...first.users, ...second.users].map(({ id }) => id)).size, 5)
    for (const wrong of [{ per_page: 0 }, { per_page: 501 }, { role: 'owner' }, { blocked: 'maybe' }]) {
      await assert.rejects(admin.admin.listUsers(wrong as never), { status: 400 })
    }
  })
})
