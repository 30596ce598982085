// Deprecated items, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { orgFile, workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'

const publish = (person: Person, name: string, visibility: 'public' | 'private' = 'public') =>
  person.library.publish({ kind: 'workflow', file: workflowFile({ name }), visibility })

onEveryEngine('a deprecated item', (it) => {
  it('says so with a message and a successor, and stays as it is', async ({ alice, bob, anonymous }) => {
    const item = await publish(alice, 'Old digest')
    await publish(bob, 'New digest')
    const deprecate = (more: object) => alice.library.deprecate({ id: item.id, deprecated: true, ...more })
    const after = await deprecate({ message: ' No longer maintained ', successor: 'Workflows/new-digest' })
    const deprecated = { message: 'No longer maintained', successor: 'workflow/new-digest' }
    assert.deepEqual(after, { ...item, deprecated })
    assert.deepEqual((await anonymous.library.get({ id: item.id })).deprecated, deprecated)
    const { items } = await anonymous.library.list({ q: 'old' })
    assert.deepEqual(items[0]!.deprecated, deprecated)
    assert.deepEqual((await deprecate({})).deprecated, { message: '', successor: null })
    assert.deepEqual(await alice.library.deprecate({ id: item.id, deprecated: false }), item)
  })

  it('names a successor that everybody sees', async ({ alice, bob }) => {
    const { id } = await publish(alice, 'Old digest')
    await publish(alice, 'Mine', 'private')
    await publish(bob, 'New digest')
    const name = (successor: string) => alice.library.deprecate({ id, deprecated: true, successor })
    for (const wrong of ['workflow/none', 'workflow/mine', 'workflow/old-digest', 'new-digest', 'bug/new-digest']) {
      await assert.rejects(name(wrong), { status: 400, code: 'invalid_request' }, wrong)
    }
    for (const wrong of [
      'workflow/new-digest/x',
      'workflow/',
      `workflow/${'a'.repeat(192)}`,
      'workflow/\0',
      'workflow/A b',
    ]) {
      await assert.rejects(name(wrong), { status: 400, code: 'invalid_request' }, wrong)
    }
    assert.equal((await name('workflow/new-digest')).deprecated?.successor, 'workflow/new-digest')
    assert.equal((await name('')).deprecated?.successor, null)
  })

  it('is deprecated by its owner, and by admins with a reason', async ({
    alice,
    bob,
    moderator,
    admin,
    blocked,
    anonymous,
  }) => {
    const { id } = await publish(alice, 'Old digest')
    const deprecate = (person: Person, more: object = {}) => person.library.deprecate({ id, deprecated: true, ...more })
    await assert.rejects(deprecate(anonymous), { status: 401 })
    await assert.rejects(deprecate(blocked), { status: 403, code: 'blocked' })
    await assert.rejects(deprecate(bob), { status: 403, code: 'forbidden' })
    await assert.rejects(deprecate(moderator, { reason: 'Old' }), { status: 403, code: 'forbidden' })
    await assert.rejects(deprecate(admin), { status: 400, code: 'invalid_request' })
    await deprecate(admin, { reason: 'Unsafe', message: 'Do not use it' })
    const { items } = await admin.admin.listAudit({ action: 'item.deprecate' })
    assert.deepEqual(
      items.map(({ targetId, reason }) => [targetId, reason]),
      [[id, 'Unsafe']],
    )
    assert.equal((await deprecate(alice, { message: 'é'.repeat(500) })).deprecated?.message, 'é'.repeat(500))
    await assert.rejects(deprecate(alice, { message: 'é'.repeat(501) }), { status: 400 })
    await admin.library.update({ id, visibility: 'official' })
    await deprecate(admin)
    const { id: org } = await alice.orgs.create({ orgJson: await orgFile().text() })
    await assert.rejects(alice.library.deprecate({ id: org, deprecated: true }), { status: 409, code: 'gallery_org' })
    const { id: mine } = await publish(alice, 'Mine', 'private')
    await assert.rejects(bob.library.deprecate({ id: mine, deprecated: true }), { status: 404 })
    assert.equal((await alice.library.deprecate({ id: mine, deprecated: true })).deprecated?.message, '')
  })

  it('is told to followers and to its webhooks, once', async ({ alice, bob, app }) => {
    const { id } = await publish(alice, 'Old digest')
    await publish(bob, 'New digest')
    await bob.follows.set({ id, state: 'following' })
    const { id: webhook } = await alice.itemWebhooks.create({ url: 'https://example.com/hook', itemId: id })
    await alice.library.deprecate({ id, deprecated: true, message: 'Gone', successor: 'workflow/new-digest' })
    await alice.library.deprecate({ id, deprecated: true, message: 'Gone by now', successor: 'workflow/new-digest' })
    await alice.library.deprecate({ id, deprecated: false })
    await alice.library.yank({ id, version: '1.0.0', yanked: true, reason: 'Broken' })
    await alice.library.yank({ id, version: '1.0.0', yanked: false })
    await app.deliver()
    const { items } = await bob.notifications.list({})
    assert.deepEqual(
      items.map(({ type, change, excerpt, successor, version }) => [type, change, excerpt, successor, version]),
      [
        ['status', 'yanked', 'Broken', undefined, '1.0.0'],
        ['status', 'deprecated', 'Gone', 'workflow/new-digest', null],
      ],
    )
    const sent = (await alice.itemWebhooks.deliveries({ id: webhook })).items.map(({ event, payload }) => {
      const { version, excerpt, successor } = JSON.parse(payload).data
      return [event, version, excerpt, successor]
    })
    assert.deepEqual(sent.reverse().slice(1), [
      ['item.deprecated', null, 'Gone', 'workflow/new-digest'],
      ['item.undeprecated', null, '', undefined],
      ['item.version_yanked', '1.0.0', 'Broken', undefined],
      ['item.version_unyanked', '1.0.0', '', undefined],
    ])
  })
})
