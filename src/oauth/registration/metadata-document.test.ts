// Fetching client documents of untrusted URLs: only from public addresses, complete, in time, and small.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { isPublicAddress } from '../../outgoing/guarded-request.ts'
import { DOCUMENT_BYTES, fetchDocument } from './metadata-document.ts'

const fixture = (name: string) =>
  readFileSync(new URL(`../../../test/fixtures/loopback/${name}`, import.meta.url), 'utf8')
const ca = fixture('certificate.pem')

/** A server on this machine, which only a test may reach: `home` allows it. */
async function serving(answer: RequestListener, run: (origin: string) => Promise<void>): Promise<void> {
  const server = createServer({ key: fixture('key.pem'), cert: ca }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await run(`https://localhost:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const home = { isAllowed: () => true, ca }

describe('a metadata document', () => {
  it('is fetched with its lifetime', async () => {
    await serving(
      (_request, response) => response.setHeader('Cache-Control', 'max-age=60').end('{"a":1}'),
      async (origin) => {
        const response = await fetchDocument(`${origin}/client.json`, home)
        assert.deepEqual([response.status, await response.json()], [200, { a: 1 }])
        assert.equal(response.headers.get('cache-control'), 'max-age=60')
      },
    )
  })

  it('is not fetched from an address that is not public, by name or by number', async () => {
    let called = false
    await serving(
      (_request, response) => {
        called = true
        response.end('{}')
      },
      async (origin) => {
        for (const url of [origin, origin.replace('localhost', '127.0.0.1'), origin.replace('localhost', '[::1]')]) {
          await assert.rejects(fetchDocument(url, { isAllowed: isPublicAddress, ca }), /not a public address/)
        }
      },
    )
    assert.equal(called, false)
  })

  it('is not looked for where a redirect leads', async () => {
    await serving(
      (request, response) => {
        if (request.url === '/moved') response.writeHead(302, { Location: '/client.json' }).end()
        else response.end('{}')
      },
      async (origin) => assert.notEqual((await fetchDocument(`${origin}/moved`, home)).status, 200),
    )
  })

  it('is refused above 5 KB, regardless of the declared length', async () => {
    for (const declared of [true, false]) {
      await serving(
        (_request, response) => {
          if (declared) response.setHeader('Content-Length', DOCUMENT_BYTES + 1)
          response.write('x'.repeat(DOCUMENT_BYTES))
          response.end('x')
        },
        async (origin) => assert.rejects(fetchDocument(origin, home), /larger than/),
      )
    }
  })

  it('is not waited for longer than five seconds', async () => {
    await serving(
      () => {},
      async (origin) => {
        const started = performance.now()
        await assert.rejects(fetchDocument(origin, home))
        // Without the limit it would wait for as long as the test may take.
        assert.ok(performance.now() - started < 60_000)
      },
    )
  })
})

describe('a public address', () => {
  it('is none of the special ones (RFC 6890)', () => {
    for (const address of [
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.9.9.9',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.2.1',
      '192.168.1.1',
      '198.18.0.1',
      '203.0.113.9',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '64:ff9b::7f00:1',
      'fe80::1',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '2001:db8::1',
      '2002:7f00:1::',
      'text',
    ]) {
      assert.equal(isPublicAddress(address), false, address)
    }
    for (const address of ['8.8.8.8', '172.32.0.1', '193.0.0.1', '2606:4700:4700::1111', '2a00:1450::1']) {
      assert.equal(isPublicAddress(address), true, address)
    }
  })
})
