// Orgs of the gallery as the library shows them: what the gallery does in its own transactions, seen through the front door.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { orgFile } from '../../test/library.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { takeSlug } from '../content/slug-queries.ts'
import { newId } from '../runtime/ids.ts'
import { addGalleryOrg, addToGalleryOrgs, removeGalleryOrg, updateGalleryOrg } from './library.ts'

const TEXT = '{ "name": "Desk",  "roles": [ { "id": "a" } ] }'

/** Does what the gallery does when an org is uploaded. */
async function upload({ db, dependencies, alice }: World, name = 'Desk') {
  const { id: ownerId } = await alice.account()
  const staged = await dependencies.blobs.artifacts.stage(Readable.from([Buffer.from(TEXT)]), { maxBytes: 1000 })
  await dependencies.blobs.artifacts.commit(staged)
  const org = { id: newId(), name, description: 'Does the desk', roleCount: 1, topology: 'mesh', ownerId }
  const createdAt = new Date().toISOString()
  await db.transaction().execute(async (transaction) => {
    const slug = await takeSlug(transaction, { kind: 'org', base: 'desk', targetId: org.id, ownerId: 'any' })
    const { sha256, size } = staged
    await addGalleryOrg(transaction, {
      ...org,
      slug,
      sha256,
      size,
      createdAt,
      keywords: 'Tagline here',
      readme: '# Desk',
    })
  })
  return org.id
}

onEveryEngine('orgs of the gallery in the library', (it) => {
  it('are public items', async (world) => {
    const { alice, bob, anonymous } = world
    await alice.profile.setUsername({ username: 'quayside' })
    const id = await upload(world)
    const item = await anonymous.library.get({ id })
    assert.deepEqual(item.meta, { role_count: 1, topology: 'mesh', gallery: true })
    assert.deepEqual(
      [item.kind, item.slug, item.version, item.visibility, item.tags],
      ['org', 'desk', '1.0.0', 'public', []],
    )
    assert.equal(item.size, TEXT.length)
    assert.deepEqual(await anonymous.library.find({ kind: 'orgs', slug: 'desk' }), item)
    assert.equal(await (await bob.library.download({ id })).text(), TEXT)
    assert.equal((await anonymous.library.versions({ id })).versions.length, 1)
    assert.equal((await anonymous.library.readme({ id })).readme, '# Desk')
    for (const [q, total] of [
      ['desk', 1],
      ['agline he', 1],
      ['does the', 1],
      ['quays', 0],
    ] as const) {
      assert.equal((await anonymous.library.list({ q })).total, total, q)
    }
    await alice.profile.setUsername({ username: 'harbourmaster' })
    assert.equal((await anonymous.library.list({ q: 'harbourmaster' })).total, 0)
    assert.equal((await alice.library.list({ scope: 'mine' })).total, 1)
  })

  it('share pages, order, totals and slugs with the others', async (world) => {
    const { alice, anonymous } = world
    const own = await alice.library.publish({ kind: 'org', file: orgFile({ name: 'Desk' }), visibility: 'public' })
    const first = await upload(world)
    const second = await upload(world)
    assert.deepEqual([own.slug, (await anonymous.library.get({ id: second })).slug], ['desk', 'desk-3'])
    const page = await anonymous.library.list({ kind: 'org', per_page: 2 })
    assert.deepEqual([page.items.map(({ id }) => id), page.total], [[second, first], 3])
    await world.db.transaction().execute((transaction) => addToGalleryOrgs(transaction, [{ id: first, score: 2 }]))
    const popular = await anonymous.library.list({ sort: 'popular' })
    assert.deepEqual([popular.items[0]!.id, popular.items[0]!.score], [first, 2])
  })

  it('are changed by the gallery alone', async (world) => {
    const { alice, bob, admin, anonymous, db } = world
    const id = await upload(world)
    const conflict = { status: 409, code: 'gallery_org' }
    await assert.rejects(alice.library.update({ id, name: 'No' }), conflict)
    await assert.rejects(admin.library.update({ id, visibility: 'official' }), conflict)
    await assert.rejects(alice.library.publishVersion({ id, file: orgFile() }), conflict)
    await assert.rejects(bob.library.vote({ id, value: 1 }), { status: 404 })
    await assert.rejects(bob.library.comment({ id, body: 'Hello' }), { status: 404 })
    await assert.rejects(bob.library.delete({ id }), { status: 403 })
    const updatedAt = new Date(Date.now() + 1000).toISOString()
    const changes = { name: 'Counter', description: 'Counts', keywords: 'Sums', readme: null, updatedAt }
    await db.transaction().execute((transaction) => updateGalleryOrg(transaction, id, changes))
    const item = await anonymous.library.get({ id })
    assert.deepEqual(
      [item.name, item.description, item.updated_at, item.slug],
      ['Counter', 'Counts', updatedAt, 'desk'],
    )
    assert.equal((await anonymous.library.list({ q: 'tagline' })).total, 0)
    assert.equal((await anonymous.library.list({ q: 'sums' })).total, 1)
    assert.equal((await anonymous.library.readme({ id })).readme, null)
    await db.transaction().execute((transaction) => removeGalleryOrg(transaction, id))
    assert.equal((await anonymous.library.list()).total, 0)
    const { id: other } = await alice.orgs.create({ orgJson: TEXT })
    assert.deepEqual(await admin.library.delete({ id: other }), { id: other, deleted: true })
    await assert.rejects(anonymous.library.get({ id: other }), { status: 404 })
  })
})
