// What both stores promise, each test in a store of its own.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { after, describe, it, type TestContext } from 'node:test'
import { openObjectStorage } from '../../test/object-storage.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import type { Blobs } from './blobs.ts'
import { openBlobs } from './open-blobs.ts'

const mebibyte = 1024 * 1024
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const inChunks = (bytes: Buffer, size = 65_536) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size)),
  )

const storage = await openObjectStorage()
after(() => storage.close())

/** Opens a store whose staging directory is named, so that a test can look into it. */
type Open = (t: TestContext) => Promise<{ blobs: Blobs; staging: string }>
const stores: Record<string, Open> = {
  async 'in a directory'(t) {
    const root = await temporaryDirectory(t)
    return { blobs: await openBlobs(`file://${root}`), staging: join(root, 'staging') }
  },
  async 'in a bucket'(t) {
    const staging = await temporaryDirectory(t)
    const blobs = await openBlobs(storage.url(staging, randomBytes(8).toString('hex')))
    t.after(() => blobs.close())
    return { blobs, staging }
  },
}

async function publish({ artifacts }: Blobs, bytes: Buffer) {
  const staged = await artifacts.stage(inChunks(bytes), { maxBytes: bytes.length })
  await artifacts.commit(staged)
  await artifacts.discard(staged)
  return staged
}

async function all<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const entry of entries) found.push(entry)
  return found
}

for (const [where, openStore] of Object.entries(stores)) {
  describe(`artifacts ${where}`, () => {
    for (const size of [0, 1, 5 * mebibyte, 5 * mebibyte + 1, 12 * mebibyte]) {
      it(`come back as they went in: ${size} bytes`, async (t) => {
        const { blobs, staging } = await openStore(t)
        const bytes = randomBytes(size)
        const staged = await publish(blobs, bytes)
        assert.deepEqual({ sha256: staged.sha256, size: staged.size }, { sha256: sha256(bytes), size })
        const stored = await blobs.artifacts.read(staged.sha256)
        assert.ok(stored && (await buffer(stored)).equals(bytes))
        assert.equal((await blobs.artifacts.stat(staged.sha256))?.size, size)
        assert.deepEqual(await readdir(staging), [], 'nothing stays behind in staging')
      })
    }

    it('can be read in part, both ends counted', async (t) => {
      const { blobs } = await openStore(t)
      const { sha256 } = await publish(blobs, Buffer.from('0123456789'))
      const part = async (start: number, end?: number) => text((await blobs.artifacts.read(sha256, { start, end }))!)
      assert.equal(await part(2, 4), '234')
      assert.equal(await part(7), '789')
      assert.equal(await part(8, 400), '89')
      assert.equal(await part(9), '9')
      await assert.rejects(part(10), { name: 'BlobError', code: 'invalid_range' })
    })

    it('may be as large as the limit and not a byte larger', async (t) => {
      const { blobs, staging } = await openStore(t)
      const exact = await blobs.artifacts.stage(inChunks(randomBytes(100_000)), { maxBytes: 100_000 })
      assert.equal(exact.size, 100_000)
      await blobs.artifacts.discard(exact)
      const source = inChunks(randomBytes(100_001))
      const larger = blobs.artifacts.stage(source, { maxBytes: 100_000 })
      await assert.rejects(larger, { name: 'BlobError', code: 'too_large' })
      assert.ok(source.destroyed, 'the rest is not read')
      assert.deepEqual(await readdir(staging), [])
    })

    it('leave nothing behind when their sender goes away', async (t) => {
      const { blobs, staging } = await openStore(t)
      const gone = new Error('connection lost')
      const source = Readable.from(
        (async function* () {
          yield randomBytes(50_000)
          throw gone
        })(),
      )
      await assert.rejects(blobs.artifacts.stage(source, { maxBytes: 100_000 }), gone)
      assert.deepEqual(await readdir(staging), [])
    })

    it('are invisible until they are committed, and a crash leaves only what a sweep removes', async (t) => {
      const { blobs, staging } = await openStore(t)
      const staged = await blobs.artifacts.stage(inChunks(randomBytes(1000)), { maxBytes: 1000 })
      assert.equal(await blobs.artifacts.read(staged.sha256), undefined)
      assert.deepEqual(await all(blobs.artifacts.list()), [])
      assert.equal(await blobs.sweep(), 0, 'an upload that is under way is left alone')
      assert.equal((await readdir(staging)).length, 1)
      assert.equal(await blobs.sweep(new Date(Date.now() + 61 * 60_000)), 1)
      assert.deepEqual(await readdir(staging), [])
      await assert.rejects(blobs.artifacts.commit(staged), { code: 'unavailable' })
    })

    it('are stored once, however many publish the same bytes at once', async (t) => {
      const { blobs, staging } = await openStore(t)
      const bytes = randomBytes(300_000)
      await Promise.all(Array.from({ length: 8 }, () => publish(blobs, bytes)))
      const listed = await all(blobs.artifacts.list())
      assert.deepEqual(
        listed.map(({ sha256, size }) => ({ sha256, size })),
        [{ sha256: sha256(bytes), size: 300_000 }],
      )
      assert.deepEqual(await readdir(staging), [])
    })

    it('are refused when the staged file was changed before the commit', async (t) => {
      const { blobs, staging } = await openStore(t)
      for (const size of [1000, 6 * mebibyte]) {
        const staged = await blobs.artifacts.stage(inChunks(randomBytes(size)), { maxBytes: size })
        await writeFile(staged.path, 'x', { flag: 'a' })
        await assert.rejects(blobs.artifacts.commit(staged), { code: 'corrupt' })
        assert.equal(await blobs.artifacts.stat(staged.sha256), undefined)
      }
      assert.deepEqual(await readdir(staging), [])
    })

    it('can be deleted, if they were not published again since', async (t) => {
      const { blobs } = await openStore(t)
      const { sha256 } = await publish(blobs, Buffer.from('short-lived'))
      assert.equal(await blobs.artifacts.delete(sha256, { olderThan: new Date(Date.now() - 60_000) }), false)
      assert.equal(await blobs.artifacts.delete(sha256, { olderThan: new Date(Date.now() + 60_000) }), true)
      assert.equal(await blobs.artifacts.delete(sha256), false)
      assert.equal(await blobs.artifacts.read(sha256), undefined)
    })

    it('are only found under a well-formed hash', async (t) => {
      const { blobs } = await openStore(t)
      for (const name of ['', '..', '../../etc/passwd', 'A'.repeat(64), 'a'.repeat(63), 'a'.repeat(64)]) {
        assert.equal(await blobs.artifacts.read(name), undefined)
        assert.equal(await blobs.artifacts.stat(name), undefined)
        assert.equal(await blobs.artifacts.path(name), undefined)
        assert.equal(await blobs.artifacts.delete(name), false)
      }
    })
  })

  describe(`objects ${where}`, () => {
    it('come back with their content type, and a new one replaces the old', async (t) => {
      const { blobs } = await openStore(t)
      await blobs.objects.put('avatars/7', Buffer.from('first'), 'image/png')
      await blobs.objects.put('avatars/7', Buffer.from('second'), 'image/webp')
      const stored = await blobs.objects.get('avatars/7')
      assert.equal(stored?.bytes.toString(), 'second')
      assert.equal(stored?.contentType, 'image/webp')
      assert.ok(Math.abs(Number(stored?.modified) - Date.now()) < 60_000)
      await blobs.objects.delete('avatars/7')
      await blobs.objects.delete('avatars/7')
      assert.equal(await blobs.objects.get('avatars/7'), undefined)
    })

    it('are always whole, also while they are replaced', async (t) => {
      const { blobs } = await openStore(t)
      const versions = ['a', 'b'].map((letter) => Buffer.alloc(200_000, letter))
      await blobs.objects.put('orgs/1', versions[0]!, 'text/plain')
      const writing = Array.from({ length: 8 }, (_, n) => blobs.objects.put('orgs/1', versions[n % 2]!, 'text/plain'))
      // The object storage used here truncates while it writes; real ones do not, and the directory must not.
      if (where === 'in a directory') {
        const seen = await Promise.all(Array.from({ length: 20 }, () => blobs.objects.get('orgs/1')))
        for (const one of seen) assert.ok(versions.some((version) => one?.bytes.equals(version)))
      }
      await Promise.all(writing)
    })

    it('are listed by folder, with size and time', async (t) => {
      const { blobs } = await openStore(t)
      for (const key of ['runs/7', 'runs/7/0', 'runs/7/deep/1', 'runs/70/0', 'avatars/7']) {
        await blobs.objects.put(key, Buffer.from(key), 'text/plain')
      }
      const keys = async (folder?: string) => (await all(blobs.objects.list(folder))).map(({ key }) => key).sort()
      assert.deepEqual(await keys('runs/7'), ['runs/7/0', 'runs/7/deep/1'])
      assert.deepEqual(await keys('nothing'), [])
      assert.equal((await keys()).length, 5)
      const [entry] = await all(blobs.objects.list('avatars'))
      assert.equal(entry?.size, 'avatars/7'.length)
      for (const key of await keys('runs')) await blobs.objects.delete(key)
      assert.deepEqual(await keys(), ['avatars/7'])
    })

    it('take no key that could lead anywhere else', async (t) => {
      const { blobs } = await openStore(t)
      const put = (key: string) => blobs.objects.put(key, Buffer.from('x'), 'text/plain')
      const hostile = [
        '',
        '/',
        '/a',
        'a/',
        'a//b',
        '.',
        '..',
        '../a',
        'a/../../b',
        'a/.b',
        'a\\b',
        'a\0b',
        'a b',
        'A',
        'ä',
      ]
      for (const key of [...hostile, 'a%2fb', 'a=', 'a?b', 'x'.repeat(129), '1/2/3/4/5/6/7/8/9']) {
        await assert.rejects(put(key), { name: 'BlobError', code: 'invalid_key' }, key)
        assert.equal(await blobs.objects.get(key), undefined)
        await blobs.objects.delete(key)
      }
      await assert.rejects(all(blobs.objects.list('../')), { code: 'invalid_key' })
      for (const key of ['x'.repeat(128), '1/2/3/4/5/6/7/8', 'a-b_c.d/0']) await put(key)
      assert.equal((await all(blobs.objects.list())).length, 3)
    })
  })
}

describe('the address of a store', () => {
  it('is a directory or a bucket, and nothing else', async () => {
    for (const url of ['', '/var/blobs', 'https://example.org/bucket', 's3:', 's3:///key', 'gs://bucket']) {
      await assert.rejects(openBlobs(url), TypeError, url)
    }
  })
})
