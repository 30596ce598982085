// Yanked versions, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { automationFile, orgFile, workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'

const nodes = (...types: string[]) => workflowFile({ nodes: types.map((type, id) => ({ id, type })) })

/** A public workflow of the versions 1.0.0, 1.0.1, ...; each has a node of its own type. */
async function published(person: Person, count: number): Promise<string> {
  const { id } = await person.library.publish({ kind: 'workflow', file: nodes('step.0'), visibility: 'public' })
  for (let n = 1; n < count; n += 1) await person.library.publishVersion({ id, file: nodes(`step.${n}`) })
  return id
}

const forbidden = { status: 403, code: 'forbidden' }

onEveryEngine('a yanked version', (it) => {
  it('is not the current one, and stays under its number', async ({ alice, bob, anonymous }) => {
    const id = await published(alice, 3)
    const before = await anonymous.library.get({ id })
    const { versions } = await anonymous.library.versions({ id })
    const yanked = await alice.library.yank({ id, version: '1.0.2', yanked: true, reason: ' Sends it twice ' })
    assert.deepEqual(yanked, { ...versions[0], yanked_at: yanked.yanked_at, yank_reason: 'Sends it twice' })
    const item = await anonymous.library.get({ id })
    assert.deepEqual(
      [item.version, item.sha256, item.size, item.meta['node_types'], item.updated_at],
      ['1.0.1', versions[1]!.sha256, versions[1]!.size, ['step.1'], before.updated_at],
    )
    assert.equal('yanked' in item, false)
    assert.deepEqual((await anonymous.library.list({})).items[0]!.version, '1.0.1')
    assert.equal((await anonymous.library.contents({ id })).version, '1.0.1')
    assert.equal((await anonymous.library.readme({ id })).version, '1.0.1')
    assert.deepEqual((await anonymous.library.versions({ id })).versions, [yanked, versions[1], versions[2]])
    const file = await bob.library.download({ id })
    assert.equal(file.headers.get('x-library-version'), '1.0.1')
    const exact = await bob.library.download({ id, version: '1.0.2' })
    assert.equal(exact.headers.get('x-content-sha256'), versions[0]!.sha256)
    assert.deepEqual(await alice.library.yank({ id, version: '1.0.2', yanked: false }), versions[0])
    assert.deepEqual(await anonymous.library.get({ id }), before)
  })

  it('leaves the current version when an earlier one is yanked', async ({ alice, anonymous }) => {
    const id = await published(alice, 3)
    const before = await anonymous.library.get({ id })
    const { yank_reason, yanked_at } = await alice.library.yank({ id, version: '1.0.0', yanked: true })
    assert.deepEqual([yank_reason, typeof yanked_at], [undefined, 'string'])
    assert.deepEqual(await anonymous.library.get({ id }), before)
    // The time stays when the reason is changed.
    const again = await alice.library.yank({ id, version: '1.0.0+other', yanked: true, reason: 'Too old' })
    assert.deepEqual([again.yank_reason, again.yanked_at], ['Too old', yanked_at])
  })

  it('of an item without any other is the newest one still, and the item says so', async ({
    alice,
    bob,
    anonymous,
  }) => {
    const id = await published(alice, 2)
    await alice.library.yank({ id, version: '1.0.1', yanked: true })
    await alice.library.yank({ id, version: '1.0.0', yanked: true })
    const item = await anonymous.library.get({ id })
    assert.deepEqual([item.version, item.yanked, item.meta['node_types']], ['1.0.1', true, ['step.1']])
    assert.equal((await anonymous.library.list({})).items[0]!.yanked, true)
    assert.equal((await bob.library.download({ id })).headers.get('x-library-version'), '1.0.1')
    await alice.library.yank({ id, version: '1.0.0', yanked: false })
    const after = await anonymous.library.get({ id })
    assert.deepEqual([after.version, after.yanked], ['1.0.0', undefined])
  })

  it('counts still where a new version has to be newer', async ({ alice, anonymous }) => {
    const id = await published(alice, 3)
    for (const version of ['1.0.2', '1.0.1']) await alice.library.yank({ id, version, yanked: true })
    const put = (version?: string) =>
      alice.library.publishVersion({ id, file: nodes('step.new'), ...(version && { version }) })
    const conflict = { status: 409, code: 'version_conflict' }
    await assert.rejects(put('1.0.1'), conflict)
    await assert.rejects(put('1.0.2'), conflict)
    const next = await put()
    assert.deepEqual([next.version, next.meta['node_types']], ['1.0.3', ['step.new']])
    await alice.library.yank({ id, version: '1.0.3', yanked: true })
    await alice.library.yank({ id, version: '1.0.0', yanked: true })
    assert.equal((await put('1.0.4')).yanked, undefined)
    const yanked = (await anonymous.library.versions({ id })).versions.filter((one) => one.yanked_at)
    assert.deepEqual(
      yanked.map(({ version }) => version),
      ['1.0.3', '1.0.2', '1.0.1', '1.0.0'],
    )
  })

  it('is found by what the version says that is shown instead', async ({ alice, anonymous }) => {
    const { id } = await alice.library.publish({
      kind: 'automation',
      file: automationFile({}, [{ name: 'README.md', data: 'Porcupines.' }]),
      visibility: 'public',
    })
    const next = automationFile({ version: '0.3.0' }, [{ name: 'README.md', data: 'Hedgehogs.' }])
    await alice.library.publishVersion({ id, file: next })
    const found = async (q: string) => (await anonymous.search.find({ q })).items.length
    assert.deepEqual([await found('porcupines'), await found('hedgehogs')], [0, 1])
    await alice.library.yank({ id, version: '0.3.0', yanked: true })
    assert.deepEqual([await found('porcupines'), await found('hedgehogs')], [1, 0])
    assert.equal((await anonymous.library.readme({ id })).readme, 'Porcupines.')
  })

  it('is yanked by its owner, and by admins with a reason', async ({
    alice,
    bob,
    moderator,
    admin,
    blocked,
    ...world
  }) => {
    const id = await published(alice, 2)
    const yank = (person: Person, more: object = {}) =>
      person.library.yank({ id, version: '1.0.1', yanked: true, ...more })
    await assert.rejects(yank(world.anonymous), { status: 401 })
    await assert.rejects(yank(blocked), { status: 403, code: 'blocked' })
    await assert.rejects(yank(bob), forbidden)
    await assert.rejects(yank(moderator, { reason: 'Malware' }), forbidden)
    await assert.rejects(yank(admin), { status: 400, code: 'invalid_request' })
    await assert.rejects(yank(admin, { reason: ' ' }), { status: 400 })
    await yank(admin, { reason: 'Malware' })
    const { items } = await admin.admin.listAudit({ action: 'item.yank' })
    assert.deepEqual(
      items.map(({ targetId, reason, detail }) => [targetId, reason, detail?.['version']]),
      [[id, 'Malware', '1.0.1']],
    )
    // What an admin yanked stays so for its owner.
    await assert.rejects(yank(alice, { yanked: false }), forbidden)
    await assert.rejects(yank(alice, { reason: 'Mine' }), forbidden)
    await yank(admin, { yanked: false, reason: 'A mistake' })
    await yank(alice)
    await yank(alice, { yanked: false })
  })

  it('has a reason of at most 500 characters, and a version that is there', async ({ alice, bob, admin }) => {
    const id = await published(alice, 1)
    const yank = (more: object, person = alice) => person.library.yank({ id, version: '1.0.0', yanked: true, ...more })
    assert.equal((await yank({ reason: 'é'.repeat(500) })).yank_reason, 'é'.repeat(500))
    await assert.rejects(yank({ reason: 'é'.repeat(501) }), { status: 400, code: 'invalid_request' })
    await assert.rejects(yank({ version: '1.0.1' }), { status: 404, code: 'not_found' })
    await assert.rejects(yank({ version: 'one' }), { status: 400, code: 'invalid_request' })
    await assert.rejects(yank({ id: 'none' }), { status: 404 })
    await assert.rejects(yank({ yanked: 'yes' as unknown as boolean }), { status: 400 })
    await alice.library.update({ id, visibility: 'private' })
    await assert.rejects(yank({}, bob), { status: 404 })
    await assert.rejects(yank({ reason: 'x' }, admin), { status: 404 })
    await yank({ yanked: false })
    const { id: org } = await alice.orgs.create({ orgJson: await orgFile().text() })
    await assert.rejects(yank({ id: org }), { status: 409, code: 'gallery_org' })
  })

  it('is told to followers and to those who downloaded it, and to webhooks', async (world) => {
    const { alice, bob, app, person } = world
    const carol = person('carol')
    const id = await published(alice, 2)
    await bob.follows.set({ id, state: 'following' })
    await carol.library.download({ id })
    await app.deliver()
    const inbox = async (one: Person) =>
      (await one.notifications.list({})).items.map(({ type, change, version, excerpt, target }) => [
        ...[type, change, version, excerpt, target.id],
      ])
    await alice.library.yank({ id, version: '1.0.1', yanked: true, reason: 'Broken' })
    // Once: the second call changes nothing but the reason.
    await alice.library.yank({ id, version: '1.0.1', yanked: true, reason: 'Quite broken' })
    await app.deliver()
    const told = [['status', 'yanked', '1.0.1', 'Broken', id]]
    assert.deepEqual([await inbox(bob), await inbox(carol), await inbox(alice)], [told, told, []])
    await alice.library.yank({ id, version: '1.0.1', yanked: false })
    await app.deliver()
    assert.deepEqual(await inbox(bob), told)
  })

  it('races with a publication', async ({ alice, anonymous }) => {
    const id = await published(alice, 2)
    for (let n = 2; n < 6; n += 1) {
      const [next] = await Promise.all([
        alice.library.publishVersion({ id, file: nodes(`step.${n}`) }),
        alice.library.yank({ id, version: `1.0.${n - 1}`, yanked: true }),
      ])
      assert.equal(next.version, `1.0.${n}`)
      const item = await anonymous.library.get({ id })
      assert.deepEqual([item.version, item.meta['node_types']], [`1.0.${n}`, [`step.${n}`]])
    }
    await Promise.all(['1.0.5', '1.0.0'].map((version) => alice.library.yank({ id, version, yanked: true })))
    const item = await anonymous.library.get({ id })
    assert.deepEqual([item.version, item.yanked], ['1.0.5', true])
  })
})
