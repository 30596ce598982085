// The program that attacks can fail: a stand-in that lets everything through makes it end with 1, and one that refuses, with 0.
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { needs } from '../attack/attack.ts'
import { attacks } from '../attack/list.ts'
import { runProgram } from './server.ts'

/** Says yes to everything, repeats the Host, and tells its software: what no server should do. */
const weak: RequestListener = (request, response) => {
  response.setHeader('Content-Type', 'text/html')
  response.setHeader('X-Powered-By', 'weak')
  response.end(`<a href="//${request.headers.host}${request.url}">guildhall_requests_total 1</a>`)
}

const strict: RequestListener = (request, response) => {
  request.resume()
  response.writeHead(/%[0-9a-f]{2}/i.test(request.url!) && request.method !== 'POST' ? 308 : 400, {
    Location: '/',
    Connection: 'close',
  })
  response.end()
}

async function attackedWith(listener: RequestListener, only: string): Promise<{ code: number | null; output: string }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    return await runProgram(['attack/main.ts', '--url', url, '--only', only], {})
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('npm run attack', () => {
  for (const only of ['an encoded path', 'figures and details', 'feeds, maps', 'pages of the site have a policy']) {
    it(`says that a weak server gave way, and ends with 1: ${only}`, async () => {
      const { code, output } = await attackedWith(weak, only)
      assert.equal(code, 1, output)
      assert.match(output, /GAVE WAY .*\n +\S.*\n/)
      assert.match(output, /0 held, 1 gave way, 0 broken, 0 skipped/)
    })
  }

  it('ends with 0 when all that was tried held', async () => {
    const { code, output } = await attackedWith(strict, 'an encoded path')
    assert.equal(code, 0, output)
    assert.match(output, /1 held, 0 gave way/)
  })

  it('says what is skipped against a server of others, and why', async () => {
    const { code, output } = await attackedWith(strict, 'squatter keeps nothing')
    assert.equal(code, 0, output)
    assert.match(output, /skipped .*\n.*only against a server of its own/)
    assert.match(output, /0 held, 0 gave way, 0 broken, 3 skipped/)
  })

  it('does not take a server that is not there for one that held', async () => {
    const { code, output } = await runProgram(
      ['attack/main.ts', '--url', 'http://127.0.0.1:9', '--only', 'an encoded path'],
      {},
    )
    assert.equal(code, 1, output)
    assert.match(output, /BROKEN/)
  })

  it('says how it is used when an option is not known, or nothing is chosen', async () => {
    for (const args of [['--nothing'], ['--only', 'no attack is called this']]) {
      const { code, output } = await runProgram(['attack/main.ts', ...args], {})
      assert.equal(code, 2)
      assert.match(output, /Usage: npm run attack/)
    }
  })

  it('has a name for each attack, and one for each of the sixteen threats', () => {
    assert.equal(new Set(attacks.map(({ name }) => name)).size, attacks.length)
    for (let threat = 1; threat <= 16; threat++) {
      assert.ok(
        attacks.some(({ clause }) => clause.startsWith(`${threat} `)),
        `threat ${threat}`,
      )
    }
    for (const { needs: needed = [] } of attacks) for (const need of needed) assert.ok(need in needs)
  })
})
