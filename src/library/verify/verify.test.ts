// The operator reads every file again: on both engines, with both stores.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { orgFile, workflowFile } from '../../../test/library.ts'
import { onEveryStore, type StoredWorld } from '../../../test/stores.ts'
import { verifyFiles } from './verify.ts'

/** Changes what is stored of an artifact, behind the store's back. */
async function damage({ store, folder, storage }: StoredWorld, sha256: string): Promise<void> {
  const root = store === 'directory' ? folder : storage.directory
  const names = await readdir(root, { recursive: true })
  const name = names.find((name) => name.includes(sha256) && (store === 'directory' || name.endsWith('_object')))
  await writeFile(join(root, name!), '{ "nodes": [] }')
}

onEveryStore('npm run admin -- verify', (it) => {
  it('reports what is damaged and what is missing', async (world) => {
    const { alice, ground, db } = world
    const sound = await alice.library.publish({ kind: 'workflow', file: workflowFile() })
    const damaged = await alice.library.publish({ kind: 'workflow', file: workflowFile({ name: 'Damaged' }) })
    const missing = await alice.library.publish({ kind: 'org', file: orgFile() })
    await ground.blobs.objects.put('avatars/7', Buffer.from('x'), 'image/png')
    const complaints: string[] = []
    const check = () => verifyFiles(db, ground.blobs, (sentence) => complaints.push(sentence))
    assert.deepEqual(await check(), { sound: 4, damaged: 0, missing: 0 })
    await damage(world, damaged.sha256)
    await ground.blobs.artifacts.delete(missing.sha256)
    assert.deepEqual(await check(), { sound: 2, damaged: 1, missing: 1 })
    assert.deepEqual(complaints, [
      `Artifact ${damaged.sha256} is damaged: workflow damaged 1.0.0`,
      `Artifact ${missing.sha256} is missing: org invoice-desk 1.0.0`,
    ])
    assert.ok(sound.sha256)
  })

  it('is a command with an exit code', async (world) => {
    const { alice, databaseUrl, folder, store, ground } = world
    if (store === 'bucket' || databaseUrl.startsWith('postgres')) return
    const { sha256 } = await alice.library.publish({ kind: 'org', file: orgFile() })
    const data = join(databaseUrl, '..')
    const env = { ...process.env, DATA_DIR: data, BLOB_URL: `file:${folder}` }
    const command = () => promisify(execFile)(process.execPath, ['src/admin.ts', 'verify'], { env })
    assert.equal((await command()).stdout, '1 files are sound, 0 damaged, 0 missing.\n')
    await ground.blobs.artifacts.delete(sha256)
    await assert.rejects(command(), { code: 1, stderr: `Artifact ${sha256} is missing: org invoice-desk 1.0.0\n` })
  })
})
