// The audit log as admins read it; through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'

const idOf = async (person: Person) => (await person.account()).id

onEveryEngine('the audit log', (it) => {
  it('says who did what to whom, when, why and from where', async ({ alice, moderator, admin }) => {
    const id = await idOf(alice)
    await moderator.profile.setUsername({ username: 'guardian' })
    const { blockedAt } = await moderator.admin.block({ id, blocked: true, reason: 'Spam' })
    await moderator.admin.block({ id, blocked: true, reason: 'Again' })
    await admin.admin.setRole({ id, role: 'moderator' })
    const { items, hasMore } = await admin.admin.listAudit({ targetId: id })
    assert.equal(hasMore, false)
    const [role, block] = items
    assert.equal(items.length, 2)
    assert.deepEqual(block, {
      id: block!.id,
      at: blockedAt,
      action: 'user.block',
      actorId: await idOf(moderator),
      actorUsername: 'guardian',
      actorEmail: moderator.email,
      targetType: 'user',
      targetId: id,
      target: { title: 'alice', url: null, href: null, removed: false },
      detail: null,
      names: {},
      reason: 'Spam',
      address: '127.0.0.1',
    })
    assert.deepEqual([role!.action, role!.detail], ['role.change', { from: 'member', to: 'moderator' }])
  })

  it('says how that is called now which a detail names by id', async ({ alice, bob, admin }) => {
    await bob.profile.setUsername({ username: 'bobby' })
    const { id } = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
    await alice.library.addMaintainer({ id, username: 'bobby', role: 'maintainer' })
    const accountId = await idOf(bob)
    const namesBob = async () => {
      const { items } = await admin.admin.listAudit({ targetId: id })
      return items.find(({ detail }) => detail?.['accountId'] === accountId)?.names
    }
    assert.deepEqual(await namesBob(), { [accountId]: 'bobby' })
    await bob.profile.setUsername({ username: 'robert' })
    assert.deepEqual(await namesBob(), { [accountId]: 'robert' })
  })

  it('is for admins, a page at a time, by action, actor and target', async (world) => {
    const { alice, bob, moderator, admin, blocked, anonymous } = world
    for (const wrong of [alice, moderator, blocked]) {
      await assert.rejects(wrong.admin.listAudit(), { status: 403, message: 'Forbidden' })
    }
    await assert.rejects(anonymous.admin.listAudit(), { status: 401 })
    for (const person of [alice, bob]) {
      await moderator.admin.block({ id: await idOf(person), blocked: true })
      await admin.admin.block({ id: await idOf(person), blocked: false })
    }
    const actions = async (input: Parameters<typeof admin.admin.listAudit>[0]) =>
      (await admin.admin.listAudit(input)).items.map(({ action }) => action)
    const actorId = await idOf(moderator)
    assert.deepEqual(await actions({ actorId }), ['user.block', 'user.block'])
    assert.deepEqual(await actions({ action: 'user.unblock' }), ['user.unblock', 'user.unblock'])
    assert.deepEqual(await actions({ targetId: await idOf(bob) }), ['user.unblock', 'user.block'])
    assert.deepEqual(await actions({ actorId, targetId: await idOf(bob), action: 'user.unblock' }), [])
    const page = await admin.admin.listAudit({ actorId, per_page: 1 })
    assert.deepEqual([page.items.length, page.hasMore], [1, true])
    assert.deepEqual((await admin.admin.listAudit({ actorId, per_page: 1, page: 1 })).hasMore, false)
    await assert.rejects(admin.admin.listAudit({ per_page: 101 }), { status: 400 })
  })

  it('the log names what acts were on, as it is called now, hidden things too, and what was removed as such', async (world) => {
    const { alice, moderator, admin } = world
    const [kept, gone, merged] = await Promise.all(
      ['Kept', 'Gone', 'Merged'].map((title) => alice.bugs.create({ title, description: 'D', severity: 'low' })),
    )
    const { id: org } = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    await moderator.orgs.update({ id: org, tagline: 'T' })
    const { id: comment } = await alice.bugs.comment({ id: kept!.id, body: 'First line\n\nSecond' })
    for (const { id } of [kept!, gone!, merged!]) await moderator.bugs.triage({ id, status: 'resolved' })
    await moderator.bugs.delete({ id: gone!.id })
    await moderator.bugs.merge({ id: merged!.id, into: kept!.id })
    await moderator.comments.edit({ id: comment, body: `${'t'.repeat(101)}\n\nSecond` })
    await alice.bugs.edit({ id: kept!.id, title: 'Kept on' })
    const label = await moderator.labels.create({ name: 'UI', color: '#aabbcc' })
    const { items } = await admin.admin.listAudit({ actorId: await idOf(moderator), per_page: 100 })
    const targetOf = (id: string) =>
      new Set(
        items
          .filter(({ targetId }) => targetId === id)
          .map(({ target }) => JSON.stringify(target, (name, value) => (name === 'href' ? undefined : value))),
      )
    const expected = new Map<string, unknown>([
      [kept!.id, { title: 'Kept on', url: `/community/bugs/${kept!.id}`, removed: false }],
      [gone!.id, { title: 'Gone', url: null, removed: true }],
      [merged!.id, { title: 'Merged', url: `/community/bugs/${merged!.id}`, removed: false }],
      [comment, { title: `${'t'.repeat(99)}…`, url: `/community/comments/${comment}`, removed: false }],
      [org, { title: 'Desk', url: '/community/orgs/desk', removed: false }],
      [label.id, { title: 'UI', url: '/community/bugs?label=UI', removed: false }],
    ])
    for (const [id, target] of expected)
      assert.ok(targetOf(id).has(JSON.stringify(target)), `${JSON.stringify(target)} in ${[...targetOf(id)]}`)
  })
})
