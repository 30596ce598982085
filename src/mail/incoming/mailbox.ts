// A mailbox of the operator to which a provider sends the mail of the domain for replies: the second way in, beside SMTP. Each mail goes through the
// same door, and is marked as read when that has answered for good.
import type { ImapFlow } from 'imapflow'
import { privateAddressOf } from '../../budgets/network.ts'
import type { Log } from '../../runtime/log.ts'
import { type Head, readHead } from './head.ts'
import { LATER, type MailDoor } from './listener.ts'
import { MAX_MAIL_BYTES } from './reading.ts'

export interface Mailbox {
  host: string
  port: number
  isTls: boolean
  user: string
  password: string
  folder: string
}

interface MailboxContext {
  door: MailDoor
  log: Log
  /** In milliseconds. */
  now: number
  /** Aborted when the process stops. */
  signal: AbortSignal
  /** The last mail of the batch before, by its number in the mailbox. */
  after?: number
}

/** Of one batch; the next one goes on after them, so that what is put off holds up no other mail. */
export const MAX_MAILS = 200
const TIMEOUT_MILLISECONDS = 20_000
/** What is put off for so long is left to the operator, so that it holds up no other mail. */
const PATIENCE_MILLISECONDS = 2 * 86_400_000
/** A mail in a mailbox comes from no network that is known. */
const ADDRESS = privateAddressOf('mailbox for replies')

/** Servers say in these to whom a mail was: `To` is what its sender wrote. */
const RECIPIENTS = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'to', 'cc']
const MAX_ADDRESSES = 20
const ADDRESS_IN = /[a-z]{1,10}\+[a-z2-7]{1,64}@[a-z\d.-]{1,253}/g

/** Reads what is unread in a mailbox, oldest first. Gives the last mail of this batch; undefined at the end. Rejects where the server is away or does not let us in. */
export async function readMailbox(mailbox: Mailbox, reading: MailboxContext): Promise<number | undefined> {
  const client = await connect(mailbox)
  const leave = () => client.close()
  reading.signal.addEventListener('abort', leave)
  try {
    const lock = await client.getMailboxLock(mailbox.folder)
    const last = await readSome(client, reading).finally(() => lock.release())
    await client.logout()
    return last
  } finally {
    reading.signal.removeEventListener('abort', leave)
    client.close()
  }
}

async function readSome(client: ImapFlow, reading: MailboxContext): Promise<number | undefined> {
  const { after = 0, log } = reading
  const unread = ((await client.search({ seen: false }, { uid: true })) || []).filter((uid) => uid > after)
  const some = unread.toSorted((a, b) => a - b).slice(0, MAX_MAILS)
  for (const uid of some) {
    try {
      await readOne(client, uid, reading)
    } catch (error) {
      if (!client.usable) throw error
      log.error({ err: error, uid }, 'a mail in the mailbox for replies could not be fetched or marked')
    }
  }
  return unread.length > some.length ? some.at(-1) : undefined
}

async function connect({ host, port, isTls, user, password: pass }: Mailbox): Promise<ImapFlow> {
  const { ImapFlow: Client } = await import('imapflow')
  const client = new Client({
    ...{ host, port, secure: isTls, auth: { user, pass } },
    ...{ logger: false, disableAutoIdle: true },
    connectionTimeout: TIMEOUT_MILLISECONDS,
    greetingTimeout: TIMEOUT_MILLISECONDS,
    socketTimeout: TIMEOUT_MILLISECONDS,
  })
  // What is asked for at that moment rejects by itself.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function readOne(client: ImapFlow, uid: number, { door, log, now }: MailboxContext): Promise<void> {
  const found = await client.fetchOne(`${uid}`, { size: true, internalDate: true }, { uid: true })
  if (!found) return
  const size = found.size ?? 0
  const fetched = size <= MAX_MAIL_BYTES && (await client.fetchOne(`${uid}`, { source: true }, { uid: true }))
  const whole = fetched ? fetched.source : undefined
  const answer = whole ? await take(whole, { door, log }) : { code: 554, text: `it has ${size} bytes` }
  const isPutOff = answer.code === 451
  const since = found.internalDate ? new Date(found.internalDate).getTime() : 0
  if (isPutOff && now - since < PATIENCE_MILLISECONDS) return
  const isTaken = answer.code === 250
  // No refusal is mailed: the server that could tell the sender has taken the mail.
  if (!isTaken) log.warn({ uid, answer: answer.text }, 'a mail in the mailbox for replies was refused, and is flagged')
  await client.messageFlagsAdd(`${uid}`, isTaken ? ['\\Seen'] : ['\\Seen', '\\Flagged'], { uid: true })
}

/** What fails in the server is put off, as for a server that gives us a mail. */
async function take(bytes: Buffer, { door, log }: Pick<MailboxContext, 'door' | 'log'>): ReturnType<MailDoor['take']> {
  try {
    const head = readHead(bytes)
    const recipient = head && (await recipientOf(head, door))
    if (!head || recipient === undefined) return { code: 554, text: 'it is to no address for replies that is good now' }
    return await door.take({ bytes, recipient, sender: senderOf(head), address: ADDRESS, helo: '' })
  } catch (error) {
    log.error({ err: error }, 'a mail that came could not be read')
    return LATER
  }
}

/** The first address that this server takes mail for. */
async function recipientOf(head: Head, door: MailDoor): Promise<string | undefined> {
  const named = RECIPIENTS.flatMap((name) => head.header(name))
    .join('\n')
    .toLowerCase()
  const addresses = new Set(named.match(ADDRESS_IN))
  for (const address of [...addresses].slice(0, MAX_ADDRESSES)) if (await door.knows(address)) return address
  return undefined
}

/** The sender of the envelope as the server kept it: empty for what is not answered. */
function senderOf({ header, from }: Head): string {
  const [path] = header('return-path')
  return path === undefined ? (from ?? '') : path.replace(/[<>\s]/g, '').toLowerCase()
}
