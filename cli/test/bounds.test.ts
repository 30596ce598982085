// A server gets no more bytes, time or silence out of a command than it was promised.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { createClient } from '../../client/src/main-node.ts'
import { fetchWith } from '../src/fetch.ts'
import { digest, homeOf, publish } from './items.ts'
import { beforeALiar } from './lying-proxy.ts'

async function serverWith(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const LONG = { silence: 60, quiet: 60, answer: 60, file: 60 }

describe('a download', () => {
  beforeALiar('has the size that was proven, also where the server sends more', async (liar) => {
    const { world, run, proxy, at } = liar
    await publish(world.alice, { '1.0.0': ['a.example'] })
    const endless = 'x'.repeat(1_000_000)
    proxy.lie = (path) => (path.endsWith('/file') ? { body: endless } : undefined)
    for (const words of [
      ['install', 'workflow/digest'],
      ['install', 'workflow/digest', '--unproven'],
    ]) {
      const { errors } = await run(words, at('first', { expected: 1 }))
      assert.match(errors, /another size: \d+ or more, not at most \d{2,4} bytes/)
    }
    const left = await readdir(homeOf(liar, 'first'), { recursive: true })
    assert.deepEqual(
      left.filter((name) => /digest|part|new/.test(name)),
      [],
    )
    proxy.lie = () => undefined
    await run(['install', 'workflow/digest'], at('first'))
    assert.match(await digest(liar, 'first'), /a\.example/)
  })
})

describe('an answer', () => {
  it('of more than 16 MiB is not read to its end', async (t) => {
    let sent = 0
    const url = await serverWith(t, (request, answer) => {
      request.resume()
      answer.setHeader('content-type', 'application/json')
      const more = () => {
        while (!answer.destroyed && answer.write('[1],'.repeat(65_536))) sent += 262_144
      }
      answer.on('drain', more)
      more()
    })
    const client = createClient({ url, fetch: fetchWith({}) })
    const other = createClient({ url })
    for (const one of [client, other]) await assert.rejects(one.feed.list(), { name: 'BoundError', message: /16 MiB/ })
    assert.ok(sent < 200_000_000, `${sent}`)
  })

  for (const [what, bounds, reason] of [
    ['on which nothing comes', { ...LONG, silence: 0.2 }, /Nothing came for 0\.2 s/],
    ['that comes letter by letter', { ...LONG, answer: 0.5 }, /longer than 0\.5 s/],
  ] as const) {
    it(`${what} is given up, and not asked for again`, async (t) => {
      let times = 0
      const url = await serverWith(t, (request, answer) => {
        request.resume()
        times++
        answer.writeHead(200, { 'content-type': 'application/json' })
        answer.write('[')
        if (bounds.silence < 1) return
        const timer = setInterval(() => answer.write(' '), 20)
        answer.on('close', () => clearInterval(timer))
      })
      const client = createClient({ url, fetch: fetchWith({}, undefined, bounds) })
      await assert.rejects(client.library.resolve({ items: [] }), { name: 'BoundError', message: reason })
      assert.equal(times, 1)
    })
  }

  it('that never begins is given up too', async (t) => {
    const url = await serverWith(t, (request) => void request.resume())
    const get = async (bounds: typeof LONG) => fetchWith({}, undefined, bounds)(url, {})
    await assert.rejects(get({ ...LONG, silence: 0.2 }), /Nothing came/)
    await assert.rejects(get({ ...LONG, answer: 0.2 }), /took longer/)
  })

  it('that is a file or events may take longer', async (t) => {
    const url = await serverWith(t, (request, answer) => {
      request.resume()
      const type = request.url === '/events' ? 'text/event-stream' : 'application/zip'
      answer.writeHead(200, { 'content-type': type })
      answer.write('a')
      setTimeout(() => answer.end('b'), 600)
    })
    const short = { silence: 30, quiet: 30, answer: 0.2, file: 30 }
    for (const path of ['/events', '/file'])
      assert.equal(await (await fetchWith({}, undefined, short)(`${url}${path}`, {})).text(), 'ab')
    const response = await fetchWith({}, undefined, { ...short, file: 0.3 })(`${url}/file`, {})
    await assert.rejects(response.text(), /longer than 0\.3 s/)
  })
})
