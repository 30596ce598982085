// The operator looks at all files again: on both engines, with both stores. Each kind of damage is done behind Guildhall's
// back, and found.
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { orgFile, workflowFile } from '../../test/library.ts'
import { live } from '../../test/live.ts'
import { onePixelDeepPng, tinyPng } from '../../test/pictures.ts'
import { complaintsOf } from '../../test/sound.ts'
import { onEveryStore, type StoredWorld } from '../../test/stores.ts'
import { verifyEverything } from './verify.ts'

/** Changes what is stored under a name, behind the store's back. */
async function overwrite({ store, folder, storage }: StoredWorld, part: string): Promise<void> {
  const root = store === 'directory' ? folder : storage.directory
  const names = await readdir(root, { recursive: true })
  const name = names.find(
    (name) => name.includes(part) && (store === 'directory' ? /[=0-9a-f]$/.test(name) : name.endsWith('_object')),
  )
  await writeFile(join(root, name!), 'x'.repeat(300))
}

onEveryStore('npm run admin -- verify', (it) => {
  it('finds nothing where all is well, and every file that is damaged or missing', async (world) => {
    const { alice, dependencies } = world
    const { file, image } = await live(world)
    assert.deepEqual(await complaintsOf(world), [])
    const damaged = await alice.library.publish({ kind: 'workflow', file: workflowFile({ name: 'Damaged' }) })
    const missing = await alice.library.publish({ kind: 'org', file: orgFile({ name: 'Missing' }) })
    const { id } = await alice.account()
    await overwrite(world, damaged.sha256)
    await overwrite(world, file)
    await overwrite(world, image)
    await dependencies.blobs.artifacts.delete(missing.sha256)
    await dependencies.blobs.objects.delete(`avatars/${id}`)
    assert.deepEqual(await complaintsOf(world), [
      `Artifact ${damaged.sha256} is damaged: workflow damaged 1.0.0`,
      `Artifact ${missing.sha256} is missing: org missing 1.0.0`,
      `org-images/${image} is damaged`,
      `org-runs/${file} is damaged`,
      `avatars/${id} is missing`,
    ])
  })

  it('finds the archive of an export that is missing', async (world) => {
    const { alice, dependencies, app, db } = world
    await alice.dataExports.request()
    await app.work()
    assert.deepEqual(await complaintsOf(world), [])
    const { sha256 } = await db.selectFrom('dataExport').select('sha256').executeTakeFirstOrThrow()
    await dependencies.blobs.artifacts.delete(sha256!)
    assert.deepEqual(await complaintsOf(world), [`Artifact ${sha256} is missing: the archive of an export`])
  })

  it('gives files from before there were hashes theirs, and finds what is done to them later', async (world) => {
    const { db, dependencies } = world
    const { file, image } = await live(world)
    await db.updateTable('orgRunFile').set({ sha256: null }).execute()
    await db.updateTable('orgImage').set({ sha256: null }).execute()
    await db.updateTable('user').set({ avatarSha256: null }).execute()
    const { lines } = await verifyEverything({ db, blobs: dependencies.blobs }, assert.fail)
    assert.match(lines[0]!, /8 files are sound, 0 damaged, 0 missing; 4 had no hash and have one now\./)
    const { bytes, contentType } = (await dependencies.blobs.objects.get(`org-runs/${file}`))!
    await dependencies.blobs.objects.put(`org-runs/${file}`, Buffer.alloc(bytes.byteLength, 'y'), contentType)
    const picture = (await dependencies.blobs.objects.get(`org-images/${image}`))!
    await dependencies.blobs.objects.delete(`org-images/${image}`)
    assert.deepEqual(await complaintsOf(world), [`org-images/${image} is missing`, `org-runs/${file} is damaged`])
    await dependencies.blobs.objects.put(`org-images/${image}`, picture.bytes, picture.contentType)
    assert.deepEqual(await complaintsOf(world), [`org-runs/${file} is damaged`])
  })

  it('knows a picture whose upload was cut off before its row, and finds that it is damaged', async (world) => {
    const { alice, db } = world
    const { id } = await alice.account()
    await alice.avatars.set({ avatar: await tinyPng() })
    const columns = ['avatarSha256', 'avatarUpdatedAt', 'updatedAt'] as const
    const before = await db.selectFrom('user').select(columns).where('id', '=', id).executeTakeFirstOrThrow()
    await alice.avatars.set({ avatar: onePixelDeepPng(9, 9) })
    await db.updateTable('user').set(before).where('id', '=', id).execute()
    assert.deepEqual(await complaintsOf(world), [])
    const { avatarUrl } = await alice.profile.me()
    assert.equal((await alice.request(avatarUrl!)).headers.get('content-type'), 'image/png')
    await overwrite(world, id)
    assert.deepEqual(await complaintsOf(world), [`avatars/${id} is damaged`])
  })
})
