// Downloads that the bucket hands out itself, to callers that say that they follow a redirect.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { onEngines } from '../../../test/databases.ts'
import { orgFile } from '../../../test/library.ts'
import { openObjectStorage } from '../../../test/object-storage.ts'
import { makeWorld, type World } from '../../../test/world.ts'
import { openBlobs } from '../../storage/open-blobs.ts'

onEngines('a download from a bucket', (open) => {
  let storage: Awaited<ReturnType<typeof openObjectStorage>>
  before(async () => {
    storage = await openObjectStorage()
  })
  after(() => storage.close())

  /** A world whose files are in a bucket with these settings, and an item of alice there. */
  async function withItem(
    settings: string,
    work: (world: World, item: { id: string; slug: string; sha256: string }) => Promise<void>,
  ): Promise<void> {
    const database = await open()
    const staging = await mkdtemp(join(tmpdir(), 'guildhall-blobs-'))
    const world = await makeWorld(database, {
      BLOB_URL: `${storage.url(staging, randomBytes(8).toString('hex'))}${settings}`,
    })
    try {
      await work(world, await world.alice.library.publish({ kind: 'org', file: orgFile(), visibility: 'public' }))
    } finally {
      world.dependencies.blobs.close()
      await database.remove()
      await rm(staging, { recursive: true })
    }
  }

  it('is a redirect to it with the hash and the version, and the file has its name and type there', () =>
    withItem('&downloads=redirect', async ({ alice, anonymous }, { id, slug, sha256 }) => {
      for (const path of [
        `/api/library/items/${id}/artifact?redirect=follow`,
        `/api/library/items/org/${slug}/artifact?redirect=follow`,
        `/api/library/org/${slug}/latest/file?redirect=follow`,
      ]) {
        const answer = await alice.request(path, { redirect: 'manual' })
        assert.equal(answer.status, 302, path)
        assert.equal(answer.headers.get('cache-control'), 'no-store')
        assert.equal(answer.headers.get('x-content-sha256'), sha256)
        assert.equal(answer.headers.get('x-library-version'), '1.0.0')
        assert.equal(await answer.text(), '')
        const file = await fetch(answer.headers.get('location') ?? '')
        assert.equal(file.status, 200)
        assert.equal(file.headers.get('content-type'), 'application/json')
        assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="/)
        const bytes = Buffer.from(await file.arrayBuffer())
        assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256)
      }
      const path = `/api/library/items/${id}/artifact?redirect=follow`
      const ask = (method: string, headers: Record<string, string>) =>
        alice.request(path, { method, headers, redirect: 'manual' })
      assert.equal((await ask('HEAD', {})).status, 302)
      assert.equal((await ask('GET', { Range: 'bytes=0-1' })).status, 302)
      const known = await ask('GET', { 'If-None-Match': `"${sha256}"` })
      assert.deepEqual([known.status, known.headers.get('location')], [304, null])
      const refused = await anonymous.request(`/api/library/items/${id}/artifact?redirect=follow`)
      assert.equal(refused.status, 401)
      const unknown = await alice.request(`/api/library/items/${id}/artifact?redirect=always`)
      assert.equal(unknown.status, 400)
    }))

  it('is the file itself to callers that do not say so, and the address opens no other object', () =>
    withItem('&downloads=redirect', async ({ alice }, { id, sha256 }) => {
      const own = await alice.request(`/api/library/items/${id}/artifact`, { redirect: 'manual' })
      assert.equal(own.status, 200)
      assert.equal(own.headers.get('x-content-sha256'), sha256)
      const answer = await alice.request(`/api/library/items/${id}/artifact?redirect=follow`, { redirect: 'manual' })
      const address = new URL(answer.headers.get('location') ?? '')
      assert.equal(address.searchParams.get('X-Amz-Expires'), '300')
      assert.equal((await fetch(address)).status, 200)
      address.pathname = address.pathname.replace(
        sha256,
        sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      )
      assert.equal((await fetch(address)).status, 403)
    }))

  it('leads to the public endpoint where the bucket has one, and nowhere unless the operator says so', async () => {
    const elsewhere = `&downloads=redirect&public=${encodeURIComponent('https://files.example.org')}`
    await withItem(elsewhere, async ({ alice }, { id }) => {
      const answer = await alice.request(`/api/library/items/${id}/artifact?redirect=follow`, { redirect: 'manual' })
      assert.equal(new URL(answer.headers.get('location') ?? '').origin, 'https://files.example.org')
    })
    await withItem('', async ({ alice }, { id }) => {
      const answer = await alice.request(`/api/library/items/${id}/artifact?redirect=follow`, { redirect: 'manual' })
      assert.equal(answer.status, 200)
    })
  })
})

it('a bucket with other words about downloads is refused', async () => {
  await assert.rejects(openBlobs('s3://b?downloads=maybe'), /proxy or redirect/)
  await assert.rejects(openBlobs('s3://b?downloads=redirect&public=files'), /public endpoint/)
})
