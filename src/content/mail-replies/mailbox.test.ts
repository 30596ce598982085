// Replies and reports in a mailbox of a real IMAP server, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { type ImapServer, noDovecot, startDovecot } from '../../../test/dovecot.ts'
import { answeredAt, failed, prepare, REPLY_DOMAIN, tell } from '../../../test/mailing.ts'
import { freePort } from '../../../test/server.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { MAX_MAILS, readMailbox } from '../../mail/incoming/mailbox.ts'
import { MAX_MAIL_BYTES } from '../../mail/incoming/reading.ts'

const PASSED = 'Authentication-Results: mx.guild.example; dmarc=pass'
const SETTINGS = { REPLY_DOMAIN, TRUSTED_AUTHSERV: 'mx.guild.example' }
let mails = 0

interface Parts {
  from: string
  to?: string
  text: string
  head?: string
}

function mailOf({ from, to, text, head = PASSED }: Parts): string {
  const lines = [
    head,
    `From: ${from}`,
    `To: Guild <${to ?? 'team@guild.example'}>`,
    `Message-ID: <${++mails}@a.example>`,
  ]
  return [...lines, '', text, ''].join('\r\n')
}

/** A bug of alice on which bob commented, and where alice answers that by mail. */
async function told(world: World) {
  const { alice, bob } = world
  await prepare(world)
  await alice.notifications.updateSettings({ comment: 'mail' })
  const bug = await alice.bugs.create({ title: 'Crash', description: 'It stops on start', severity: 'high' })
  await bob.bugs.comment({ id: bug.id, body: 'Which version?' })
  const to = await answeredAt(world, alice)
  assert.ok(to)
  const bodies = async () => (await alice.bugs.comments({ id: bug.id, per_page: 100 })).items.map(({ body }) => body)
  return { bodies, own: { from: alice.email, to } }
}

const read = ({ app }: World) => app.jobs.run('mail.read')

function testMailbox(server: ImapServer): void {
  after(() => server.close())
  onEveryEngine(
    'a mailbox for replies',
    (it) => {
      it('has each mail taken, refused or put off, as the door has', async (world) => {
        await server.empty()
        const { bob, alice, clock } = world
        const { bodies, own } = await told(world)
        await server.put(
          mailOf({ ...own, text: 'By mail' }),
          mailOf({ from: own.from, text: 'Delivered', head: `Delivered-To: ${own.to}\r\n${PASSED}` }),
          mailOf({ ...own, from: bob.email, text: 'Not the account' }),
          mailOf({ ...own, text: 'Forged', head: 'Authentication-Results: mx.guild.example; dmarc=fail' }),
          mailOf({ ...own, text: 'Away', head: `Return-Path: <>\r\n${PASSED}` }),
          mailOf({ ...own, text: '> a quote alone' }),
          mailOf({ ...own, to: `reply+${'a'.repeat(58)}@${REPLY_DOMAIN}`, text: 'Not signed' }),
          mailOf({ ...own, text: `${'x'.repeat(70)}\r\n`.repeat(MAX_MAIL_BYTES / 72) }),
          mailOf({ ...own, text: 'No verdict', head: 'X: y' }),
        )
        await read(world)
        const [taken, refused] = ['\\Seen', '\\Seen \\Flagged']
        const settled = [taken, taken, taken, taken, taken, refused, refused, refused]
        const sorted = (flags: string[]) => flags.map((all) => all.split(' ').sort().reverse().join(' '))
        assert.deepEqual(sorted(await server.flags()), [...settled, ''])
        assert.deepEqual((await bodies()).sort(), ['By mail', 'Delivered', 'Which version?'])
        await read(world)
        assert.deepEqual((await bodies()).length, 3)
        clock.pass(3 * 86_400)
        await alice.notifications.list({})
        await read(world)
        assert.deepEqual(sorted(await server.flags()), [...settled, refused], 'put off for days')
      })

      it('has reports too', async (world) => {
        await server.empty()
        await prepare(world)
        const to = (await tell(world)).at(-1)!.returnPath!
        await server.put(`Return-Path: <>\r\nDelivered-To: ${to}\r\n${failed('5.1.1')}`)
        await read(world)
        const found = await world.db.selectFrom('bounce').select(['email', 'kind']).execute()
        assert.deepEqual(found, [{ email: world.alice.email, kind: 'hard' }])
        assert.deepEqual(await server.flags(), ['\\Seen'])
      })

      it('is read to its end, however many mails are put off before', async (world) => {
        await server.empty()
        const { bodies, own } = await told(world)
        const putOff = Array.from({ length: MAX_MAILS }, () => mailOf({ ...own, text: 'No verdict', head: 'X: y' }))
        await server.put(...putOff, mailOf({ ...own, text: 'Behind them' }))
        await read(world)
        assert.deepEqual((await bodies()).sort(), ['Behind them', 'Which version?'])
        const flags = await server.flags()
        assert.deepEqual([flags.length, flags.filter((all) => all === '').length], [MAX_MAILS + 1, MAX_MAILS])
      })

      it('is read on where a mail cannot be, which is put off', async (world) => {
        await server.empty()
        const { bodies, own } = await told(world)
        const to = (await tell(world)).at(-1)!.returnPath!
        await server.put(
          `Return-Path: <>\r\nDelivered-To: ${to}\r\n${failed('5.1.1')}`,
          mailOf({ ...own, text: 'Behind it' }),
        )
        await sql`alter table bounce rename to away`.execute(world.db)
        await read(world)
        assert.deepEqual((await bodies()).sort(), ['Behind it', 'Which version?'])
        assert.deepEqual(await server.flags(), ['', '\\Seen'])
        await sql`alter table away rename to bounce`.execute(world.db)
        await read(world)
        assert.deepEqual(await server.flags(), ['\\Seen', '\\Seen'])
      })

      it('makes one comment of a mail, however many read it at once', async (world) => {
        await server.empty()
        const { bodies, own } = await told(world)
        const { app, dependencies, clock } = world
        const mailbox = dependencies.config.replyMailbox!
        const { signal } = new AbortController()
        const reading = { door: app.mailDoor, log: dependencies.log, now: clock.now(), signal }
        const wanted = ['Which version?']
        for (let round = 0; round < 10; round++) {
          await server.put(mailOf({ ...own, text: `Round ${round}` }))
          await Promise.all(Array.from({ length: 4 }, () => readMailbox(mailbox, reading)))
          wanted.push(`Round ${round}`)
          assert.deepEqual((await bodies()).sort(), wanted.toSorted())
        }
      })

      it('that does not let the server in is a failed job, without its password', async (world) => {
        const { app, dependencies, db } = world
        const mailbox = dependencies.config.replyMailbox!
        const { password } = mailbox
        mailbox.password = 'another one'
        await assert.rejects(app.jobs.run('mail.read')).finally(() => {
          mailbox.password = password
        })
        const { error, attempts } = await db
          .selectFrom('job')
          .select(['error', 'attempts'])
          .where('kind', '=', 'mail.read')
          .executeTakeFirstOrThrow()
        assert.equal(attempts, 1)
        assert.match(error!, /\w/)
        assert.doesNotMatch(error!, /another one/)
      })
    },
    { ...SETTINGS, REPLY_IMAP_URL: server.url },
  )
}

if (noDovecot) test('a mailbox for replies is read', { skip: noDovecot })
else testMailbox(await startDovecot(await freePort()))

onEveryEngine(
  'where there is no mailbox for replies',
  (it) => {
    it('no job reads one', async ({ app }) => {
      assert.deepEqual(
        app.jobs.jobs.filter(({ kind }) => kind === 'mail.read'),
        [],
      )
    })
  },
  SETTINGS,
)
