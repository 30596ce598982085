// Lists as iterators.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answering, clientWith, jsonAnswer, type Sent } from './platform.ts'

const entries = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => ({ id: String(from + n) }))
const pageOf = ({ url }: Sent) => Number(new URL(url).searchParams.get('page'))

/** A list of `count` entries, in pages of 100. */
function listOf(count: number) {
  const answers = Array.from({ length: 200 }, () => (sent: Sent) => {
    const page = pageOf(sent)
    const to = Math.min(count, (page + 1) * 100)
    return jsonAnswer(200, { items: entries(page * 100, to), hasMore: to < count, total: count })
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

  it('are given once when new ones push them to the next page', async () => {
    const { fetch } = answering(
      jsonAnswer(200, { items: entries(0, 3), hasMore: true }),
      jsonAnswer(200, { items: entries(2, 5), hasMore: false }),
    )
    assert.deepEqual(await collect(clientWith({ fetch }).client.bugs.all()), ['0', '1', '2', '3', '4'])
  })

  it('end with an empty page, whatever the server says of more', async () => {
    const { fetch, requests } = answering(jsonAnswer(200, { items: [], hasMore: true }))
    assert.deepEqual(await collect(clientWith({ fetch }).client.bugs.all()), [])
    assert.equal(requests.length, 1)
  })

  it('of the library begin at page 1 and end with the total', async () => {
    const { fetch, requests } = answering(
      jsonAnswer(200, { items: entries(0, 24), page: 1, per_page: 24, total: 48 }),
      jsonAnswer(200, { items: entries(24, 48), page: 2, per_page: 24, total: 48 }),
    )
    assert.equal((await collect(clientWith({ fetch }).client.library.all())).length, 48)
    assert.deepEqual(requests.map(pageOf), [1, 2])
  })

  it('of versions end with a page that is not full', async () => {
    const { fetch, requests } = answering(
      jsonAnswer(200, { versions: entries(0, 2) }),
      jsonAnswer(200, { versions: entries(2, 3) }),
    )
    const { client } = clientWith({ fetch })
    assert.equal((await collect(client.library.versions.all({ id: 'a', per_page: 2 }))).length, 3)
    assert.equal(requests.length, 2)
  })

  it('of an inbox go on at the cursor: before it, or after it', async () => {
    for (const [input, name] of [
      [{}, 'before'],
      [{ after: '0' }, 'after'],
    ] as const) {
      const { fetch, requests } = answering(
        jsonAnswer(200, { items: entries(0, 2), hasMore: true, next: '7', unread: 0 }),
        jsonAnswer(200, { items: entries(2, 3), hasMore: false, next: '9', unread: 0 }),
      )
      assert.equal((await collect(clientWith({ fetch }).client.notifications.all(input))).length, 3)
      assert.deepEqual([...new URL(requests[1]!.url).searchParams], [[name, '7']])
    }
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
