// Replies by mail through the door of the server, by a real client, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { answeredAt, dnsOf, proveAddress, REPLY_DOMAIN, withMailDoor } from '../../../test/mailing.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { MAX_MAIL_BYTES } from '../../mail/incoming/reading.ts'
import { replyAddress } from '../../mail/signed-address.ts'
import { after, timestamp } from '../../runtime/clock.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const
const SETTINGS = { REPLY_DOMAIN, SMTP_LISTEN: '127.0.0.1:2525' }
const DAY = 86_400

/** A bug of alice on which bob commented, and where alice answers that by mail. */
async function told(world: World, { asks = world.bob }: { asks?: Person } = {}) {
  const { alice, dependencies } = world
  dependencies.resolveDns = dnsOf()
  await proveAddress(world, alice)
  await alice.notifications.updateSettings({ comment: 'mail', reply: 'mail' })
  const bug = await alice.bugs.create(crash)
  const comment = await asks.bugs.comment({ id: bug.id, body: 'Which version?' })
  const to = await answeredAt(world, alice)
  assert.ok(to, 'it can be answered')
  return { bug, comment, to }
}

const bodies = async ({ alice }: World, id: string) => (await alice.bugs.comments({ id })).items.map(({ body }) => body)

onEveryEngine(
  'a reply by mail',
  (it) => {
    it('is a comment of its account below what it replies to, once for each of the real mails', async (world) => {
      const { alice } = world
      const { bug, comment, to } = await told(world)
      assert.match(to, /^reply\+[a-z2-7]+@reply\.guild\.example$/)
      assert.ok(to.indexOf('@') <= 64, to)
      await withMailDoor(world, async ({ send }) => {
        for (const name of ['gmail-de', 'outlook-html', 'apple-en', 'thunderbird-de']) {
          const file = fileURLToPath(new URL(`../../../test/fixtures/mail/${name}`, import.meta.url))
          const raw = readFileSync(`${file}.eml`, 'latin1').replace('alice@example.com', alice.email)
          const sent = { from: alice.email, to: to.toUpperCase(), raw: Buffer.from(raw, 'latin1') }
          assert.equal((await send(sent)).code, 250, name)
          const { items } = await alice.bugs.comments({ id: bug.id, parentId: comment.id })
          const newest = items.at(-1)!
          assert.equal(newest.body, readFileSync(`${file}.txt`, 'utf8').trimEnd(), name)
          assert.deepEqual([newest.authorId, newest.via], [(await alice.account()).id, null])
        }
      })
    })

    it('is looked at for an address of ours alone, whose time is not over', async (world) => {
      const { clock, app } = world
      const { to } = await told(world)
      const [local = ''] = to.split('@')
      const knows = (address: string) => app.mailDoor.knows(address)
      assert.equal(local.length, 64)
      assert.equal(await knows(to), true)
      const own = `@${REPLY_DOMAIN}`
      for (let at = 'reply+'.length; at < local.length - 20; at++) {
        const changed = `${local.slice(0, at)}${local[at] === 'a' ? 'b' : 'a'}${local.slice(at + 1)}${own}`
        assert.equal(await knows(changed), false, changed)
      }
      for (const other of [
        local.slice(0, -1),
        `${local}a`,
        local.slice(0, 61),
        `reply+${'a'.repeat(58)}`,
        'reply+',
        'reply',
      ]) {
        assert.equal(await knows(other + own), false, other)
      }
      assert.equal(await knows(to.replace('reply+', 'bounce+')), false)
      clock.pass(30 * DAY)
      assert.equal(await knows(to), true)
      clock.pass(DAY)
      assert.equal(await knows(to), false)
    })

    it('is taken for the account of the address alone, and for nothing that we did not sign', async (world) => {
      const { alice, bob, clock, dependencies } = world
      const { bug, to } = await told(world)
      await proveAddress(world, bob)
      const [local = ''] = to.split('@')
      const swapped = `${local.slice(0, -3)}${local.at(-3) === 'a' ? 'b' : 'a'}${local.slice(-2)}@${REPLY_DOMAIN}`
      await withMailDoor(world, async ({ send }) => {
        for (const [from, recipient, code] of [
          // Dropped: who gets a refusal is for a forger to say.
          [bob.email, to, 250],
          ['nobody@example.com', to, 250],
          [`${bob.email}, ${alice.email}`, to, 250],
          [alice.email, swapped, 250],
          [alice.email, `${local}a@${REPLY_DOMAIN}`, 550],
          [alice.email, `reply+${'a'.repeat(55)}@${REPLY_DOMAIN}`, 550],
          [alice.email, `${local}@elsewhere.example`, 550],
          [alice.email, `postmaster@${REPLY_DOMAIN}`, 550],
          [alice.email, bob.email, 550],
        ] as const) {
          assert.equal((await send({ from, to: recipient, text: 'Mine' })).code, code, recipient)
        }
        assert.deepEqual(await bodies(world, bug.id), ['Which version?'])
        const { id: userId } = await alice.account()
        const { id: eventId } = await dependencies.db
          .selectFrom('event')
          .select('id')
          .where('kind', '=', 'comment')
          .executeTakeFirstOrThrow()
        const address = (until: string) =>
          replyAddress(dependencies.secretFor, REPLY_DOMAIN, { eventId, userId, until })
        const now = timestamp(clock.now())
        assert.equal((await send({ from: alice.email, to: await address(after(now, -DAY)), text: 'Late' })).code, 550)
        assert.equal((await send({ from: alice.email, to: await address(now), text: 'In time' })).code, 250)
        clock.pass(29 * DAY)
        assert.equal((await send({ from: alice.email, to, text: 'On day 29' })).code, 250)
        clock.pass(2 * DAY)
        assert.equal((await send({ from: alice.email, to, text: 'On day 31' })).code, 550)
      })
      assert.deepEqual(await bodies(world, bug.id), ['Which version?', 'In time', 'On day 29'])
    })

    it('is refused where the account could not comment on the site', async (world) => {
      const { alice, bob, admin, moderator, db } = world
      const { bug, to } = await told(world)
      const { id } = await alice.account()
      await withMailDoor(world, async ({ send }) => {
        const reply = (text: string) => send({ from: alice.email, to, text })
        await moderator.threads.lock({ id: bug.id, locked: true })
        assert.match((await reply('On a locked thread')).text, /^554 .*locked/i)
        await moderator.threads.lock({ id: bug.id, locked: false })
        await admin.admin.block({ id, blocked: true, reason: 'Test' })
        assert.match((await reply('While blocked')).text, /^554 .*blocked/i)
        await admin.admin.block({ id, blocked: false })
        const length = 1000
        assert.equal((await reply('a'.repeat(length + 1))).code, 554)
        assert.deepEqual(await bodies({ ...world, alice: bob }, bug.id), ['Which version?'])
        assert.equal((await reply('a'.repeat(length))).code, 250)
        await db.updateTable('user').set({ emailVerifiedAt: null }).where('id', '=', id).execute()
        assert.equal((await reply('Not verified')).code, 250)
        assert.equal((await bodies({ ...world, alice: bob }, bug.id)).length, 2)
        await moderator.bugs.delete({ id: bug.id, reason: 'Test' })
      })
    })

    it('comes of no program, and of no mail without words', async (world) => {
      const { alice } = world
      const { bug, to } = await told(world)
      await withMailDoor(world, async ({ send }) => {
        const ofPrograms: Record<string, string>[] = [
          { 'Auto-Submitted': 'auto-replied' },
          { Precedence: 'bulk' },
          { 'X-Auto-Response-Suppress': 'OOF' },
          { 'List-Id': '<list.example.com>' },
        ]
        for (const headers of ofPrograms) {
          assert.equal((await send({ from: alice.email, to, text: 'Away', headers })).code, 250)
        }
        assert.equal((await send({ from: alice.email, sender: '', to, text: 'Away' })).code, 250)
        assert.equal((await send({ from: 'guildhall@localhost', to, text: 'Loop' })).code, 250)
        assert.equal((await send({ from: `x@${REPLY_DOMAIN}`, to, text: 'Loop' })).code, 250)
        assert.equal((await send({ from: alice.email, to, text: '> only what was said\n-- \nAlice' })).code, 554)
        assert.equal(
          (await send({ from: alice.email, to: [to, to.replace('reply+', 'reply+a')], text: 'Two' })).code,
          250,
        )
      })
      assert.deepEqual((await bodies(world, bug.id)).sort(), ['Two', 'Which version?'])
    })

    it('is one comment, however often and at once the same mail comes', async (world) => {
      const { alice, clock, app, db } = world
      const { bug, to } = await told(world)
      await withMailDoor(world, async ({ send }) => {
        for (let round = 0; round < 10; round++) {
          const letter = { from: alice.email, to, text: `Round ${round}`, messageId: `<${round}@mail.example.com>` }
          const answers = await Promise.all(Array.from({ length: 10 }, () => send(letter)))
          assert.deepEqual(new Set(answers.map(({ code }) => code)), new Set([250]))
        }
        const written = (await alice.bugs.comments({ id: bug.id, per_page: 100 })).items.map(({ body }) => body)
        assert.deepEqual(
          written.sort(),
          ['Which version?', ...Array.from({ length: 10 }, (_, n) => `Round ${n}`)].sort(),
        )
        const again = { from: alice.email, to, text: 'Round 0', messageId: '<0@mail.example.com>' }
        clock.pass(20 * DAY)
        await app.cleanUp()
        await send(again)
        assert.equal((await bodies(world, bug.id)).length, 11)
        clock.pass(12 * DAY - 60)
        await app.cleanUp()
        assert.equal((await db.selectFrom('seenMail').select('hash').execute()).length, 10)
        clock.pass(DAY)
        await app.cleanUp()
        assert.deepEqual(await db.selectFrom('seenMail').select('hash').execute(), [])
      })
    })

    it('may be sent again when it was refused for a while', async (world) => {
      const { alice, moderator } = world
      const { bug, to } = await told(world)
      const letter = { from: alice.email, to, text: 'Again', messageId: '<again@mail.example.com>' }
      await withMailDoor(world, async ({ send }) => {
        await moderator.threads.lock({ id: bug.id, locked: true })
        assert.equal((await send(letter)).code, 554)
        await moderator.threads.lock({ id: bug.id, locked: false })
        assert.equal((await send(letter)).code, 250)
      })
      assert.deepEqual((await bodies(world, bug.id)).sort(), ['Again', 'Which version?'])
    })

    it('is dropped where DMARC says that it is forged, and comes later where no one can say', async (world) => {
      const { alice, dependencies } = world
      const { bug, to } = await told(world)
      const domain = alice.email.split('@')[1]
      await withMailDoor(world, async ({ send }) => {
        const letter = { from: alice.email, to, text: 'Forged' }
        dependencies.resolveDns = dnsOf({ [`_dmarc.${domain}`]: 'v=DMARC1; p=reject', [domain!]: 'v=spf1 -all' })
        assert.match((await send(letter)).text, /^250 2\.0\.0 Nothing comes of it/)
        const two = `From: ${alice.email}, x@${domain}\r\n\r\nTwo authors`
        assert.match((await send({ from: alice.email, to, raw: two })).text, /^250 2\.0\.0 Nothing comes of it/)
        dependencies.resolveDns = async () => {
          throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' })
        }
        assert.equal((await send(letter)).code, 451)
        const spf = { [`_dmarc.${domain}`]: 'v=DMARC1; p=reject', [domain!]: 'v=spf1 ip4:127.0.0.1 -all' }
        dependencies.resolveDns = dnsOf(spf)
        assert.equal((await send({ ...letter, text: 'Real' })).code, 250)
      })
      assert.deepEqual((await bodies(world, bug.id)).sort(), ['Real', 'Which version?'])
    })

    it('has at most ten signatures, which are not looked at', async (world) => {
      const { alice, dependencies } = world
      const { bug, to } = await told(world)
      const asked: string[] = []
      dependencies.resolveDns = async (name) => {
        asked.push(name)
        throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
      }
      const signature = (n: number) =>
        `DKIM-Signature: v=1; a=rsa-sha256; d=d${n}.example; s=s; h=from; bh=AAAA; b=AAAA\r\n`
      const raw = (count: number) =>
        `${Array.from({ length: count }, (_, n) => signature(n)).join('')}From: ${alice.email}\r\n\r\nSigned ${count}`
      await withMailDoor(world, async ({ send }) => {
        assert.match((await send({ from: alice.email, to, raw: raw(11) })).text, /^554 .*10 DKIM/)
        assert.deepEqual(asked, [])
        assert.equal((await send({ from: alice.email, to, raw: raw(10) })).code, 250)
      })
      assert.deepEqual((await bodies(world, bug.id)).sort(), ['Signed 10', 'Which version?'])
    })

    it('is refused with what its account alone may see', async (world) => {
      const { alice, dependencies } = world
      const { bug, to } = await told(world)
      const { baseUrl } = dependencies.config
      const mail = (await world.mails(alice.email)).at(-1)!
      const link = mail.unsubscribeUrl!
      assert.ok(mail.body.includes(link))
      assert.match(mail.body, /^--- Write your reply above this line ---\n\n/)
      const { id } = await alice.account()
      const texts = [
        mail.body.replace(/^---.*/, ''),
        `See ${link}`,
        `See ${link.replace('unsubscribe', 'un\nsubscribe')}`,
        `See https://safe.example/?url=${encodeURIComponent(link)}`,
        `See https://safe.example/?url=${encodeURIComponent(encodeURIComponent(link))}`,
        `See ${link.split('token=')[1]}`,
        `${baseUrl.toUpperCase()}/unsubscribe?token=x`,
        `Am 1.1. schreef <${alice.email.toUpperCase()}> het volgende`,
        `Answer ${to}`,
        `Answer ${to.toUpperCase()}`,
        `Answer ${encodeURIComponent(to)}`,
        `It came from ${mail.returnPath}`,
      ]
      assert.ok(link.includes(id) && mail.returnPath)
      await withMailDoor(world, async ({ send }) => {
        for (const text of texts) {
          const { text: answer } = await send({ from: alice.email, to, text })
          assert.match(answer, /^554 5\.6\.0 The mail holds your address/, text)
        }
        const harmless = `See ${baseUrl}/unsubscribe and ${REPLY_DOMAIN}, or reply+me@example.com`
        assert.equal((await send({ from: alice.email, to, text: harmless })).code, 250)
      })
      assert.equal((await bodies(world, bug.id)).length, 2)
    })

    it('has a size', async (world) => {
      const { alice } = world
      const { bug, to } = await told(world)
      const padded = (text: string, bytes: number) => {
        const head = `From: ${alice.email}\r\nMessage-ID: <${bytes}@a>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n`
        const body = `--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--b\r\nContent-Type: application/x-any\r\n\r\n`
        const left = bytes - head.length - body.length
        const line = `${'x'.repeat(74)}\r\n`
        return `${head}${body}${line.repeat(Math.floor(left / 76) - 1)}${'y'.repeat((left % 76) + 74)}\r\n`
      }
      await withMailDoor(world, async ({ send }) => {
        const fits = padded('Fits', MAX_MAIL_BYTES)
        assert.equal(Buffer.byteLength(fits), MAX_MAIL_BYTES)
        assert.equal((await send({ from: alice.email, to, raw: fits })).code, 250)
        const { code } = await send({ from: alice.email, to, raw: padded('Too large', MAX_MAIL_BYTES + 1) })
        assert.ok(code === 552 || code === 554, `${code}`)
      })
      assert.deepEqual((await bodies(world, bug.id)).sort(), ['Fits', 'Which version?'])
    })

    it('brings no role with it', async (world) => {
      const { alice, moderator, bob, app } = world
      await told(world)
      await proveAddress(world, moderator)
      await moderator.notifications.updateSettings({ comment: 'mail' })
      const bug = await moderator.bugs.create(crash)
      await bob.bugs.comment({ id: bug.id, body: 'Hello' })
      await app.deliver()
      const to = await answeredAt(world, moderator)
      await moderator.threads.lock({ id: bug.id, locked: true })
      await moderator.bugs.comment({ id: bug.id, body: 'Closed' })
      await withMailDoor(world, async ({ send }) => {
        assert.equal((await send({ from: moderator.email, to: to!, text: 'By mail' })).code, 554)
      })
      assert.equal((await alice.bugs.comments({ id: bug.id })).items.length, 2)
    })

    it('is not offered for several things, nor by a digest of them', async (world) => {
      const { alice, bob, app, clock } = world
      await told(world)
      const bugs = [await alice.bugs.create(crash), await alice.bugs.create(crash)]
      for (const { id } of bugs) await bob.bugs.comment({ id, body: 'Hello' })
      clock.pass(900)
      await app.deliver()
      assert.equal(await answeredAt(world, alice), null)
    })

    it('relays nothing, and speaks no more than it needs to', async (world) => {
      await told(world)
      await withMailDoor(world, async ({ port }) => {
        const heard = await spoken(port, [
          'EHLO a',
          'AUTH PLAIN AGEAYg==',
          'VRFY alice',
          'MAIL FROM:<a@b.example>',
          'RCPT TO:<victim@example.com>',
          'DATA',
          'QUIT',
        ])
        assert.doesNotMatch(heard, /AUTH|STARTTLS/)
        assert.match(heard, /550 5\.1\.1/)
        assert.match(heard, /503/)
      })
    })
  },
  SETTINGS,
)

/** What the door says to these lines, each sent after an answer. */
function spoken(port: number, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const left = [...lines]
    let heard = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (bytes) => {
      heard += bytes.toString()
      const next = /^\d{3} .*\r\n$/m.test(bytes.toString()) ? left.shift() : undefined
      if (next !== undefined) socket.write(`${next}\r\n`)
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(heard))
  })
}

onEveryEngine(
  'the budgets of replies by mail',
  (it) => {
    it('end at 60 an hour for an account, refused ones counted, and at 600 for a network of what proves nothing', async (world) => {
      const { alice, bob, clock } = world
      const { to } = await told(world)
      await proveAddress(world, bob)
      const door = world.app.mailDoor
      const mailOf = (from: string, address: string) => ({
        bytes: Buffer.from(`From: ${from}\r\n\r\n> nothing`),
        ...{ sender: from, recipient: to, address, helo: 'a' },
      })
      clock.stop()
      for (let n = 0; n < 600; n++) assert.equal((await door.take(mailOf(bob.email, '203.0.113.7'))).code, 250)
      assert.equal((await door.take(mailOf(bob.email, '203.0.113.8'))).code, 451)
      assert.equal((await door.take(mailOf(bob.email, '203.0.114.8'))).code, 250)
      // From the same network: what an account proves is not held up by what others send.
      for (let n = 0; n < 60; n++) assert.equal((await door.take(mailOf(alice.email, '203.0.113.7'))).code, 554)
      assert.equal((await door.take(mailOf(alice.email, '198.51.99.1'))).code, 451)
      clock.pass(3_600)
      assert.equal((await door.take(mailOf(alice.email, '203.0.113.7'))).code, 554)
    })

    it('are those of comments too', async (world) => {
      const { alice } = world
      const { to } = await told(world)
      await withMailDoor(world, async ({ send }) => {
        for (const code of [250, 250, 451]) {
          assert.equal((await send({ from: alice.email, to, text: `Hello ${code}` })).code, code)
        }
      })
    })
  },
  { ...SETTINGS, RATE_LIMITS: 'on', BUDGETS: 'comments: 2/hour, 100/hour' },
)

onEveryEngine(
  'a reply by mail to a private instance',
  (it) => {
    it('is of its readers alone', async (world) => {
      const { alice, admin } = world
      const { bug, to } = await told(world)
      await withMailDoor(world, async ({ send }) => {
        assert.equal((await send({ from: alice.email, to, text: 'A reader' })).code, 250)
        await admin.settings.change({ changes: { READER_DOMAINS: 'elsewhere.example' } })
        assert.equal((await send({ from: alice.email, to, text: 'No reader' })).code, 554)
        await admin.settings.change({ changes: { READER_DOMAINS: null } })
      })
      assert.deepEqual((await bodies(world, bug.id)).sort(), ['A reader', 'Which version?'])
    })
  },
  // One process, which knows of a changed setting at once.
  { ...SETTINGS, READERS: 'members', TEST_PROCESSES: '1' },
)

onEveryEngine(
  'a mail server that is trusted',
  (it) => {
    it('says whether a mail is forged', async (world) => {
      const { alice, dependencies } = world
      const { bug, to } = await told(world)
      dependencies.resolveDns = async () => assert.fail('no name is asked for')
      await withMailDoor(world, async ({ send }) => {
        const said = (value: string, text: string) =>
          send({ from: alice.email, to, text, headers: { 'Authentication-Results': value } })
        assert.match((await said('mx.guild.example; dmarc=fail', 'Forged')).text, /^250 2\.0\.0 Nothing comes of it/)
        assert.equal((await said('mx.guild.example; spf=pass (; dmarc=pass)', 'Forged')).code, 451)
        assert.equal((await said('mx.evil.example; dmarc=pass', 'Forged')).code, 451)
        assert.equal((await said('mx.guild.example; dmarc=pass', 'Real')).code, 250)
        assert.equal((await said('mx.guild.example; dmarc=none', 'Without')).code, 250)
      })
      assert.deepEqual((await bodies(world, bug.id)).sort(), ['Real', 'Which version?', 'Without'])
    })
  },
  { ...SETTINGS, TRUSTED_AUTHSERV: 'mx.guild.example' },
)

onEveryEngine('where no mail is taken', (it) => {
  it('mails about notifications are not answered, and say nothing of it', async (world) => {
    const { alice, bob, app } = world
    await proveAddress(world, alice)
    await alice.notifications.updateSettings({ comment: 'mail' })
    const bug = await alice.bugs.create(crash)
    await bob.bugs.comment({ id: bug.id, body: 'Hello' })
    assert.equal(await answeredAt(world, alice), null)
    const mail = (await world.mails(alice.email)).at(-1)!
    assert.doesNotMatch(mail.body, /Reply to this mail|above this line/)
    assert.equal(await app.mailDoor.knows(`reply+aaaa@${REPLY_DOMAIN}`), false)
  })
})
