// Which domain a name says, and which keys an answer names.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ANSWER_BYTES, domainOf, keysIn, prefixOf, saidBy } from './rules.ts'

const KEY = 'GCqBfsVkmqq/LDE4izWy10TWpc2QcUPDhMQegwxbzhI='
const RECORD = `v=MCPv1; k=ed25519; p=${KEY}`

it('a name says its namespace from the end to the beginning', () => {
  const of = (slug: string) => domainOf({ kind: 'mcp-server', slug })
  assert.equal(of('com.example_weather'), 'example.com')
  assert.equal(of('com.example_weather_tide'), 'example.com')
  assert.equal(of('com.example.weather_x'), 'weather.example.com')
  assert.equal(of('example.com_x'), 'com.example')
  assert.equal(of('de.xn--mnchen-3ya_x'), 'xn--mnchen-3ya.de')
  const label = 'l'.repeat(63)
  assert.equal(of(`com.${label}_x`), `${label}.com`)
  const long = `${'l'.repeat(61)}.${label}.${label}.${label}`.split('.').reverse().join('.')
  assert.equal(of(`${long}_x`)?.length, 253)
  const none = [
    ...['example_x', 'com._x', '.com.example_x', 'com..example_x', 'com.-example_x', 'com.example-_x', '_x', '.._x'],
    ...['io.github.mira_x', 'io.github_x', 'io.github.mira.x_x', '1.0.0.127_x', '0x7f.1_x', '1.com_x', '127.0.0.1_x'],
    ...[`com.l${label}_x`, `${long}l_x`, 'localhost_x', '10.example_x'],
  ]
  for (const slug of none) assert.equal(of(slug), undefined, slug)
  assert.equal(of('io.githubx.mira_x'), 'mira.githubx.io')
  assert.equal(domainOf({ kind: 'skill', slug: 'com.example_weather' }), undefined)
  assert.equal(prefixOf('weather.example.com'), 'com.example.weather_')
})

it('an answer names the Ed25519 keys of its lines', () => {
  assert.deepEqual(keysIn(RECORD), [KEY])
  const other = Buffer.alloc(32, 7).toString('base64')
  const lines = ['v=MCPv1; k=ecdsap384; p=AAAA', ` v=MCPv1;k=ed25519;p=${other}; `, '', RECORD, RECORD]
  assert.deepEqual(keysIn(lines.join('\r\n')), [other, KEY])
  const none = [
    ...['', 'v=MCPv1', KEY, `<p>${RECORD}</p>`, `x ${RECORD}`, `${RECORD} x`, RECORD.replace('v=MCPv1', 'v=MCPv2')],
    ...[RECORD.replace('ed25519', 'ed448'), RECORD.slice(0, -1), RECORD.replace('I=', 'J='), `${RECORD}AAAA`],
  ]
  for (const body of none) assert.deepEqual(keysIn(body), [], body)
  assert.ok(keysIn(`${RECORD}\n`.repeat(1_000)).length === 1)
})

it('an answer without the file names no key, and trouble is no answer', () => {
  const said = (status: number, isCut = false) => saidBy({ status, isCut, body: Buffer.from(RECORD) })
  assert.deepEqual(said(200), [KEY])
  assert.deepEqual(said(200, true), [], `more than ${ANSWER_BYTES} bytes`)
  for (const status of [204, 206, 301, 302, 307, 308, 404, 410]) assert.deepEqual(said(status), [], String(status))
  for (const status of [0, 199, 400, 401, 403, 408, 429, 500, 503])
    assert.equal(said(status), undefined, String(status))
})
