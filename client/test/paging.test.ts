// Lists as iterators.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answering, clientWith, jsonAnswer, type Sent } from './platform.ts'

const entries = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => ({ id: String(from + n) }))
const cursorOf = ({ url }: Sent) => new URL(url).searchParams.get('cursor')

/** A list of `count` entries, in pages of 100. */
function listOf(count: number) {
  const answers = Array.from({ length: 200 }, () => (sent: Sent) => {
    const from = Number(cursorOf(sent))
    const to = Math.min(count, from + 100)
    return jsonAnswer(200, {
      items: entries(from, to),
      hasMore: to < count,
      nextCursor: to < count ? String(to) : null,
    })
  })
  return answering(...answers)
}

async function collect(list: AsyncIterable<unknown>): Promise<string[]> {
  const ids: string[] = []
  for await (const entry of list) ids.push((entry as { id: string }).id)
  return ids
}

describe('all entries of a list', () => {
  it('come page after page, each page when it is needed', async () => {
    const { fetch, requests } = listOf(250)
    const { client } = clientWith({ fetch })
    const list = client.bugs.all({ status: 'open', per_page: 100 })
    for (let n = 0; n < 100; n++) await list.next()
    assert.equal(requests.length, 1)
    assert.deepEqual(
      await collect(list),
      entries(100, 250).map(({ id }) => id),
    )
    assert.equal(requests.length, 3)
    assert.ok(requests.every(({ url }) => url.includes('status=open&per_page=100') || url.includes('status=open')))
  })

  it('end at the limit, without a page more', async () => {
    for (const [limit, pages] of [
      [0, 0],
      [1, 1],
      [100, 1],
      [101, 2],
    ] as const) {
      const { fetch, requests } = listOf(250)
      const ids = await collect(clientWith({ fetch }).client.bugs.all({}, { limit }))
      assert.deepEqual([ids.length, requests.length], [limit, pages])
    }
  })

  it('are at most 10,000 unless the caller wants more', async () => {
    const read = (count: number, options = {}) =>
      collect(clientWith({ fetch: listOf(count).fetch }).client.bugs.all({}, options))
    assert.equal((await read(10_000)).length, 10_000)
    await assert.rejects(read(10_001), /more than 10000 entries/)
    assert.equal((await read(10_001, { limit: Infinity })).length, 10_001)
  })

  it('go on behind an empty page, and end where there is no cursor more', async () => {
    const { fetch, requests } = answering(
      jsonAnswer(200, { items: entries(0, 3), hasMore: true, nextCursor: 'a' }),
      jsonAnswer(200, { items: [], hasMore: true, nextCursor: 'b' }),
      jsonAnswer(200, { items: entries(3, 5), hasMore: false, nextCursor: null }),
    )
    assert.deepEqual(await collect(clientWith({ fetch }).client.bugs.all()), ['0', '1', '2', '3', '4'])
    assert.deepEqual(requests.map(cursorOf), ['', 'a', 'b'])
  })

  it('begin at a cursor of the caller', async () => {
    const { fetch, requests } = answering(jsonAnswer(200, { items: [], hasMore: false, nextCursor: null }))
    await collect(clientWith({ fetch }).client.bugs.all({ cursor: 'mine' }))
    assert.deepEqual(requests.map(cursorOf), ['mine'])
  })

  it('are refused of a server that has no cursors: it would give the first page alone', async () => {
    const { fetch } = answering(jsonAnswer(200, { items: entries(0, 3), hasMore: true, total: 9 }))
    await assert.rejects(collect(clientWith({ fetch }).client.bugs.all()), /server is older than the client/)
  })

  it('of the library and of versions have cursors, too', async () => {
    for (const name of ['items', 'versions']) {
      const { fetch, requests } = answering(
        jsonAnswer(200, { [name]: entries(0, 2), nextCursor: '2' }),
        jsonAnswer(200, { [name]: entries(2, 3), nextCursor: null }),
      )
      const { library } = clientWith({ fetch }).client
      assert.equal((await collect(name === 'items' ? library.all() : library.versions.all({ id: 'a' }))).length, 3)
      assert.deepEqual(requests.map(cursorOf), ['', '2'])
    }
  })

  it('of an inbox go on after a number of the caller, oldest first', async () => {
    const { fetch, requests } = answering(
      jsonAnswer(200, { items: entries(0, 2), hasMore: true, next: '7', unread: 0 }),
      jsonAnswer(200, { items: entries(2, 3), hasMore: false, next: '9', unread: 0 }),
    )
    assert.equal((await collect(clientWith({ fetch }).client.notifications.all({ after: '0' }))).length, 3)
    assert.deepEqual(
      requests.map(({ url }) => [...new URL(url).searchParams]),
      [[['after', '0']], [['after', '7']]],
    )
  })

  it('of the log go on until there is nothing more', async () => {
    const { fetch } = answering(
      jsonAnswer(200, { changes: entries(0, 2), next: 1, size: 3 }),
      jsonAnswer(200, { changes: entries(2, 3), next: 2, size: 3 }),
      jsonAnswer(200, { changes: [], next: 2, size: 3 }),
    )
    assert.equal((await collect(clientWith({ fetch }).client.transparency.changes.all())).length, 3)
  })

  it('end with the signal', async () => {
    const { fetch } = listOf(250)
    const controller = new AbortController()
    const list = clientWith({ fetch }).client.bugs.all({}, { signal: controller.signal })
    await list.next()
    controller.abort(new Error('Enough'))
    await assert.rejects(collect(list), /Enough/)
  })
})
