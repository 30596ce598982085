// The header of a mail as another program's parser reads it, and its HTML as a validator does.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { HtmlValidate } from 'html-validate'
import PostalMime from 'postal-mime'
import { codeLetter, personalTokenMail } from '../identity/mails.ts'
import { type Mail, openMailer, readThread, threadOf, withThread } from './mail.ts'
import { mailWords } from './words.ts'

const baseUrl = 'https://guild.example:8443'
const targetId = '0b54f6f2-2f4a-4c5e-9d39-2f3a8f0f7f11'
const thread = threadOf({ targetType: 'feature_request', targetId })
const unsubscribeUrl = `${baseUrl}/unsubscribe?token=mail.1.x`

/** A mail as it was written to the folder, read by another parser. */
async function parsed(mail: Partial<Mail>, name = 'Guildhall') {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-headers-'))
  try {
    const mailer = openMailer(`file:${folder}`, { name, from: 'hello@guild.example', baseUrl })
    await mailer.send({ id: 'one', recipient: 'carol@example.com', subject: 'Hello', body: 'Hello\n', ...mail })
    const read = await PostalMime.parse(await readFile(join(folder, `${mail.id ?? 'one'}.eml`)))
    return { ...read, header: (key: string) => read.headers.filter((one) => one.key === key).map(({ value }) => value) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('the header of a mail', () => {
  it('puts mails about one thing into one thread, and each has an id of its own', async () => {
    const mails = [await parsed({ id: 'one', thread }), await parsed({ id: 'two', thread })]
    const root = `<thread.feature_request.${targetId}@guild.example>`
    for (const { inReplyTo, references } of mails) assert.deepEqual([inReplyTo, references], [root, root])
    assert.deepEqual(
      mails.map(({ messageId }) => messageId),
      ['<mail.one@guild.example>', '<mail.two@guild.example>'],
    )
  })

  it('has no thread where the mail is about none', async () => {
    const { inReplyTo, references, messageId } = await parsed({})
    assert.deepEqual([inReplyTo, references], [undefined, undefined])
    assert.equal(messageId, '<mail.one@guild.example>')
  })

  it('names the list of a mail that its reader can end (RFC 2919), and of no other', async () => {
    const ended = await parsed({ unsubscribeUrl })
    assert.deepEqual(ended.header('list-id'), ['"Guildhall" <notifications.guild.example>'])
    assert.deepEqual(ended.header('list-unsubscribe'), [`<${unsubscribeUrl}>`])
    assert.deepEqual((await parsed({})).header('list-id'), [])
  })

  it('keeps a name of the server from being a header or another list', async () => {
    const { header } = await parsed({ unsubscribeUrl }, 'A" <evil.example>\r\nX-Evil: yes')
    assert.deepEqual(header('x-evil'), [])
    assert.match(header('list-id')[0]!, /^"A\\" <evil\.example> X-Evil: yes" <notifications\.guild\.example>$/)
  })
})

describe('the thread of a mail that waits', () => {
  it('is read again, and only from where it was written', () => {
    assert.deepEqual(readThread(withThread('Hello\n', thread)), { body: 'Hello\n', thread })
    for (const body of ['Hello\n', `Thread: ${thread}\n`, `x\nThread: ${thread}\n\n`, 'Thread: a\r\nBcc: b\n\n']) {
      assert.deepEqual(readThread(withThread(body, undefined)), { body })
    }
  })
})

describe('the HTML of a mail', () => {
  it('is valid', async () => {
    const validator = new HtmlValidate({
      extends: ['html-validate:standard'],
      // Mail programs know styles of elements alone; how a tag is written is left aside.
      rules: { 'no-inline-style': 'off', 'doctype-style': 'off', 'void-style': 'off' },
    })
    const scope = 'openid community:read library:write'
    const token = personalTokenMail(baseUrl, { name: 'CI', scope, expiresAt: '2026-12-01T00:00:00.000Z' })
    for (const { write } of [codeLetter('sign-in', '042137'), token]) {
      const written = write(mailWords('en', { name: 'Guildhall' }))
      const { html } = await parsed({ ...written, unsubscribeUrl })
      const { results } = await validator.validateString(html!)
      assert.deepEqual(
        results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
        [],
      )
    }
  })
})
