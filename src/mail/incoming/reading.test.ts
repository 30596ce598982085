// What is read of mails that come: replies as programs write them, by hand, and texts that are made to take long.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { saidBy } from './authentication.ts'
import { ownWords } from './own-words.ts'
import { textOfHtml } from './plain-text.ts'
import { isAutomatic, readMail } from './reading.ts'

const FOLDER = new URL('../../../test/fixtures/mail/', import.meta.url)
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.eml'))

test('a reply is what its sender wrote, from any program, in any encoding', async () => {
  assert.ok(files.length >= 17, `${files.length} mails`)
  for (const name of files) {
    const mail = await readMail(readFileSync(new URL(name, FOLDER)))
    const wanted = readFileSync(new URL(name.replace('.eml', '.txt'), FOLDER), 'utf8').trimEnd()
    assert.equal(mail?.words, wanted, name)
    assert.equal(mail.from, 'alice@example.com')
    assert.equal(isAutomatic(mail, { sender: 'alice@example.com', own: () => false }), false, name)
  }
})

test('a mail of a program is known by its head, its empty sender, or ours', async () => {
  const read = async (head: string) =>
    (await readMail(Buffer.from(`From: a@example.com\r\nMessage-ID: <1@a>\r\n${head}\r\n\r\nHello`)))!
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
    assert.equal(isAutomatic(await read(head), { sender: 'a@example.com', own }), true, head)
  }
  const plain = await read('Auto-Submitted: no')
  assert.equal(isAutomatic(plain, { sender: 'a@example.com', own }), false)
  assert.equal(isAutomatic(plain, { sender: '', own }), true)
  assert.equal(isAutomatic(plain, { sender: 'guildhall@guild.example', own }), true)
})

test('two senders are none', async () => {
  const mail = await readMail(Buffer.from('From: a@example.com\r\nFrom: b@example.com\r\n\r\nHello'))
  assert.equal(mail?.from, undefined)
})

test('only the topmost header of the named server counts', async () => {
  const of = (...values: string[]) => ({ header: () => values })
  const fail = 'mx.guild.example; dkim=fail; dmarc=fail (p=reject) header.from=example.com'
  const pass = 'mx.guild.example;\r\n dmarc=pass header.from=example.com'
  assert.equal(saidBy(of(pass), 'mx.guild.example'), 'pass')
  assert.equal(saidBy(of(fail, pass), 'mx.guild.example'), 'fail')
  assert.equal(saidBy(of('mx.evil.example; dmarc=pass', fail), 'mx.guild.example'), 'fail')
  assert.equal(saidBy(of('mx.guild.example.evil.example; dmarc=pass'), 'mx.guild.example'), 'none')
  assert.equal(saidBy(of('mx.guild.example; dmarc=temperror'), 'mx.guild.example'), 'later')
  assert.equal(saidBy(of(), 'mx.guild.example'), 'none')
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
    const started = performance.now()
    read(piece.repeat(MAX_CHARACTERS / piece.length))
    const took = performance.now() - started
    assert.ok(took < 1_000, `${JSON.stringify(piece)}: ${took} ms`)
  }
  const mailOf = (length: number) => readMail(Buffer.from(`From: a@example.com\r\n\r\n${'a'.repeat(length - 1)}\n`))
  const [most, more] = [await mailOf(MAX_CHARACTERS), await mailOf(MAX_CHARACTERS + 1)]
  assert.deepEqual([most?.isTooLong, more?.isTooLong, more?.words], [false, true, ''])
})

test('HTML gives text alone', () => {
  assert.equal(textOfHtml('<p>a<script>b()</script>&lt;img src=x&gt;</p>').trim(), 'a<img src=x>')
  assert.equal(textOfHtml('<div>1 &lt; 2 &amp;&amp; 3</div>').trim(), '1 < 2 && 3')
})
