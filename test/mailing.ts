// Mail that comes, for tests: the real door on a free port, the real client, and a DNS that says what a test wants.
import { createTransport } from 'nodemailer'
import { type Listener, listenForMail } from '../src/mail/incoming/listener.ts'
import { newId } from '../src/runtime/ids.ts'
import type { Person, World } from './world.ts'

export const REPLY_DOMAIN = 'reply.guild.example'

export interface Letter {
  from?: string
  /** Of the envelope; that of the mail unless told. */
  sender?: string
  to: string | string[]
  text?: string
  messageId?: string
  headers?: Record<string, string>
  /** In place of all else, as it is. */
  raw?: string | Buffer
}

export interface Door {
  port: number
  /** Sends a mail; gives the code and the text of the answer. */
  send(letter: Letter): Promise<{ code: number; text: string }>
}

/** Runs with the door open, and closes it. */
export async function withMailDoor(world: World, run: (door: Door) => Promise<void>): Promise<void> {
  const { app, dependencies } = world
  const listener: Listener = await listenForMail(
    { host: '127.0.0.1', port: 0 },
    { ...app.mailDoor, name: REPLY_DOMAIN, log: dependencies.log },
  )
  const transport = createTransport({ host: '127.0.0.1', port: listener.port, ignoreTLS: true })
  const send: Door['send'] = async ({ from, sender = from ?? '', to, raw, ...letter }) => {
    const envelope = { from: sender, to: [to].flat() }
    const mail = raw === undefined ? { from, to, subject: 'Re: told', ...letter } : { raw }
    try {
      const { response } = await transport.sendMail({ ...mail, envelope })
      return { code: Number(response.slice(0, 3)), text: response }
    } catch (error) {
      const { responseCode = 0, response = String(error) } = error as { responseCode?: number; response?: string }
      return { code: responseCode, text: response }
    }
  }
  try {
    await run({ port: listener.port, send })
  } finally {
    transport.close()
    await listener.close()
  }
}

/** A DNS with these records; other names have none. */
export const dnsOf =
  (records: Readonly<Record<string, string>> = {}) =>
  async (name: string, type: string): Promise<string[][]> => {
    const found = type === 'TXT' ? records[name] : undefined
    if (found === undefined) throw Object.assign(new Error(`no ${type} of ${name}`), { code: 'ENOTFOUND' })
    return [[found]]
  }

/** Lets a person have a verified address, as a mailed code would. */
export async function proveAddress({ db }: World, person: Person): Promise<void> {
  const { id } = await person.account()
  await db.updateTable('user').set({ emailVerifiedAt: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute()
}

/** Where the newest mail about a notification is answered. */
export async function answeredAt(world: World, person: Person): Promise<string | null | undefined> {
  await world.app.deliver()
  const told = (await world.mails(person.email)).filter(({ unsubscribeUrl }) => unsubscribeUrl)
  return told.at(-1)?.replyTo
}

/** A report on a mail: parts of `multipart/report`. */
const reportOf = (type: string, part: string) =>
  [
    ...['From: MAILER-DAEMON@mx.example', `Content-Type: multipart/report; report-type=${type}; boundary=b`, ''],
    ...['--b', 'Content-Type: text/plain', '', 'It did not come.', '--b', part, '--b'],
    ...['Content-Type: message/rfc822', '', 'From: guildhall@guild.example', 'Subject: x', '', 'Hello', '--b--', ''],
  ].join('\r\n')

export const failed = (status: string, action = 'failed') =>
  reportOf(
    'delivery-status',
    `Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; a@example.com\r\nAction: ${action}\r\nStatus: ${status}\r\n`,
  )

export const complaint = reportOf(
  'feedback-report',
  'Content-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nUser-Agent: a/1\r\nVersion: 1\r\n',
)

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

/** Notifies alice by mail, and gives her mails about notifications. */
export async function tell(world: World) {
  const { alice, bob, app, clock } = world
  const { id } = await alice.bugs.create(crash)
  await bob.bugs.comment({ id, body: 'Hello' })
  clock.pass(900)
  await app.deliver()
  return notices(world, alice)
}

const notices = async (world: World, { email }: Person) =>
  (await world.mails(email)).filter(({ unsubscribeUrl }) => unsubscribeUrl)

/** Lets alice have mails about comments. */
export async function prepare(world: World): Promise<void> {
  world.dependencies.resolveDns = dnsOf()
  await proveAddress(world, world.alice)
  await world.alice.notifications.updateSettings({ comment: 'mail' })
}

/** An address to which notifications are not mailed; gives its id. */
export async function insertBounce({ db }: World, email = 'gone@example.com'): Promise<string> {
  const [id, moment] = [newId(), '2026-01-01T00:00:00.000Z']
  const times = { since: moment, stoppedAt: moment, updatedAt: moment }
  const bounce = { id, email, kind: 'hard', status: '5.1.1', softCount: 0, ...times } as const
  await db.insertInto('bounce').values(bounce).execute()
  return id
}
