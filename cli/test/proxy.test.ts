// Through proxies, to servers with and without TLS.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { listening } from '../../test/listening.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import { proxyFor } from '../src/proxy.ts'
import { forwardProxy } from './forward-proxy.ts'
import { terminalOf } from './terminal.ts'

const fixture = (name: string) => readFileSync(new URL(`../../test/fixtures/loopback/${name}`, import.meta.url), 'utf8')

/** The same server with TLS in front; gives its address. */
async function withTls(t: TestContext, server: string): Promise<string> {
  const authorities = getCACertificates()
  setDefaultCACertificates([...authorities, fixture('certificate.pem')])
  t.after(() => setDefaultCACertificates(authorities))
  const front = createServer({ key: fixture('key.pem'), cert: fixture('certificate.pem') }, (incoming, answer) => {
    const { method, url, headers } = incoming
    const onward = request(`${server}${url}`, { method, headers, agent: false }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    incoming.pipe(onward)
  })
  front.listen(0, 'localhost')
  await once(front, 'listening')
  t.after(() => {
    front.closeAllConnections()
    front.close()
  })
  return `https://localhost:${(front.address() as AddressInfo).port}`
}

it('reaches a server with TLS by a tunnel through the proxy, and without TLS by a request to it', async (t) => {
  const home = await temporaryDirectory(t)
  const proxy = await forwardProxy(t)
  proxy.credentials = 'alice:pass word'
  const address = proxy.url.replace('//', '//alice:pass%20word@')
  await listening(t, async (world) => {
    const terminal = terminalOf(world, home)
    const secure = await withTls(t, terminal.server)
    const given = { environment: { HTTPS_PROXY: address, http_proxy: address } }
    await terminal.login('default', { ...given, words: ['--server', secure] })
    assert.deepEqual(new Set(proxy.asked), new Set([`CONNECT ${new URL(secure).host}`]))
    const path = join(home, 'org.json')
    await writeFile(path, JSON.stringify({ name: 'Notes', goal: 'é'.repeat(100_000), roles: [{ id: 'editor' }] }))
    const item = JSON.parse(
      (await terminal.run(['api', 'library.publish', '--kind', 'org', '--file', path], given)).output,
    )
    const saved = await terminal.run(['api', 'library.download', '--id', item.id], given)
    assert.equal(saved.output, readFileSync(path, 'utf8'))

    proxy.asked.length = 0
    await terminal.run(['feed', '--server', terminal.server], given)
    assert.deepEqual(proxy.asked, [`GET ${terminal.server}/api/community/feed?cursor=`])

    proxy.asked.length = 0
    const exempt = { environment: { ...given.environment, NO_PROXY: '.example.com, localhost,127.0.0.1' } }
    await terminal.run(['feed'], exempt)
    await terminal.run(['feed', '--server', terminal.server], exempt)
    assert.deepEqual(proxy.asked, [])

    const refused = await terminal.run(['feed'], { environment: { HTTPS_PROXY: proxy.url }, expected: 4 })
    assert.match(refused.errors, /The proxy 127\.0\.0\.1:\d+ answered 407/)
    const other = await terminal.run(['feed'], { environment: { ALL_PROXY: 'socks5://127.0.0.1:1' }, expected: 4 })
    assert.match(other.errors, /A proxy by socks5: cannot be used/)
  })
})

it('chooses the proxy by the scheme, and none for the hosts of NO_PROXY', () => {
  const environment = { HTTPS_PROXY: 'secure:1', HTTP_PROXY: 'http://plain:2' }
  const chosen = (address: string, more: Record<string, string> = {}) =>
    proxyFor(new URL(address), { ...environment, ...more })?.host
  assert.equal(chosen('https://guildhall.example'), 'secure:1')
  assert.equal(chosen('http://guildhall.example'), 'plain:2')
  assert.equal(chosen('https://guildhall.example', { https_proxy: 'http://lower:3' }), 'lower:3')
  assert.equal(proxyFor(new URL('https://guildhall.example'), { ALL_PROXY: 'http://all:4' })?.host, 'all:4')
  assert.equal(proxyFor(new URL('https://guildhall.example'), { HTTPS_PROXY: '' }), undefined)
  for (const [list, isExempt] of [
    ['*', true],
    ['guildhall.example', true],
    ['.example', true],
    ['*.example', true],
    ['GUILDHALL.example:443', true],
    ['guildhall.example:8443', false],
    ['hall.example', false],
    ['a.guildhall.example', false],
    [' , ', false],
  ] as const) {
    assert.equal(chosen('https://guildhall.example', { NO_PROXY: list }) === undefined, isExempt, list)
  }
  assert.equal(chosen('http://[::1]:8080', { NO_PROXY: '::1' }), undefined)
  assert.equal(chosen('http://[::1]:8080', { no_proxy: '[::1]:8080' }), undefined)
  assert.equal(chosen('http://[::1]:8080', { NO_PROXY: '[::1]:80' }), 'plain:2')
})
