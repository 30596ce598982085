// Through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine } from '../../../test/world.ts'

onEveryEngine('labels', (it) => {
  it('have unique names, whatever the case, and a colour', async ({ alice, moderator, anonymous }) => {
    const label = await moderator.labels.create({ name: ' UI ', color: '#AABBCC' })
    assert.deepEqual(label, { id: label.id, name: 'UI', color: '#AABBCC' })
    await assert.rejects(moderator.labels.create({ name: 'ui', color: '#aabbcc' }), { status: 409 })
    await assert.rejects(alice.labels.create({ name: 'mine', color: '#aabbcc' }), { status: 403, message: 'Forbidden' })
    for (const color of ['red', '#abc', '#aabbcg', '#aabbccd']) {
      await assert.rejects(moderator.labels.create({ name: 'x', color }), { status: 400, message: /^color: / })
    }
    assert.equal((await moderator.labels.create({ name: 'n'.repeat(30), color: '#000000' })).name.length, 30)
    await assert.rejects(moderator.labels.create({ name: 'n'.repeat(31), color: '#000000' }), { status: 400 })
    assert.deepEqual(
      (await anonymous.labels.list()).items.map(({ name }) => name),
      ['n'.repeat(30), 'UI'],
    )
    assert.deepEqual(await anonymous.labels.get({ id: label.id }), { ...label, description: null })
    await assert.rejects(anonymous.labels.get({ id: 'nothing' }), { status: 404 })
  })

  it('are changed by moderators, and what has one keeps it under its new name', async (world) => {
    const { alice, moderator, anonymous } = world
    const label = await moderator.labels.create({ name: 'UI', color: '#aabbcc' })
    await moderator.labels.create({ name: 'mail', color: '#aabbcc' })
    const { id: bug } = await alice.bugs.create({ title: 'B', description: 'D', severity: 'low' })
    await moderator.bugs.attachLabel({ id: bug, labelId: label.id })
    const { id } = label
    assert.deepEqual(await moderator.labels.update({ id, name: ' Interface ' }), {
      ...label,
      name: 'Interface',
      description: null,
    })
    assert.deepEqual(await moderator.labels.update({ id, color: '#000000' }), {
      id,
      name: 'Interface',
      color: '#000000',
      description: null,
    })
    assert.deepEqual(await moderator.labels.update({ id, name: 'INTERFACE' }), {
      id,
      name: 'INTERFACE',
      color: '#000000',
      description: null,
    })
    assert.deepEqual((await anonymous.bugs.get({ id: bug })).labels, [{ id, name: 'INTERFACE', color: '#000000' }])
    assert.equal((await anonymous.bugs.list({ label: 'interface' })).total, 1)
    const found = async (q: string) => (await anonymous.search.find({ q, type: 'label' })).items.map(({ url }) => url)
    assert.deepEqual([await found('interface'), await found('ui')], [['/community/bugs?label=INTERFACE'], []])
    await assert.rejects(moderator.labels.update({ id, name: 'Mail' }), { status: 409 })
    await assert.rejects(moderator.labels.update({ id, name: 'n'.repeat(31) }), { status: 400 })
    await assert.rejects(moderator.labels.update({ id, color: 'red' }), { status: 400 })
    await assert.rejects(moderator.labels.update({ id: 'nothing', name: 'x' }), { status: 404 })
    await assert.rejects(alice.labels.update({ id, name: 'x' }), { status: 403 })
    await assert.rejects(anonymous.labels.update({ id, name: 'x' }), { status: 401 })
    assert.equal((await anonymous.labels.get({ id })).name, 'INTERFACE')
  })

  it('say what they are for, and the audit log has who made and changed them', async (world) => {
    const { moderator, admin, anonymous } = world
    const said = 'd'.repeat(140)
    const made = await moderator.labels.create({ name: 'UI', color: '#aabbcc', description: ` ${said} ` })
    assert.equal((await anonymous.labels.get({ id: made.id })).description, said)
    await assert.rejects(moderator.labels.create({ name: 'x', color: '#aabbcc', description: `${said}d` }), {
      status: 400,
      message: /^description: /,
    })
    const { id } = made
    await assert.rejects(moderator.labels.update({ id, description: `${said}d` }), { status: 400 })
    await moderator.labels.update({ id, name: 'UI', color: '#aabbcc' })
    const changed = await moderator.labels.update({
      id,
      name: 'Screens',
      description: 'What one sees',
      reason: 'Plain',
    })
    assert.deepEqual(changed, { id, name: 'Screens', color: '#aabbcc', description: 'What one sees' })
    assert.equal((await moderator.labels.update({ id, color: '#000000' })).description, 'What one sees')
    assert.equal((await moderator.labels.update({ id, description: ' ' })).description, null)
    assert.deepEqual((await anonymous.labels.list()).items, [await anonymous.labels.get({ id })])
    const { items } = await admin.admin.listAudit({ targetId: id })
    assert.deepEqual(items.map(({ action, detail, reason }) => [action, detail, reason]).toReversed(), [
      ['label.create', { name: 'UI' }, null],
      [
        'label.update',
        { name: 'UI', from: { name: 'UI', description: said }, to: { name: 'Screens', description: 'What one sees' } },
        'Plain',
      ],
      ['label.update', { name: 'Screens', from: { color: '#aabbcc' }, to: { color: '#000000' } }, null],
      ['label.update', { name: 'Screens', from: { description: 'What one sees' }, to: { description: null } }, null],
    ])
  })

  it('are made once when many make the same at once', async ({ moderator }) => {
    await moderator.account()
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => moderator.labels.create({ name: 'race', color: '#000000' })),
    )
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  })
})
