// Downloads, and what may be deleted, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { automationFile, workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'

const HOUR = 3_600
const publish = (person: Person, changes: object = {}) =>
  person.library.publish({ kind: 'workflow', file: workflowFile(changes), visibility: 'public' })

/** Counts downloads by different networks. */
async function download({ app, dependencies, alice }: World, id: string, networks: number): Promise<void> {
  const { db } = dependencies
  await alice.account()
  const { version } = await alice.library.get({ id })
  await app.writeDownloads()
  await db.insertInto('itemDownloads').values({ itemId: id, total: networks }).execute()
  await db.insertInto('versionDownloads').values({ itemId: id, version, count: networks }).execute()
}

const conflict = { status: 409, code: 'conflict' }

onEveryEngine('downloads', (it) => {
  it('count once for a version, a network and a day', async ({ alice, bob, anonymous, app, clock }) => {
    const { id, slug } = await publish(alice)
    await alice.library.publishVersion({ id, file: workflowFile({ n: 1 }) })
    const downloads = async () => {
      await app.writeDownloads()
      const { versions } = await anonymous.library.versions({ id })
      return [(await anonymous.library.get({ id })).downloads, ...versions.map((one) => one.downloads)]
    }
    assert.deepEqual(await downloads(), [{ total: 0, week: 0 }, 0, 0])
    await Promise.all([bob.library.download({ id }), bob.library.download({ id }), alice.library.download({ id })])
    await anonymous.library.file({ kind: 'workflow', slug, version: 'latest' })
    assert.deepEqual(await downloads(), [{ total: 1, week: 1 }, 1, 0])
    await bob.library.download({ id, version: '1.0.0' })
    assert.deepEqual(await downloads(), [{ total: 2, week: 2 }, 1, 1])
    clock.pass(24 * HOUR)
    await bob.library.download({ id })
    assert.deepEqual(await downloads(), [{ total: 3, week: 3 }, 2, 1])
    clock.pass(6 * 24 * HOUR)
    assert.deepEqual(await downloads(), [{ total: 3, week: 1 }, 2, 1])
    clock.pass(24 * HOUR)
    assert.deepEqual((await downloads())[0], { total: 3, week: 0 })
  })

  it('are those of whole files that others see', async ({ alice, bob, app, db }) => {
    const { id, sha256 } = await publish(alice)
    const path = `/api/library/items/${id}/artifact`
    for (const [method, headers] of [
      ['HEAD', {}],
      ['GET', { range: 'bytes=10-' }],
      ['GET', { range: 'bytes=0-0' }],
      ['GET', { range: 'bytes=0-1,3-' }],
      ['GET', { 'if-none-match': `"${sha256}"` }],
    ] as const) {
      await bob.request(path, { method, headers })
    }
    await alice.library.download({ id })
    await app.writeDownloads()
    assert.deepEqual(await db.selectFrom('itemDownloads').selectAll().execute(), [])
    await bob.request(path, { headers: { range: 'bytes=0-' } })
    await app.writeDownloads()
    assert.deepEqual((await alice.library.get({ id })).downloads, { total: 1, week: 1 })
    // Whom it was is not stored.
    const [counted] = await db.selectFrom('countedDownload').selectAll().execute()
    assert.match(counted!.key, /^[\w-]{43}$/)
    await bob.library.download({ id })
    await alice.library.delete({ id })
    await app.writeDownloads()
  })
})

onEveryEngine('what everybody sees', (it) => {
  it('is deleted by its owner in the first 72 hours, below 10 downloads', async (world) => {
    const { alice, admin, clock } = world
    const [fresh, old, few, many, hidden] = [
      await publish(alice),
      await publish(alice),
      await publish(alice),
      await publish(alice),
      await publish(alice),
    ]
    await download(world, few.id, 9)
    await download(world, many.id, 10)
    await alice.library.delete({ id: few.id })
    await assert.rejects(alice.library.delete({ id: many.id }), conflict)
    clock.stop()
    clock.pass(Date.parse(fresh.created_at) / 1000 + 72 * HOUR - clock.now() / 1000 - 0.001)
    await alice.library.delete({ id: fresh.id })
    clock.pass(60)
    await assert.rejects(alice.library.delete({ id: old.id }), { ...conflict, message: /72 hours.*yank/ })
    await admin.library.delete({ id: old.id })
    await alice.library.update({ id: hidden.id, visibility: 'private' })
    await assert.rejects(alice.library.delete({ id: hidden.id }), conflict, 'it was public once')
    await admin.library.delete({ id: hidden.id })
  })

  it('says in can.delete what a deletion answers', async (world) => {
    const { alice, bob, admin, anonymous, clock } = world
    const automation = await alice.library.publish({ kind: 'automation', file: automationFile(), visibility: 'public' })
    const [fresh, many, hidden, own] = [
      await publish(alice),
      await publish(alice),
      await publish(alice),
      await alice.library.publish({ kind: 'workflow', file: workflowFile() }),
    ]
    await download(world, many.id, 10)
    await alice.library.update({ id: hidden.id, visibility: 'private' })
    const may = async (person: Person, id: string) => (await person.library.get({ id })).can.delete
    const check = async (expected: boolean[]) => {
      const items = [automation, fresh, many, hidden, own]
      assert.deepEqual(await Promise.all(items.map(({ id }) => may(alice, id))), expected)
      const { items: listed } = await alice.library.list({ scope: 'mine' })
      const found = new Map(listed.map(({ id, can }) => [id, can.delete]))
      assert.deepEqual(
        items.map(({ id }) => found.get(id)),
        expected,
      )
      for (const [n, { id }] of items.entries()) {
        const tried = await alice.request(`/api/library/items/${id}`, {
          method: 'DELETE',
          headers: { prefer: 'handling=dry-run' },
        })
        assert.equal(tried.status, expected[n] ? 200 : 409)
      }
    }
    // The workflows that are public require the automation.
    await check([false, true, false, true, true])
    assert.deepEqual(
      [await may(bob, fresh.id), await may(anonymous, fresh.id), await may(admin, many.id)],
      [false, false, true],
    )
    clock.pass(73 * HOUR)
    await check([false, false, false, false, true])
  })

  it('keeps the rule when it is made private, also for each of its versions; what never was public has none', async (world) => {
    const { alice, clock } = world
    const once = await publish(alice)
    await alice.library.publishVersion({ id: once.id, file: workflowFile({ n: 1 }) })
    await alice.library.update({ id: once.id, visibility: 'private' })
    // Nobody but its owner ever saw these.
    await alice.library.publishVersion({ id: once.id, file: workflowFile({ n: 2 }) })
    const never = await alice.library.publish({ kind: 'workflow', file: workflowFile() })
    await alice.library.publishVersion({ id: never.id, file: workflowFile({ n: 1 }) })
    await download(world, once.id, 10)
    await assert.rejects(alice.library.delete({ id: once.id }), { ...conflict, message: /10 times/ })
    clock.pass(73 * HOUR)
    await assert.rejects(alice.library.deleteVersion({ id: once.id, version: '1.0.0' }), conflict)
    await alice.library.deleteVersion({ id: once.id, version: '1.0.2' })
    await assert.rejects(alice.library.deleteVersion({ id: once.id, version: '1.0.1' }), conflict)
    await assert.rejects(alice.library.delete({ id: once.id }), conflict)
    await alice.library.deleteVersion({ id: never.id, version: '1.0.0' })
    await alice.library.delete({ id: never.id })
  })

  it('is not deleted while another item names it', async ({ alice, bob }) => {
    const file = automationFile()
    const { id } = await alice.library.publish({ kind: 'automation', file, visibility: 'public' })
    const { id: user } = await publish(bob)
    await assert.rejects(alice.library.delete({ id }), conflict)
    await bob.library.update({ id: user, visibility: 'private' })
    await alice.library.delete({ id })
  })

  it('is deleted, or named, when both happen at once', async ({ alice, bob, anonymous }) => {
    for (let round = 0; round < 4; round += 1) {
      const { id } = await alice.library.publish({ kind: 'automation', file: automationFile(), visibility: 'public' })
      const [gone, user] = await Promise.all([alice.library.delete({ id }).catch((error) => error), publish(bob)])
      if (gone.deleted) await assert.rejects(anonymous.library.get({ id }), { status: 404 })
      else assert.equal(gone.code, 'conflict')
      await bob.library.delete({ id: user.id })
      if (!gone.deleted) await alice.library.delete({ id })
    }
  })

  it('has versions that are deleted under the same rule, but the last', async (world) => {
    const { alice, bob, admin, anonymous, clock } = world
    const { id } = await publish(alice)
    for (const n of [1, 2]) await alice.library.publishVersion({ id, file: workflowFile({ n }) })
    const remove = (person: Person, version: string, reason?: string) =>
      person.library.deleteVersion({ id, version, ...(reason && { reason }) })
    await assert.rejects(remove(anonymous, '1.0.2'), { status: 401 })
    await assert.rejects(remove(bob, '1.0.2'), { status: 403 })
    await assert.rejects(remove(admin, '1.0.2'), { status: 400 })
    await assert.rejects(remove(alice, '1.0.3'), { status: 404 })
    assert.deepEqual(await remove(alice, '1.0.2'), { id, version: '1.0.2', deleted: true })
    assert.equal((await anonymous.library.get({ id })).version, '1.0.1')
    const conflicts = { status: 409, code: 'version_conflict' }
    await assert.rejects(alice.library.publishVersion({ id, version: '1.0.2', file: workflowFile() }), conflicts)
    await download(world, id, 10)
    await assert.rejects(remove(alice, '1.0.1'), conflict)
    clock.pass(73 * HOUR)
    await assert.rejects(remove(alice, '1.0.0'), conflict)
    await remove(admin, '1.0.1', 'Malware')
    await assert.rejects(remove(admin, '1.0.0', 'Malware'), conflict)
    assert.equal((await anonymous.library.versions({ id })).versions.length, 1)
  })

  it('leaves its name to its account', async ({ alice, bob, db }) => {
    const { id, slug } = await publish(alice)
    await alice.library.delete({ id })
    assert.equal((await publish(bob)).slug, `${slug}-2`)
    assert.equal((await publish(alice)).slug, slug)
    assert.equal((await db.selectFrom('keptSlug').selectAll().execute()).length, 1)
  })
})
