// Downloads and streams of events.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryDirectory } from '../../test/temporary.ts'
import { ChecksumError, NetworkError } from '../src/errors.ts'
import { saveDownload } from '../src/save-download.ts'
import { answering, clientWith, errorOf } from './platform.ts'

const content = 'the bytes of an item'
const sha256 = createHash('sha256').update(content).digest('hex')
const other = createHash('sha256').update('other').digest('hex')

const file = (headers: Record<string, string> = {}, text: BodyInit | null = content, status = 200) =>
  new Response(text, {
    status,
    headers: { 'Content-Type': 'application/json', 'X-Content-SHA256': sha256, ...headers },
  })

const downloaded = (response: Response, options = {}) =>
  clientWith({ fetch: answering(response).fetch }).client.library.download({ id: 'a' }, options)

describe('a download', () => {
  it('tells what it is, and gives its bytes', async () => {
    const headers = {
      ETag: '"t"',
      'X-Library-Version': '1.2.0',
      'Content-Length': String(content.length),
      'Content-Disposition': 'attachment; filename="a.json"; filename*=UTF-8\'\'%C3%A4.json',
    }
    const download = await downloaded(file(headers))
    const { contentType, size, version, etag, filename, notModified } = download
    assert.deepEqual(
      { contentType, size, version, etag, filename, notModified, sha256: download.sha256 },
      {
        contentType: 'application/json',
        size: 20,
        version: '1.2.0',
        etag: '"t"',
        filename: 'ä.json',
        notModified: false,
        sha256,
      },
    )
    assert.equal(await download.text(), content)
  })

  it('fails when its bytes are not those of the hash, and when some are missing', async () => {
    assert.ok((await errorOf((await downloaded(file({ 'X-Content-SHA256': other }))).bytes())) instanceof ChecksumError)
    assert.ok((await errorOf((await downloaded(file({ 'Content-Length': '21' }))).bytes())) instanceof ChecksumError)
    assert.ok((await errorOf((await downloaded(file({}, null))).bytes())) instanceof ChecksumError)
  })

  it('is checked against the hash that the caller knows, in any case', async () => {
    assert.ok((await errorOf((await downloaded(file(), { sha256: other })).text())) instanceof ChecksumError)
    assert.equal(await (await downloaded(file(), { sha256: sha256.toUpperCase() })).text(), content)
  })

  it('that the caller has already has no bytes', async () => {
    const { fetch, requests } = answering(new Response(null, { status: 304, headers: { ETag: '"t"' } }))
    const download = await clientWith({ fetch }).client.library.download({ id: 'a' }, { ifNoneMatch: '"t"' })
    assert.equal(requests[0]!.headers.get('if-none-match'), '"t"')
    assert.equal(download.notModified, true)
    assert.equal((await download.bytes()).length, 0)
  })

  it('that breaks off is a NetworkError', async () => {
    const broken = new ReadableStream({
      pull(controller) {
        controller.error(new TypeError('terminated'))
      },
    })
    assert.ok((await errorOf((await downloaded(file({}, broken))).bytes())) instanceof NetworkError)
  })

  it('is a file once it is checked, and until then the old file stays', async (t) => {
    const folder = await temporaryDirectory(t)
    const path = join(folder, 'item.json')
    await writeFile(path, 'old')
    await assert.rejects(saveDownload(await downloaded(file({ 'X-Content-SHA256': other })), path), ChecksumError)
    assert.equal(await readFile(path, 'utf8'), 'old')
    await saveDownload(await downloaded(file()), path)
    assert.equal(await readFile(path, 'utf8'), content)
    assert.deepEqual(await readdir(folder), ['item.json'])
  })
})

describe('a stream of events', () => {
  it('gives each event, however it is cut', async () => {
    const text =
      ': hello\n\nretry: 5000\n\nevent: unread\ndata: 1\n\nid: 7\r\ndata: a\r\ndata: b\r\n\r\ndata: never ended'
    for (const size of [1, 3, 1000]) {
      const chunks = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g'))!.map((part) => new TextEncoder().encode(part))
      const body = new ReadableStream({
        pull(controller) {
          const chunk = chunks.shift()
          if (chunk) controller.enqueue(chunk)
          else controller.close()
        },
      })
      const { client } = clientWith({ fetch: answering(new Response(body)).fetch })
      const events = []
      for await (const event of client.notifications.stream()) events.push(event)
      assert.deepEqual(events, [
        { event: 'unread', data: '1', id: undefined },
        { event: 'message', data: 'a\nb', id: '7' },
      ])
    }
  })
})
