// The outbox: delivery, retries and outages of the mail server.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it as plainIt } from 'node:test'
import { smtpServer } from '../../test/smtp-server.ts'
import { onEveryEngine } from '../../test/world.ts'
import { timestamp } from '../runtime/clock.ts'
import { openLog } from '../runtime/log.ts'
import { LONGEST_SECONDS, type Mail, openMailer } from './mail.ts'
import { openOutbox } from './outbox.ts'
import { letter } from './words.ts'

const greeting = { recipient: 'carol@example.com', subject: 'Grüße', body: 'Hello\n\n042137\n\nBye\n' }

onEveryEngine('the outbox', (it) => {
  it('sends what was enqueued, once, and wipes the text', async ({ db, dependencies, mails }) => {
    await dependencies.outbox.enqueue(db, greeting)
    assert.equal((await mails(greeting.recipient)).length, 1)
    assert.equal((await mails(greeting.recipient)).length, 1)
    const [row] = await db.selectFrom('outbox').selectAll().execute()
    assert.equal(row!.body, null)
    assert.notEqual(row!.sentAt, null)
  })

  it('writes a letter in the language of its reader, and in that of the page where there is no account', async ({
    alice,
    db,
    dependencies: { outbox },
    mails,
  }) => {
    await alice.language.set({ language: 'de' })
    const written = letter((t) => ({ subject: t('mails.reset.subject'), body: t('mails.notYou', { baseUrl: 'x' }) }))
    const subjectOf = async (recipient: string) => (await mails(recipient)).at(-1)?.subject
    await outbox.enqueue(db, { recipient: alice.email, ...written })
    assert.equal(await subjectOf(alice.email), 'Dein Konto wurde zurückgesetzt')
    await outbox.enqueue(db, { recipient: 'new@example.com', language: 'de', ...written })
    assert.equal(await subjectOf('new@example.com'), 'Dein Konto wurde zurückgesetzt')
    await outbox.enqueue(db, { recipient: 'new@example.com', ...written })
    assert.equal(await subjectOf('new@example.com'), 'Your account was reset')
  })

  it('sends nothing of a transaction that was undone', async ({ db, dependencies, mails }) => {
    const undone = db.transaction().execute(async (transaction) => {
      await dependencies.outbox.enqueue(transaction, greeting)
      throw new Error('no')
    })
    await assert.rejects(undone)
    assert.deepEqual(await mails(greeting.recipient), [])
  })

  it('tries again, with longer and longer pauses, when the mail does not go', async ({
    db,
    clock,
    dependencies: { secretFor },
  }) => {
    let failures = 3
    const sent: Mail[] = []
    const mailer = {
      async send(mail: Mail) {
        if (failures-- > 0) throw new Error('the server is down')
        sent.push(mail)
      },
      close() {},
    }
    const outbox = openOutbox({ site: { name: 'Guildhall' }, db, mailer, clock, log: openLog('silent'), secretFor })
    await outbox.enqueue(db, greeting)
    for (const pause of [0, 4, 2, 9, 2, 19]) {
      clock.pass(pause)
      await outbox.flush()
      assert.equal(sent.length, 0)
    }
    clock.pass(2)
    await outbox.flush()
    assert.equal(sent[0]!.body, greeting.body)
  })

  it('gives a mail to one of two senders that look at once', async ({ db, clock, dependencies: { secretFor } }) => {
    const sent: string[] = []
    const mailer = { send: async ({ id }: Mail) => void sent.push(id), close() {} }
    const senders = [1, 2].map(() =>
      openOutbox({ site: { name: 'Guildhall' }, db, mailer, clock, log: openLog('silent'), secretFor }),
    )
    for (let index = 0; index < 10; index++) await senders[0]!.enqueue(db, greeting)
    await Promise.all(senders.map((sender) => sender.flush()))
    assert.deepEqual([sent.length, new Set(sent).size], [10, 10])
  })

  it('leaves a mail to its sender for as long as the slowest server may take', async ({
    db,
    clock,
    dependencies: { secretFor },
  }) => {
    let sent = 0
    const [taken, accepted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const mailer = {
      send() {
        sent++
        taken.resolve()
        return accepted.promise
      },
      close() {},
    }
    const open = () => openOutbox({ site: { name: 'Guildhall' }, db, mailer, clock, log: openLog('silent'), secretFor })
    const slow = open()
    await slow.enqueue(db, greeting)
    const sending = slow.flush()
    await taken.promise
    clock.pass(LONGEST_SECONDS)
    await open().flush()
    accepted.resolve()
    await sending
    clock.pass(86_400)
    await open().flush()
    assert.equal(sent, 1)
  })

  it('forgets mail a week after it went out', async ({ db, dependencies, clock, mails }) => {
    await dependencies.outbox.enqueue(db, greeting)
    await mails(greeting.recipient)
    await dependencies.outbox.cleanUp(timestamp(clock.now()), 7)
    assert.equal((await db.selectFrom('outbox').selectAll().execute()).length, 1)
    clock.pass(7 * 86_400 + 1)
    await dependencies.outbox.cleanUp(timestamp(clock.now()), 7)
    assert.equal((await db.selectFrom('outbox').selectAll().execute()).length, 0)
  })
})

describe('mail', () => {
  plainIt('goes into a folder as .eml, with a code alone on its line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'guildhall-mail-'))
    await openMailer(`file:${folder}`, {
      name: 'Guildhall',
      from: 'Guildhall <hello@guild.example>',
      baseUrl: 'https://guild.example',
    }).send({ id: 'one', ...greeting })
    assert.deepEqual(await readdir(folder), ['one.eml'])
    const text = await readFile(join(folder, 'one.eml'), 'utf8')
    assert.match(text, /^042137$/m)
    assert.match(text, /^From: Guildhall <hello@guild\.example>$/m)
    assert.match(text, /^To: carol@example\.com$/m)
    assert.match(text, /^Auto-Submitted: auto-generated$/m)
    const parts = [...text.matchAll(/^Content-Type: (text\/\w+); charset=utf-8$/gm)].map(([, type]) => type)
    assert.deepEqual(parts, ['text/plain', 'text/html'])
    await rm(folder, { recursive: true })
  })

  plainIt('goes to an SMTP server, and is an error when the server refuses it', async () => {
    const taken: string[] = []
    const server = smtpServer((text) => taken.push(text))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const mailer = openMailer(`smtp://127.0.0.1:${port}`, {
      name: 'Guildhall',
      from: 'hello@guild.example',
      baseUrl: 'https://guild.example',
    })
    await mailer.send({ id: 'one', ...greeting })
    assert.match(taken[0]!, /^042137\r?$/m)
    await assert.rejects(mailer.send({ id: 'two', ...greeting, recipient: 'refused@example.com' }), /550/)
    mailer.close()
    server.close()
  })
})
