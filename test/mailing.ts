// Mail that comes, for tests: the real door on a free port, the real client, and a DNS that says what a test wants.
import { createTransport } from 'nodemailer'
import { type Listener, listenForMail } from '../src/mail/incoming/listener.ts'
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
