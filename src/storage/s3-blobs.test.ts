// What a bucket adds to the promises of a store: connections break, services fail, and nothing may be left behind.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, beforeEach, describe, it, type TestContext } from 'node:test'
import { openObjectStorage } from '../../test/object-storage.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import { openBlobs } from './open-blobs.ts'

const mebibyte = 1024 * 1024
const inOneHour = () => new Date(Date.now() + 61 * 60_000)
const storage = await openObjectStorage()
after(() => storage.close())

async function open(t: TestContext) {
  const staging = await temporaryDirectory(t)
  const blobs = await openBlobs(storage.url(staging, randomBytes(8).toString('hex')))
  t.after(() => blobs.close())
  const stage = (bytes: Buffer) => blobs.artifacts.stage(Readable.from([bytes]), { maxBytes: bytes.length })
  return { ...blobs, staging, stage }
}

/** Cuts the connection when the answer has been going for so many bytes. */
function cutAfter(response: ServerResponse, bytes: number) {
  const write = response.write.bind(response)
  let sent = 0
  response.write = ((chunk: Buffer, ...rest: []) => {
    sent += chunk.length
    if (sent > bytes) response.destroy()
    return sent > bytes ? false : write(chunk, ...rest)
  }) as typeof response.write
}

describe('a bucket', () => {
  beforeEach(() => {
    storage.gate = () => undefined
    storage.seen.length = 0
  })

  it('is left as it was when an upload breaks half-way, and so is the local disk', async (t) => {
    const { artifacts, staging, stage } = await open(t)
    storage.gate = (request) => {
      if (!request.url?.includes('partNumber=2')) return
      request.socket.destroy()
      return true
    }
    const staged = await stage(randomBytes(11 * mebibyte))
    await assert.rejects(artifacts.commit(staged), { name: 'BlobError', code: 'unavailable' })
    assert.ok(storage.seen.some((request) => request.includes('partNumber=1')))
    assert.deepEqual(await storage.unfinished(), [])
    assert.deepEqual(await readdir(staging), [])
    assert.equal(await artifacts.stat(staged.sha256), undefined)
  })

  it('is listed to its last page', async (t) => {
    const { artifacts, stage } = await open(t)
    storage.pageSize = 2
    t.after(() => {
      storage.pageSize = 1_000
    })
    const kept: string[] = []
    for (let count = 1; count <= 5; count++) {
      const staged = await stage(randomBytes(10))
      await artifacts.commit(staged)
      kept.push(staged.sha256)
      const listed: string[] = []
      for await (const { sha256 } of artifacts.list()) listed.push(sha256)
      assert.deepEqual(listed, kept.toSorted(), `${count} objects on pages of two`)
    }
  })

  it('is swept of uploads that could not even be taken back', async (t) => {
    const { artifacts, sweep, stage } = await open(t)
    storage.gate = (request) => {
      if (!request.url?.includes('uploadId=')) return
      request.socket.destroy()
      return true
    }
    await assert.rejects(artifacts.commit(await stage(randomBytes(6 * mebibyte))), { code: 'unavailable' })
    storage.gate = () => undefined
    assert.equal((await storage.unfinished()).length, 1)
    assert.equal(await sweep(), 0, 'it could be under way elsewhere')
    assert.equal(await sweep(inOneHour()), 1)
    assert.deepEqual(await storage.unfinished(), [])
  })

  it('is asked again when a connection breaks once', async (t) => {
    const { artifacts, stage } = await open(t)
    const broken = new Set<string>()
    storage.gate = (request) => {
      const call = `${request.method} ${request.url}`
      if (request.method === 'HEAD' || broken.has(call)) return
      broken.add(call)
      request.socket.destroy()
      return true
    }
    const bytes = randomBytes(6 * mebibyte)
    const staged = await stage(bytes)
    await artifacts.commit(staged)
    assert.ok((await buffer((await artifacts.read(staged.sha256))!)).equals(bytes))
    assert.ok(broken.size >= 4)
  })

  it('has the artifact when only the answer to the completion was lost', async (t) => {
    const { artifacts, stage } = await open(t)
    storage.gate = (request, response) => {
      if (request.method === 'POST' && request.url?.includes('uploadId=')) {
        response.end = (() => response.destroy()) as typeof response.end
      }
      return undefined
    }
    const staged = await stage(randomBytes(6 * mebibyte))
    await artifacts.commit(staged)
    assert.equal((await artifacts.stat(staged.sha256))?.size, 6 * mebibyte)
    assert.deepEqual(await storage.unfinished(), [])
  })

  it('is sent bytes under the signature of their hash, so that it refuses any others', async (t) => {
    const { artifacts, stage } = await open(t)
    const signed: unknown[] = []
    storage.gate = (request) => {
      if (request.method === 'PUT') signed.push(request.headers['x-amz-content-sha256'])
      return undefined
    }
    const bytes = randomBytes(6 * mebibyte)
    await artifacts.commit(await stage(bytes))
    const parts = [bytes.subarray(0, 5 * mebibyte), bytes.subarray(5 * mebibyte)]
    const hashes = parts.map((part) => createHash('sha256').update(part).digest('hex'))
    assert.deepEqual(signed, hashes)
  })

  it('is read on from where a download broke', async (t) => {
    const { artifacts, stage } = await open(t)
    const bytes = randomBytes(2 * mebibyte)
    const staged = await stage(bytes)
    await artifacts.commit(staged)
    const ranges: (string | undefined)[] = []
    storage.gate = (request, response) => {
      ranges.push(request.headers.range)
      if (ranges.length < 3) cutAfter(response, 500_000)
      return undefined
    }
    assert.ok((await buffer((await artifacts.read(staged.sha256))!)).equals(bytes))
    assert.equal(ranges.length, 3)
    assert.equal(ranges[0], undefined)
    assert.match(ranges[2]!, /^bytes=[1-9]\d+-$/)

    ranges.length = 0
    const part = await buffer((await artifacts.read(staged.sha256, { start: 10, end: 1_999_999 }))!)
    assert.ok(part.equals(bytes.subarray(10, 2_000_000)))
    assert.match(ranges[2]!, /^bytes=[1-9]\d+-1999999$/)
  })

  it('is given up when downloads keep breaking', async (t) => {
    const { artifacts, stage } = await open(t)
    const staged = await stage(randomBytes(4 * mebibyte))
    await artifacts.commit(staged)
    storage.gate = (_, response) => void cutAfter(response, 100_000)
    await assert.rejects(buffer((await artifacts.read(staged.sha256))!), { name: 'BlobError', code: 'unavailable' })
  })

  it('never hands out damaged bytes as complete', async (t) => {
    const { artifacts, stage } = await open(t)
    const staged = await stage(Buffer.from('as it was published'))
    await artifacts.commit(staged)
    const files = await readdir(storage.directory, { recursive: true })
    const stored = files.find((name) => name.includes(staged.sha256) && name.endsWith('_object'))
    await writeFile(join(storage.directory, stored!), 'as it was purloined')
    await assert.rejects(buffer((await artifacts.read(staged.sha256))!), { name: 'BlobError', code: 'corrupt' })
  })

  it('says when it is full, missing or not there at all', async (t) => {
    const { objects, artifacts, staging } = await open(t)
    const put = () => objects.put('avatars/7', Buffer.from('x'), 'image/png')
    storage.gate = (_, response) => Boolean(response.writeHead(507).end())
    await assert.rejects(put(), { name: 'BlobError', code: 'full' })
    storage.gate = () => undefined

    const elsewhere = await openBlobs(storage.url(staging).replace('guildhall', 'nowhere'))
    await assert.rejects(elsewhere.objects.get('avatars/7'), { name: 'BlobError', code: 'unavailable' })
    elsewhere.close()

    storage.gate = (request) => Boolean(request.socket.destroy())
    await assert.rejects(artifacts.stat('a'.repeat(64)), { name: 'BlobError', code: 'unavailable' })
    const listing = objects.list()[Symbol.asyncIterator]()
    await assert.rejects(listing.next(), { name: 'BlobError', code: 'unavailable' })
  })

  it('lets a reader go away early without keeping the connection', async (t) => {
    const { artifacts, stage } = await open(t)
    const staged = await stage(randomBytes(4 * mebibyte))
    await artifacts.commit(staged)
    let closed = 0
    storage.gate = (_, response) => void response.once('close', () => closed++)
    const unread = (await artifacts.read(staged.sha256))!
    unread.destroy()
    const begun = (await artifacts.read(staged.sha256))!
    for await (const _ of begun) break
    for (let left = 100; closed < 2 && left > 0; left--) await new Promise((next) => setTimeout(next, 10))
    assert.equal(closed, 2)
  })
})
