// Replies by mail: comments in the name of others, mail that is sent on, loops, two mails in one, and forged reports.
import { connect } from 'node:net'
import { createTransport } from 'nodemailer'
import { type Attack, hold, holdEach } from './attack.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'
import { BUG } from './things.ts'

const CLAUSE = 'replies'

interface Sent {
  from: string
  to: string
  text: string
  headers?: Record<string, string>
  sender?: string
  messageId?: string
}

const portOf = (target: Target) => Number(target.own.environment['SMTP_LISTEN']?.split(':').at(-1))

/** What the mail server of the operator says of each mail. */
const PASSED = { 'Authentication-Results': 'mx.guild.example; dmarc=pass' }

/** The code of the answer to a mail. */
async function send(target: Target, { sender, headers, ...sent }: Sent): Promise<number> {
  const mail = { ...sent, headers: { ...PASSED, ...headers } }
  const transport = createTransport({ host: '127.0.0.1', port: portOf(target), ignoreTLS: true })
  try {
    const envelope = { from: sender ?? mail.from, to: [mail.to] }
    return Number((await transport.sendMail({ subject: 'Re', ...mail, envelope })).response.slice(0, 3))
  } catch (error) {
    return (error as { responseCode?: number }).responseCode ?? 0
  } finally {
    transport.close()
  }
}

/** A bug of a member, and where that answers a comment on it. */
async function told(target: Target): Promise<{ owner: Person; other: Person; id: string; to: string }> {
  const [owner, other] = [await target.verified(), await target.verified()]
  await owner.api.notifications.updateSettings({ comment: 'mail' })
  const { id } = await owner.api.bugs.create(BUG)
  await other.api.bugs.comment({ id, body: 'Which version?' })
  const mails = await target.mails(owner.email, ({ replyTo }) => replyTo !== '')
  return { owner, other, id, to: mails.at(-1)?.replyTo ?? '' }
}

const comments = async ({ api }: Person, id: string) => (await api.bugs.comments({ id })).items

/** Speaks these bytes after the greeting, and hears all answers. */
function speak(target: Target, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = ''
    const socket = connect(portOf(target), '127.0.0.1')
    socket.setTimeout(10_000, () => socket.destroy())
    socket.on('data', (piece) => {
      if (heard === '') socket.write(bytes)
      heard += piece.toString()
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(heard))
  })
}

export const replies: Attack[] = [
  {
    name: 'an address for replies is of no use to another account, changed, or cut',
    clause: CLAUSE,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const { owner, other, id, to } = await told(target)
      const [local = '', domain = ''] = to.split('@')
      const variants: { from: string; to: string }[] = [
        { from: other.email, to },
        { from: `"${owner.email}" <${other.email}>`, to },
        { from: owner.email, to: `${local.slice(0, -1)}@${domain}` },
        { from: owner.email, to: `${local.slice(0, -8)}aaaaaaaa@${domain}` },
        { from: owner.email, to: `reply+${local.slice(6).split('').reverse().join('')}@${domain}` },
        { from: owner.email, to: `bounce+${local.slice(6)}@${domain}` },
        { from: `${other.email}, ${owner.email}`, to },
      ]
      const evidence = await holdEach(
        variants,
        ({ from, to: address }) => `${from} to ${address}`,
        async (mail) => {
          const code = await send(target, { ...mail, text: 'Mine' })
          hold(code === 250 || code === 550, `answered with ${code}`)
          hold((await comments(owner, id)).length === 1, 'a comment is there')
        },
      )
      return evidence
    },
  },
  {
    name: 'the mail door sends nothing on',
    clause: CLAUSE,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const { to } = await told(target)
      const domain = to.split('@')[1]
      const start = 'EHLO a\r\nMAIL FROM:<a@example.com>\r\n'
      const own = await speak(target, `${start}RCPT TO:<${to}>\r\nDATA\r\n\r\n.\r\nQUIT\r\n`)
      hold(/^354/m.test(own), `an address of ours is refused: ${own}`)
      const evidence = await holdEach(
        [
          'victim@example.com',
          `victim%example.com@${domain}`,
          `@${domain}:victim@example.com`,
          `"victim@example.com"@${domain}`,
          `${to.split('@')[0]}@example.com`,
          `postmaster@${domain}`,
          'postmaster',
          `${to}@example.com`,
        ],
        (address) => address,
        async (address) => {
          const heard = await speak(target, `${start}RCPT TO:<${address}>\r\nDATA\r\nQUIT\r\n`)
          hold(!/^354/m.test(heard), heard)
        },
      )
      return evidence
    },
  },
  {
    name: 'mails of programs make no comments, and one mail makes one',
    clause: CLAUSE,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const { owner, id, to } = await told(target)
      const letter = { from: owner.email, to, text: 'I am away' }
      await send(target, { ...letter, headers: { 'Auto-Submitted': 'auto-replied' } })
      await send(target, { ...letter, headers: { Precedence: 'list' } })
      await send(target, { ...letter, sender: '' })
      hold((await comments(owner, id)).length === 1, 'an answer of a program is a comment')
      const once = { ...letter, text: 'Once', messageId: '<once@mail.example.com>' }
      await Promise.all(Array.from({ length: 10 }, () => send(target, once)))
      const { length } = await comments(owner, id)
      hold(length === 2, `${length - 1} comments of one mail`)
      return 'three answers of programs made none, ten deliveries of a mail one'
    },
  },
  {
    name: 'a forged mail makes no comment, whatever other servers say of it',
    clause: CLAUSE,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const { owner, id, to } = await told(target)
      const said = async (value: string, wanted = 250) => {
        const headers = { 'Authentication-Results': value }
        const code = await send(target, { from: owner.email, to, text: 'Forged', headers })
        hold(code === wanted, `${value}: ${code}`)
      }
      await said('mx.guild.example; dmarc=fail')
      await said('MX.guild.example;  dkim=pass; dmarc=fail (p=none)')
      await said('mx.guild.example; dmarc=pass; dmarc=fail')
      await said('mx.guild.example; dmarc=pass header.from=evil.example')
      await said('mx.guild.example; spf=pass (; dmarc=pass) smtp.mailfrom=a; dmarc=fail')
      await said('mx.guild.example; spf=pass (; dmarc=pass)', 451)
      await said('mx.evil.example; dmarc=pass', 451)
      hold((await comments(owner, id)).length === 1, 'a comment is there')
      return 'dropped or put off, and no comment'
    },
  },
  {
    name: 'a report of no mail of ours stops no mail, and neither does one that says nothing',
    clause: CLAUSE,
    needs: ['newcomers', 'mail', 'files'],
    async run(target) {
      const { owner, to } = await told(target)
      const [local = '', domain = ''] = to.split('@')
      const report = [
        ...[`From: ${owner.email}`, 'Content-Type: multipart/report; report-type=delivery-status; boundary=b', ''],
        ...['--b', 'Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; a', ''],
        ...[`Final-Recipient: rfc822; ${owner.email}`, 'Action: failed', 'Status: 5.1.1', '--b--', ''],
      ].join('\r\n')
      const tokens = [local.slice(6), local.slice(6, 58), 'a'.repeat(52), 'a', '7'.repeat(52)]
      const evidence = await holdEach(
        [...tokens.map((token) => `bounce+${token}@${domain}`), to, `bounce@${domain}`],
        (address) => address,
        async (address) => {
          const heard = await speak(
            target,
            `EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<${address}>\r\nDATA\r\n${report}.\r\nQUIT\r\n`,
          )
          hold(address === to || /^550/m.test(heard), heard)
        },
      )
      const stopped = await target.own.query('select id from bounce where email = ?', owner.email.toLowerCase())
      hold(stopped.length === 0, 'mail is stopped')
      return evidence
    },
  },
  {
    name: 'no second mail hides in the text of one',
    clause: CLAUSE,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const { owner, id, to } = await told(target)
      let count = (await comments(owner, id)).length
      const evidence = await holdEach(
        ['\n.\n', '\n.\r\n', '\r.\r', '\r\n.\n', '\r\n.\r', '\r.\r\n', '\n.\r', '\r\n\0.\r\n'],
        (end) => end,
        async (end) => {
          const head = `MAIL FROM:<${owner.email}>\r\nRCPT TO:<${to}>\r\nDATA\r\n`
          const letter = (text: string) =>
            `Authentication-Results: ${PASSED['Authentication-Results']}\r\nFrom: ${owner.email}\r\nMessage-ID: <${Math.random()}@a>\r\n\r\n${text}`
          const heard = await speak(
            target,
            `EHLO a\r\n${head}${letter('First')}${end}${head}${letter('Hidden')}\r\n.\r\nQUIT\r\n`,
          )
          const { length } = await comments(owner, id)
          hold(length <= count + 1, `${length - count} comments; ${heard}`)
          count = length
        },
      )
      // Those with the address of another mail in their words are refused.
      const code = await send(target, { from: owner.email, to, text: 'Plain' })
      hold(code === 250 && (await comments(owner, id)).length === count + 1, 'no mail comes at all')
      return evidence
    },
  },
  {
    name: 'a mail that is made to take long stops no request',
    clause: CLAUSE,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const { owner, other, id, to } = await told(target)
      const body = {
        parts: '--b\r\n\r\n'.repeat(120_000),
        levels: Array.from(
          { length: 200 },
          (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`,
        ).join(''),
        mails: '--b\r\nContent-Type: message/rfc822\r\n\r\n'.repeat(20_000),
        lines: '\r\n'.repeat(400_000),
        html: `--b\r\nContent-Type: text/html\r\n\r\n${'<div>'.repeat(150_000)}`,
      }
      const evidence = await holdEach(
        Object.entries(body),
        ([name]) => name,
        async ([, text]) => {
          const head = `Authentication-Results: ${PASSED['Authentication-Results']}\r\nFrom: ${owner.email}\r\nContent-Type: multipart/mixed; boundary=${text.startsWith('--b0') ? 'b0' : 'b'}`
          const sending = speak(
            target,
            `EHLO a\r\nMAIL FROM:<${owner.email}>\r\nRCPT TO:<${to}>\r\nDATA\r\n${head}\r\n\r\n${text}\r\n.\r\nQUIT\r\n`,
          )
          const started = performance.now()
          await other.api.bugs.get({ id })
          const took = performance.now() - started
          hold(took < 3_000, `a request took ${took} ms`)
          const heard = await sending
          hold(/^55\d/m.test(heard), heard)
        },
      )
      hold((await comments(owner, id)).length === 1, 'a comment is there')
      return evidence
    },
  },
]
