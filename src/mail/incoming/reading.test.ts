// What is read of mails that come: replies as programs write them, by hand, and texts that are made to take long.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { LANGUAGES } from '../../contract/languages.ts'
import { mailWords } from '../words.ts'
import { authenticityOf, saidBy } from './authentication.ts'
import { MAX_NESTING, ownWords, textOfHtml } from './body.ts'
import { isAutomatic, readHead } from './head.ts'
import { isWithinBounds, MAX_LINES, MAX_MAIL_BYTES, MAX_PARTS, reportIn, wordsIn } from './reading.ts'

const FOLDER = new URL('../../../test/fixtures/mail/', import.meta.url)
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.eml'))

test('a reply is what its sender wrote, from any program, in any encoding', async () => {
  assert.ok(files.length >= 17, `${files.length} mails`)
  for (const name of files) {
    const bytes = readFileSync(new URL(name, FOLDER))
    const head = readHead(bytes)
    assert.ok(head, name)
    const wanted = readFileSync(new URL(name.replace('.eml', '.txt'), FOLDER), 'utf8').trimEnd()
    assert.equal((await wordsIn(bytes, 'alice'))?.words, wanted, name)
    assert.equal(head.from, 'alice@example.com')
    assert.equal(isAutomatic(head, { sender: 'alice@example.com', own: () => false }), false, name)
  }
})

const headOf = (head: string) => readHead(Buffer.from(`${head}\r\n\r\nHello`))

test('a mail of a program is known by its head, its empty sender, or ours', () => {
  const read = (head: string) => headOf(`From: a@example.com\r\nMessage-ID: <1@a>\r\n${head}`)!
  const own = (address: string) => address === 'guildhall@guild.example'
  for (const head of [
    'Auto-Submitted: auto-replied',
    'auto-submitted: Auto-Generated; type=x',
    'Precedence: bulk',
    'Precedence: JUNK',
    'Precedence: list',
    'X-Auto-Response-Suppress: All',
    'List-Id: <list.example.com>',
    'List-Unsubscribe: <mailto:off@example.com>',
    'X-Autoreply: yes',
  ]) {
    assert.equal(isAutomatic(read(head), { sender: 'a@example.com', own }), true, head)
  }
  const plain = read('Auto-Submitted: no')
  assert.equal(isAutomatic(plain, { sender: 'a@example.com', own }), false)
  assert.equal(isAutomatic(plain, { sender: '', own }), true)
  assert.equal(isAutomatic(plain, { sender: 'guildhall@guild.example', own }), true)
})

test('one mailbox in one From is the sender, and what can be read in two ways is none', () => {
  for (const from of [
    'alice@example.com',
    '<Alice@Example.com>',
    'Alice <alice@example.com>',
    '"Bob, <bob@example.com>" <alice@example.com>',
    '"a \\" <b@example.com>" <alice@example.com>',
    '=?utf-8?q?Bob_=3Cbob=40example=2Ecom=3E?= <alice@example.com>',
    'alice@example.com (Alice (of <bob@example.com>))',
    'Alice\r\n <alice@example.com>',
  ]) {
    assert.equal(headOf(`From: ${from}`)?.from, 'alice@example.com', from)
  }
  for (const from of [
    '',
    'Alice',
    'alice@example.com, bob@example.com',
    'Alice <alice@example.com>, Bob <bob@example.com>',
    'bob@example.com <alice@example.com>',
    'Alice <alice@example.com> <bob@example.com>',
    'Alice <alice@example.com> bob@example.com',
    'Team: alice@example.com;',
    '<@relay.example:alice@example.com>',
    '"alice"@example.com',
    'alice@[192.0.2.1]',
    'alice@bob@example.com',
    '"Alice <alice@example.com>',
    'Alice <alice@example.com> (of',
    'alice @example.com',
  ]) {
    assert.equal(headOf(`From: ${from}`)?.from, undefined, from)
  }
  assert.equal(headOf('From: a@example.com\r\nFrom: b@example.com')?.from, undefined)
})

test('a header that programs read in different ways is none', () => {
  assert.equal(headOf('From: a@example.com\nTo: b@example.com')?.from, 'a@example.com')
  for (const head of [
    ' From: a@example.com',
    'From: a@example.com\rTo: b',
    'From: a@example.com\0',
    'a\r\nFrom: a@b.c',
  ]) {
    assert.equal(headOf(head), undefined, JSON.stringify(head))
  }
  const padded = (length: number) => headOf(`From: a@example.com\r\nX: ${'x'.repeat(length - 24)}`)
  assert.equal(padded(65_532)?.from, 'a@example.com')
  assert.equal(padded(65_533), undefined)
  const lines = (count: number) => headOf(`From: a@example.com${'\r\n x'.repeat(count - 1)}`)
  assert.notEqual(lines(1_000), undefined)
  assert.equal(lines(1_001), undefined)
})

const AUTHSERV = 'mx.guild.example'
const said = (...values: string[]) => saidBy({ header: () => values, from: 'a@example.com' }, AUTHSERV)

test('only the topmost header of the named server counts', () => {
  const fail = 'mx.guild.example; dkim=fail; dmarc=fail (p=reject) header.from=example.com'
  const pass = 'mx.guild.example;\r\n dmarc=pass header.from=example.com'
  assert.equal(said(pass), 'pass')
  assert.equal(said(fail, pass), 'fail')
  assert.equal(said(pass, fail), 'fail')
  assert.equal(said('mx.guild.example; spf=pass', pass), 'missing')
  assert.equal(said('mx.evil.example; dmarc=pass', fail), 'fail')
  assert.equal(said('mx.guild.example.evil.example; dmarc=pass'), 'missing')
  assert.equal(said('mx.guild.example; dmarc=temperror'), 'later')
  assert.equal(said('mx.guild.example; dmarc=permerror'), 'fail')
  assert.equal(said(), 'missing')
})

test('what a server says of DMARC is read between its comments and quotes, and only `none` is none', () => {
  for (const [value, verdict] of [
    ['dmarc=none', 'none'],
    ['none', 'missing'],
    ['dmarc=bestguesspass', 'missing'],
    ['dmarc=passed', 'missing'],
    ['xdmarc=pass', 'missing'],
    ['arc=pass dmarc=pass', 'missing'],
    ['dmarc/1 = Pass', 'pass'],
    ['dmarc (a) = (b) pass (c)', 'pass'],
    ['dmarc=pass; dmarc=fail', 'fail'],
    ['dmarc=fail; dmarc=pass', 'fail'],
    ['dmarc=pass; dmarc=temperror', 'later'],
    ['spf=fail (; dmarc=pass) smtp.mailfrom=x', 'missing'],
    ['spf=pass (a (b) ; dmarc=pass)', 'missing'],
    ['spf=pass smtp.mailfrom="; dmarc=pass ;"@x; dmarc=fail', 'fail'],
    ['spf=pass smtp.mailfrom="\\"; dmarc=pass"; dmarc=fail', 'fail'],
    ['spf=pass (\\); dmarc=pass); dmarc=fail', 'fail'],
    ['spf=pass smtp.mailfrom="a; dmarc=pass', 'missing'],
    ['dmarc=pass header.from=evil.example', 'fail'],
    ['dmarc=pass header.from=evil-example.com', 'fail'],
    ['dmarc=pass header.from=com', 'fail'],
    ['dmarc=pass header.from="example.com"', 'pass'],
    ['dmarc=pass (p=none) header.from=EXAMPLE.com', 'pass'],
  ] as const) {
    assert.equal(said(`mx.guild.example; ${value}`), verdict, value)
  }
  for (const named of ['mx.guild.example 1', '"mx.guild.example"', '(a) MX.Guild.Example', 'mx.guild.example (a)']) {
    assert.equal(said(`${named}; dmarc=pass`), 'pass', named)
  }
  const below = { header: () => ['mx.guild.example; dmarc=pass header.from=example.com'], from: 'a@mail.example.com' }
  assert.equal(saidBy(below, AUTHSERV), 'pass')
})

test('DMARC fails where it reads another author than we do, or several', async () => {
  const records: Record<string, string> = {
    'evil.example': 'v=spf1 ip4:192.0.2.1 -all',
    '_dmarc.evil.example': 'v=DMARC1; p=reject',
  }
  const resolver = async (name: string, type: string) => {
    const found = type === 'TXT' ? records[name] : undefined
    if (found === undefined) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
    return [[found]]
  }
  const asked = (from: string, read: string) =>
    authenticityOf(
      {
        ...{ bytes: Buffer.from(`From: ${from}\r\nSubject: x\r\n\r\nHello`), sender: 'a@evil.example', recipient: '' },
        ...{ address: '192.0.2.1', helo: 'evil.example', from: read },
      },
      resolver,
    )
  assert.equal(await asked('a@evil.example', 'a@evil.example'), 'pass')
  assert.equal(await asked('a@silent.example', 'a@silent.example'), 'none')
  assert.equal(await asked('a@evil.example', 'alice@example.com'), 'fail')
  assert.equal(await asked('a@evil.example, alice@example.com', 'alice@example.com'), 'fail')
  assert.equal(await asked('=?utf-8?q?a=40evil=2Eexample=2C?= <b@example.com>', 'a@evil.example'), 'fail')
  assert.equal(await asked('nothing', 'alice@example.com'), 'fail')
})

const MAX_CHARACTERS = 200_000

test('a hostile text takes no longer than its length says, and a longer one is not read', async () => {
  const texts = [
    'On x\n',
    'On a\nb ',
    'Am x schrieb ',
    '> \n',
    '-',
    '_',
    'From: a\n',
    'a <b> ',
    'On \u00a0 wrote',
    '\n',
  ]
  const quoted = ['On a wrote:\n> b\nc\n', 'On a wrote:\n\n', ' \n> b\n', 'On a wrote:\n> b\n\n']
  const html = ['<', '<div>', '<blockquote>', '<a b="', '&', '<!--', '</p>', '<p id="divRplyFwdMsg">', '<br>', '<p>\n']
  const cases = [
    ...[...texts, ...quoted].map((piece) => ({ piece, read: ownWords })),
    ...html.map((piece) => ({ piece, read: textOfHtml })),
  ]
  for (const { piece, read } of cases) {
    const before = process.threadCpuUsage()
    read(piece.repeat(MAX_CHARACTERS / piece.length))
    const { user, system } = process.threadCpuUsage(before)
    assert.ok(user + system < 1_000_000, `${JSON.stringify(piece)}: ${user + system} μs`)
  }
})

const mailOf = (type: string, body: string) =>
  Buffer.from(`From: a@example.com\r\nContent-Type: ${type}\r\n\r\n${body}`)
const read = (bytes: Buffer) => wordsIn(bytes, 'alice')

test('a text and HTML have a length', async () => {
  const plain = (length: number) => read(mailOf('text/plain', `${'a'.repeat(length - 1)}\n`))
  const [most, more] = [await plain(MAX_CHARACTERS), await plain(MAX_CHARACTERS + 1)]
  assert.deepEqual([most?.isTooLong, more?.isTooLong, more?.words], [false, true, ''])
  const html = (bytes: number) => read(mailOf('text/html; charset=utf-8', `<p>${'ä'.repeat((bytes - 8) / 2)}</p>\n`))
  assert.equal((await html(200_000))?.isTooLong, false)
  assert.equal((await html(200_002))?.isTooLong, true)
})

test('a mail has so many lines, parts and levels', async () => {
  const lines = (count: number) => isWithinBounds(Buffer.from('a\r\n'.repeat(count)))
  assert.deepEqual([lines(MAX_LINES), lines(MAX_LINES + 1)], [true, false])
  assert.equal(isWithinBounds(Buffer.from(`${'\n'.repeat(MAX_LINES)}a`)), false)
  const parts = (count: number, boundary = 'boundary=b', delimiter = '--b') =>
    isWithinBounds(mailOf(`multipart/mixed; ${boundary}`, `${`${delimiter}\r\n\r\na\r\n`.repeat(count)}${delimiter}--`))
  assert.deepEqual([parts(MAX_PARTS), parts(MAX_PARTS + 1)], [true, false])
  for (const boundary of ['BOUNDARY = "b"', 'boundary=\r\n b', 'boundary*0=b', "boundary*=utf-8''%62"]) {
    assert.equal(parts(MAX_PARTS + 2, boundary), false, boundary)
  }
  assert.equal(parts(MAX_PARTS + 1, 'boundary="b c"', '--b c'), false)
  assert.equal(isWithinBounds(Buffer.from('-- \n'.repeat(100))), true)
  const nested = (depth: number): string =>
    depth === 0
      ? 'Content-Type: text/plain\r\n\r\nDeep'
      : `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${nested(depth - 1)}\r\n--b${depth}--`
  const words = async (depth: number) => (await read(Buffer.from(`From: a@example.com\r\n${nested(depth)}`)))?.words
  assert.deepEqual([await words(MAX_NESTING), await words(MAX_NESTING + 1)], ['Deep', undefined])
})

test('a hostile mail does not hold up the process, and is given up in seconds', async () => {
  const fill = (piece: string, bytes = MAX_MAIL_BYTES - 500) => piece.repeat(Math.floor(bytes / piece.length))
  const part = (head: string, body = 'a') => `--b\r\n${head}\r\n\r\n${body}\r\n`
  const mixed = (body: string) => mailOf('multipart/mixed; boundary=b', body)
  const half = 30_000
  const mails = [
    mixed(fill('--b\r\n\r\n')),
    mixed(fill('--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n')),
    mixed(fill(part('Content-Type: message/rfc822', 'From: x'))),
    mixed(part('Content-Type: text/html', fill('<div>', 190_000))),
    mixed(part('Content-Type: text/html', fill('<blockquote><p id=divRplyFwdMsg>', 190_000))),
    mixed(part('Content-Type: text/html', fill('&amp;', 190_000))),
    mixed(part('Content-Type: text/html', fill('<a href="', 190_000))),
    mixed(part('Content-Type: text/html', fill('<'))),
    mixed(part('Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable', fill('=3C'))),
    mixed(part('Content-Type: text/plain; format=flowed; delsp=yes', fill(' a \r\n', 19_000 * 5))),
    mixed(part('Content-Type: text/plain; format=flowed', fill('>'))),
    mixed(part('Content-Type: text/plain', fill(' '))),
    mixed(part('Content-Type: text/plain', fill('On a wrote:\r\n', 19_000 * 13))),
    mixed(part(`Content-Type: text/plain; ${fill('a*0=b; ', half)}`)),
    mixed(part(`Content-Type: text/plain; name="${fill('\\', half)}`)),
    mixed(part(`Content-Disposition: attachment; ${fill("filename*1*=utf-8''%41; ", half)}`)),
    mixed(part(`Subject: ${fill('=?utf-8?b?QQ==?= ', half)}`)),
    mixed(part(`To: ${fill('"a<(', half)}`)),
    mixed(part(`To: ${fill('a:b@c,', half)}`)),
    mixed(part(fill('Content-Type: text/plain\r\n', half))),
    mixed(part(fill(`X:\r\n `, half))),
    mailOf(
      'multipart/alternative; boundary=b',
      Array.from({ length: 19 }, () => part('Content-Type: text/html', fill('<p>', 50_000))).join(''),
    ),
  ]
  let last = performance.now()
  let longest = 0
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  const before = process.memoryUsage().rss
  for (const [index, bytes] of mails.entries()) {
    const started = performance.now()
    assert.ok(readHead(bytes), `${index}`)
    await read(bytes)
    assert.equal(await reportIn(bytes, 'mail'), undefined, `${index}`)
    const took = performance.now() - started
    assert.ok(took < 15_000, `${index}: ${took} ms`)
  }
  clearInterval(watch)
  assert.ok(longest < 500, `the thread of requests waited for ${longest} ms`)
  const grown = process.memoryUsage().rss - before
  assert.ok(grown < 400 * 1024 * 1024, `${grown} bytes`)
})

test('words end at the first line of our mail, in each language, with what introduces it', () => {
  for (const language of LANGUAGES) {
    const line = mailWords(language, { name: 'Guild' })('mails.notices.above')
    assert.equal(ownWords(`Mine\n${line}\nbob commented`), 'Mine', language)
    assert.equal(ownWords(`Mine\n\nOp 29 nov 2026 om 10:00 schreef Guild <a@b.example>:\n\n${line}\n\nx`), 'Mine')
    assert.equal(ownWords(`Look at this:\n\n${line}\n\nx`), 'Look at this:')
    assert.equal(ownWords(`On 1 May a wrote:\n> ${line}\n> x\n\nBelow it`), 'Below it')
    assert.equal(ownWords(textOfHtml(`<p>Mine</p><hr><div><p>${line}</p><p>x</p></div>`)), 'Mine')
    assert.equal(ownWords(line), '')
  }
})

test('HTML gives text alone', () => {
  assert.equal(textOfHtml('<p>a<script>b()</script>&lt;img src=x&gt;</p>').trim(), 'a<img src=x>')
  assert.equal(textOfHtml('<div>1 &lt; 2 &amp;&amp; 3</div>').trim(), '1 < 2 && 3')
})
