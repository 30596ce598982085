// What a directory adds to the promises of a store: whole files at any time, and a disk that can fill up.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, open, readdir, rename, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { temporaryDirectory } from '../../test/temporary.ts'
import type { ArtifactEntry, Blobs } from './blobs.ts'
import { openBlobs } from './open-blobs.ts'
import { fill, openStaging } from './staging.ts'

const mebibyte = 1024 * 1024
const openStore = async (t: TestContext) => openBlobs(`file://${await temporaryDirectory(t)}`)

async function publish({ artifacts }: Blobs, bytes: Buffer) {
  const staged = await artifacts.stage(Readable.from([bytes]), { maxBytes: bytes.length })
  await artifacts.commit(staged)
  return staged
}

describe('a store in a directory', () => {
  it('gives the path of an artifact, so that a server can send the file itself', async (t) => {
    const blobs = await openStore(t)
    const { sha256 } = await publish(blobs, Buffer.from('in a file'))
    const file = await open((await blobs.artifacts.path(sha256))!)
    assert.equal((await file.readFile()).toString(), 'in a file')
    await file.close()
  })

  it('never hands out damaged bytes as complete, and is healed by publishing them again', async (t) => {
    const blobs = await openStore(t)
    const bytes = randomBytes(2 * mebibyte)
    const { sha256 } = await publish(blobs, bytes)
    const file = await open((await blobs.artifacts.path(sha256))!, 'r+')
    await file.write(Buffer.from([bytes[1000]! ^ 1]), 0, 1, 1000)
    await file.close()
    let arrived = 0
    const reading = (await blobs.artifacts.read(sha256))!.on('data', (chunk) => (arrived += chunk.length))
    await assert.rejects(new Promise((end, fail) => reading.on('end', end).on('error', fail)), { code: 'corrupt' })
    assert.ok(arrived < bytes.length)
    await publish(blobs, bytes)
    assert.ok((await buffer((await blobs.artifacts.read(sha256))!)).equals(bytes))
  })

  it('has an artifact again whose removal was cut off, unless it was published since', async (t) => {
    const blobs = await openStore(t)
    const { sha256 } = await publish(blobs, Buffer.from('half gone'))
    const path = (await blobs.artifacts.path(sha256))!
    const later = new Date(Date.now() + 61 * 60_000)
    const aside = `${path}.${randomUUID()}`
    await rename(path, aside)
    assert.equal(await blobs.sweep(), 0, 'a removal that is under way is left alone')
    assert.equal(await blobs.sweep(later), 1)
    assert.equal((await blobs.artifacts.stat(sha256))?.size, 9)
    await copyFile(path, aside)
    assert.equal(await blobs.sweep(later), 1)
    assert.deepEqual(await readdir(dirname(path)), [sha256])
  })

  it('holds nothing but whole artifacts, whenever the process is killed', async (t) => {
    const root = await temporaryDirectory(t)
    const script = `
      import { randomBytes } from 'node:crypto'
      import { Readable } from 'node:stream'
      import { openBlobs } from '${import.meta.resolve('./open-blobs.ts')}'
      const { artifacts } = await openBlobs('file:' + process.argv[1])
      process.stdout.write('.')
      for (;;) {
        const staged = await artifacts.stage(Readable.from([randomBytes(50_000), randomBytes(50_000)]), { maxBytes: 1e5 })
        await artifacts.commit(staged)
        process.stdout.write('+')
      }`
    for (const ms of [5, 12, 25, 40, undefined]) {
      const publisher = spawn(process.execPath, ['--input-type=module', '-e', script, root])
      await once(publisher.stdout, 'data')
      // On a slow machine none of the others may come so far as to publish one.
      if (ms === undefined) for await (const said of publisher.stdout) if (String(said).includes('+')) break
      await new Promise((later) => setTimeout(later, ms))
      publisher.kill('SIGKILL')
      await once(publisher, 'close')
    }
    const { artifacts, sweep } = await openBlobs(`file://${root}`)
    const kept: ArtifactEntry[] = []
    for await (const entry of artifacts.list()) kept.push(entry)
    assert.ok(kept.length > 0)
    for (const { sha256 } of kept) assert.equal((await buffer((await artifacts.read(sha256))!)).length, 100_000)
    await sweep(new Date(Date.now() + 61 * 60_000))
    assert.deepEqual(await readdir(join(root, 'staging')), [])
  })

  it('renews the date of an artifact that is published again', async (t) => {
    const blobs = await openStore(t)
    const { sha256 } = await publish(blobs, Buffer.from('again'))
    await utimes((await blobs.artifacts.path(sha256))!, new Date(0), new Date(0))
    await publish(blobs, Buffer.from('again'))
    assert.equal(await blobs.artifacts.delete(sha256, { olderThan: new Date(Date.now() - 60_000) }), false)
  })

  it('says that the disk is full', { skip: process.platform !== 'linux' }, async () => {
    const full = await open('/dev/full', 'w')
    await assert.rejects(fill(full, Readable.from([randomBytes(10_000)]), 10_000), { name: 'BlobError', code: 'full' })
    await full.close()
  })

  it('stages nothing in a directory that another user could have created', async (t) => {
    const root = await temporaryDirectory(t)
    await symlink(root, join(root, 'link'))
    await assert.rejects(openStaging(join(root, 'link')), { code: 'unavailable' })
  })

  it('says so when it cannot be opened', async (t) => {
    const root = await temporaryDirectory(t)
    await writeFile(join(root, 'file'), '')
    await assert.rejects(openBlobs(`file://${root}/file/blobs`), { name: 'BlobError', code: 'unavailable' })
  })
})
