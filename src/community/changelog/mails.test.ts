// The mail about a release as a mail server gets it, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { smtpServer } from '../../../test/smtp-server.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { openMailer } from '../../mail/mail.ts'
import { openOutbox } from '../../mail/outbox.ts'

onEveryEngine('the mail about a release', (it) => {
  it('reaches the mailbox of a voter once, with a link that ends such mails', async (world) => {
    const { alice, bob, admin, person, app, clock, db, code, dependencies } = world
    const feature = await alice.features.create({ title: 'Pause a workflow', description: 'During holidays' })
    const against = person('against')
    for (const voter of [bob, against]) {
      await voter.account()
      await voter.accounts.verifyEmail({ code: await code(voter.email) })
    }
    await bob.features.vote({ id: feature.id, value: 1 })
    await against.features.vote({ id: feature.id, value: -1 })
    const taken: string[] = []
    const server = smtpServer((text) => taken.push(text))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const mailer = openMailer(`smtp://127.0.0.1:${port}`, {
      name: 'Guildhall',
      from: 'hello@guild.example',
      baseUrl: 'https://guild.example',
    })
    const { log, secretFor } = dependencies
    const outbox = openOutbox({ site: { name: 'Guildhall' }, db, mailer, clock, log, secretFor })
    const { id } = await admin.changelog.create({
      title: 'Workflows can be paused',
      body: 'A paused workflow keeps its place.',
      closes: String(feature.number),
    })
    for (let day = 0; day < 3; day++) {
      await app.deliver()
      await outbox.flush()
      clock.pass(86_400)
    }
    mailer.close()
    server.close()
    const about = taken.filter((text) => text.includes('Pause a workflow') && text.includes('List-Unsubscribe'))
    assert.equal(about.length, 1)
    // Lines end with = where they are folded (RFC 2045, 6.7).
    const text = about[0]!.replace(/=\r\n/g, '')
    assert.match(text, /^To: bob@example\.com\r$/m)
    assert.match(text, /^From: hello@guild\.example\r$/m)
    assert.match(text, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    assert.ok(text.includes(`/community/changelog/${id}`), text)
  })
})
