// Every org of the gallery is in the library, as the gallery says, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { filesOnDisk, objectsIn } from '../../../test/stored.ts'
import { BASE_URL, onEveryEngine } from '../../../test/world.ts'

const orgJson = await readFile(new URL('../../../test/fixtures/org-invoice-desk.json', import.meta.url), 'utf8')
const goal = 'Match supplier invoices to purchase orders every morning. Escalate anything over 20000.'

onEveryEngine('an org of the gallery in the library', (it) => {
  it('is a public item with what the gallery knows of it', async ({ alice, bob, anonymous }) => {
    const { id, slug, createdAt } = await alice.orgs.create({ orgJson })
    await bob.orgs.vote({ id, value: 1 })
    const item = await anonymous.library.get({ id })
    assert.deepEqual(
      [item.kind, item.slug, item.name, item.description, item.version, item.visibility, item.tags, item.score],
      ['org', slug, 'invoice-desk', goal, '1.0.0', 'public', [], 1],
    )
    assert.deepEqual(item.meta, { role_count: 3, topology: 'hierarchical', gallery: true })
    assert.deepEqual([item.sha256, item.size], [createHash('sha256').update(orgJson).digest('hex'), orgJson.length])
    assert.deepEqual([item.url, item.created_at], [`${BASE_URL}/library/orgs/${slug}`, createdAt])
    assert.equal((await anonymous.library.list({ kind: 'org' })).total, 1)
    assert.equal((await anonymous.library.list({ q: 'SUPPLIER invoices' })).total, 1)
    const artifact = await bob.request(`/api/library/items/${id}/artifact`)
    assert.deepEqual([artifact.status, await artifact.text()], [200, orgJson])
  })

  it('has the comments, the runs and the banner of the gallery, in lists and alone', async ({
    alice,
    bob,
    anonymous,
  }) => {
    const { id } = await alice.orgs.create({ orgJson })
    const { id: other } = await alice.orgs.create({ orgJson })
    const shown = async (of: string) => {
      const { items } = await anonymous.library.list({ kind: 'org' })
      const [listed, alone] = [items.find((item) => item.id === of), await anonymous.library.get({ id: of })].map(
        (item) => [item?.comment_count, item?.run_count, item?.banner_url],
      )
      assert.deepEqual(listed, alone)
      return listed
    }
    assert.deepEqual(await shown(id), [0, 0, undefined])
    const bannerUrl = '/api/images/org/x'
    await alice.orgs.update({ id, bannerUrl })
    const { id: said } = await bob.orgs.comment({ id, body: 'Fine' })
    await bob.orgs.comment({ id, body: 'Very' })
    await bob.orgRuns.add({ id, files: [new File(['# a'], 'a.md')] })
    assert.deepEqual(await shown(id), [2, 1, bannerUrl])
    assert.deepEqual(await shown(other), [0, 0, undefined])
    await bob.comments.delete({ id: said })
    await alice.orgs.update({ id, bannerUrl: null })
    assert.deepEqual(await shown(id), [1, 1, undefined])
  })

  it('changes with it, and is found by what it says now', async ({ alice, anonymous }) => {
    const { id } = await alice.orgs.create({ orgJson })
    await alice.orgs.update({ id, name: 'Paper desk', description: 'Files paper', tagline: 'Stamped daily' })
    const item = await anonymous.library.get({ id })
    assert.deepEqual([item.name, item.description], ['Paper desk', 'Files paper'])
    for (const q of ['paper desk', 'stamped', 'supplier', 'invoice-desk']) {
      assert.equal((await anonymous.library.list({ q })).total, 1, q)
    }
    await alice.orgs.update({ id, description: '' })
    assert.equal((await anonymous.library.get({ id })).description, goal)
  })

  it('goes with it, from either side, for its uploader and for admins', async (world) => {
    const { alice, bob, admin, anonymous } = world
    const remove = (id: string) => `/api/library/items/${id}`
    const orgs = [
      await alice.orgs.create({ orgJson }),
      await alice.orgs.create({ orgJson }),
      await alice.orgs.create({ orgJson }),
    ]
    for (const { id } of orgs) await bob.orgRuns.add({ id, files: [new File(['# a'], 'a.md')] })
    const [first, second, third] = orgs.map(({ id }) => id)
    await alice.orgs.delete({ id: first! })
    assert.ok([403, 404, 409].includes((await bob.request(remove(second!), { method: 'DELETE' })).status))
    assert.equal((await alice.request(remove(second!), { method: 'DELETE' })).status, 200)
    assert.equal((await admin.request(remove(third!), { method: 'DELETE' })).status, 200)
    assert.equal((await anonymous.library.list({ kind: 'org' })).total, 0)
    assert.equal((await anonymous.orgs.list({})).total, 0)
    assert.deepEqual(await objectsIn(world, 'org-runs'), [])
    assert.equal((await filesOnDisk(world)).length, 1, 'the definition, which waits for the sweep')
  })
})
