// Unreferenced stored bytes are removed after a day, and nothing else is.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { removeUnnamed, storeThenInsert } from '../src/storage/blob-lifecycle.ts'
import { orgFile } from './library.ts'
import { tinyPng } from './pictures.ts'
import { filesOnDisk } from './stored.ts'
import { onEveryStore, whileSwept } from './stores.ts'
import { onEveryEngine, type World } from './world.ts'

const DAY = 24 * 60 * 60
const orgJson = (name: string) => JSON.stringify({ name, roles: [{ id: 'solo' }] })

/** What a crash between the store and the database would leave. */
async function leaveBehind({ dependencies }: World, userId: string): Promise<void> {
  const { artifacts, objects } = dependencies.blobs
  await artifacts.commit(await artifacts.stage(Readable.from([Buffer.from('stray')]), { maxBytes: 100 }))
  await artifacts.stage(Readable.from([Buffer.from('unfinished')]), { maxBytes: 100 })
  for (const folder of ['org-images', 'org-runs', 'avatars']) {
    await objects.put(`${folder}/01a1fb4e-bb9a-7544-87a4-2785318c8f22`, Buffer.from('stray'), 'text/plain')
  }
  await objects.put(`avatars/${userId}`, Buffer.from('a picture whose account never heard of it'), 'image/png')
}

onEveryEngine('the sweep', (it) => {
  it('takes what no row names once it is a day old', async (world) => {
    const { alice, bob, app, clock, anonymous } = world
    const { id } = await alice.orgs.create({ orgJson: orgJson('kept') })
    const { url } = await alice.orgImages.add({ id, image: await tinyPng() })
    const run = await bob.orgRuns.add({ id, files: [new File(['# a'], 'a.md'), new File(['# b'], 'b.md')] })
    await alice.avatars.set({ avatar: await tinyPng() })
    const { avatarUrl } = await alice.profile.me()
    const kept = await filesOnDisk(world)
    await leaveBehind(world, (await bob.account()).id)
    const all = await filesOnDisk(world)
    assert.equal(all.length, kept.length + 6)

    await app.cleanUp()
    assert.deepEqual(await filesOnDisk(world), all)
    clock.pass(DAY - 60)
    await app.cleanUp()
    assert.equal((await filesOnDisk(world)).length, all.length - 1, 'what was not finished goes after an hour')
    clock.pass(120)
    await app.cleanUp()
    assert.deepEqual((await filesOnDisk(world)).sort(), kept.sort())
    for (const path of [url, avatarUrl!, `/api/community/orgs/${id}/definition`]) {
      assert.equal((await anonymous.request(path)).status, 200, path)
    }
    assert.equal((await anonymous.orgRuns.file({ fileId: run.files[1]!.id })).status, 200)
  })

  it('keeps a definition as long as one org has it', async (world) => {
    const { alice, bob, app, clock, anonymous } = world
    const first = await alice.orgs.create({ orgJson: orgJson('same') })
    const second = await bob.orgs.create({ orgJson: orgJson('same') })
    assert.equal((await filesOnDisk(world)).length, 1)
    await alice.orgs.delete({ id: first.id })
    clock.pass(2 * DAY)
    await app.cleanUp()
    assert.equal(await (await anonymous.orgs.definition({ id: second.id })).text(), orgJson('same'))
    await bob.orgs.delete({ id: second.id })
    await app.cleanUp()
    assert.deepEqual(await filesOnDisk(world), [])
  })

  it('asks for every column that names an artifact', async ({ db }) => {
    const tables = await db.introspection.getTables()
    const columns = tables.flatMap(({ name, columns }) =>
      columns.filter((column) => /sha256/i.test(column.name)).map((column) => `${name}.${column.name}`),
    )
    // Of a version that is gone the hash alone is kept, so that its name never means other bytes.
    const ofNothing = ['goneVersion.sha256']
    // Run files, pictures, also of texts, and files of pending acts are objects under names of their own; their hashes name no artifact (database/stored.ts).
    const ofObjects = [
      'orgImage.sha256',
      'orgRunFile.sha256',
      'pendingFile.sha256',
      'textImage.sha256',
      'user.avatarSha256',
    ]
    assert.deepEqual(
      columns.filter((column) => !ofObjects.includes(column) && !ofNothing.includes(column)).sort(),
      ['dataExport.sha256', 'itemVersion.sha256', 'libraryItem.sha256', 'orgUpload.sha256'],
      'ask for a new column in Guildhall.cleanUp (src/app.ts), or the sweep takes its artifacts; then name it here',
    )
  })
})

onEveryEngine('a removal', (it) => {
  it('that began and ended between the bytes and their row has them stored again', async ({ db }) => {
    const stored = new Set<string>()
    const remove = async () => stored.delete('name')
    let kept = 0
    const keep = async () => {
      kept++
      stored.add('name')
      if (kept === 1) assert.ok(await removeUnnamed(db, 'name', { isNamed: async () => false, remove }))
    }
    const isThere = await storeThenInsert(db, { name: 'name', keep }, async () => stored.has('name'))
    assert.deepEqual([isThere, kept], [true, 2])
  })

  it('is forgotten after a day', async ({ db, app, clock, alice }) => {
    const { id } = await alice.orgs.create({ orgJson: orgJson('short-lived') })
    await alice.orgs.delete({ id })
    clock.pass(2 * DAY)
    await app.cleanUp()
    const count = async () => (await db.selectFrom('blobRemoval').selectAll().execute()).length
    await removeUnnamed(db, 'later', { isNamed: async () => false, remove: async () => true })
    assert.equal(await count(), 1)
    clock.pass(2 * DAY)
    await app.cleanUp()
    assert.equal(await count(), 0)
  })
})

onEveryStore('what is stored again while a sweep takes it away', (it) => {
  it('is there: an item of the library and its versions', async (world) => {
    const { alice, bob, store } = world
    if (store === 'directory') return
    await bob.account()
    const { id } = await alice.library.publish({ kind: 'org', file: orgFile() })
    await alice.library.delete({ id })
    const again = await whileSwept(world, () => bob.library.publish({ kind: 'org', file: orgFile() }))
    assert.equal(await (await bob.library.download({ id: again.id })).text(), await orgFile().text())
    const mine = await alice.library.publish({ kind: 'org', file: orgFile({ goal: 'Another' }) })
    await bob.library.delete({ id: again.id })
    const next = await whileSwept(world, () => alice.library.publishVersion({ id: mine.id, file: orgFile() }))
    assert.equal(await (await alice.library.download({ id: next.id })).text(), await orgFile().text())
  })

  it('is there: the definition of an org', async (world) => {
    const { alice, bob, store } = world
    if (store === 'directory') return
    await bob.account()
    const { id } = await alice.orgs.create({ orgJson: orgJson('same') })
    await alice.orgs.delete({ id })
    const again = await whileSwept(world, () => bob.orgs.create({ orgJson: orgJson('same') }))
    assert.equal(await (await bob.orgs.definition({ id: again.id })).text(), orgJson('same'))
  })

  it('is there: a picture', async (world) => {
    const { alice, dependencies, store, anonymous } = world
    if (store === 'directory') return
    const key = `avatars/${(await alice.account()).id}`
    await dependencies.blobs.objects.put(key, Buffer.from('stray'), 'image/png')
    const avatar = await tinyPng()
    await whileSwept(world, () => alice.avatars.set({ avatar }))
    const { avatarUrl } = await alice.profile.me()
    assert.equal((await anonymous.request(avatarUrl!)).status, 200)
  })
})
