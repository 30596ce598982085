// The door for mail: SMTP for the addresses of one domain. It sends nothing on, and holds each connection to a size, a time and a number.
import type { Server } from 'node:net'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { Log } from '../../runtime/log.ts'
import { MAX_MAIL_BYTES, type TakenMail } from './reading.ts'

/** What a server that gives us a mail hears (RFC 5321, 4.2.1): taken, refused for good, or to come again. */
export type Answer = { code: 250 | 451 | 550 | 554; text: string }

export interface MailDoor {
  /** Whether there may be a mailbox with this address, in lower case: asked before any of the mail is taken. */
  knows(address: string): Promise<boolean>
  /** Throws where the server itself failed: then the mail is put off. */
  take(mail: TakenMail): Promise<Answer>
}

const CONNECTIONS = 20
const IDLE_MILLISECONDS = 30_000
/** For all of a connection: a client that sends a byte now and then is not waited for. */
const LONGEST_MILLISECONDS = 120_000
/** More recipients make a mail of their own each (RFC 5321, 4.5.3.1.10). */
const RECIPIENTS = 1
const CLOSE_MILLISECONDS = 2_000

export const LATER: Answer = { code: 451, text: '4.3.0 Try again later' }
export const NO_MAILBOX: Answer = { code: 550, text: '5.1.1 No such mailbox here' }

const refusal = ({ code, text }: { code: number; text: string }) =>
  Object.assign(new Error(text), { responseCode: code })

export interface Listener {
  port: number
  close(): Promise<void>
}

/** Listens for mail; rejects where the port is taken. */
export async function listenForMail(
  place: { host: string; port: number },
  door: MailDoor & { name: string; log: Log },
): Promise<Listener> {
  const { SMTPServer } = await import('smtp-server')
  const server = new SMTPServer({
    name: door.name,
    banner: 'mail for members',
    size: MAX_MAIL_BYTES,
    maxClients: CONNECTIONS,
    socketTimeout: IDLE_MILLISECONDS,
    closeTimeout: CLOSE_MILLISECONDS,
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onRcptTo({ address }, session, done) {
      if (session.envelope.rcptTo.length >= RECIPIENTS) {
        return done(refusal({ code: 452, text: '4.5.3 One recipient at a time' }))
      }
      door.knows(address.toLowerCase()).then(
        (isKnown) => done(isKnown ? null : refusal(NO_MAILBOX)),
        (error: unknown) => {
          door.log.error({ err: error }, 'an address that a mail came to could not be read')
          done(refusal(LATER))
        },
      )
    },
    onData(stream, session, done) {
      receive(stream, session, door).then(
        ({ code, text }) => (code === 250 ? done(null, text) : done(refusal({ code, text }))),
        (error: unknown) => {
          door.log.error({ err: error }, 'a mail that came could not be read')
          done(refusal(LATER))
        },
      )
    },
  })
  // Of a client that goes away, or a connection that times out.
  server.on('error', (error) => door.log.debug({ err: error }, 'a connection of the mail door ended'))
  server.server.on('connection', (socket) => {
    const timer = setTimeout(() => socket.destroy(), LONGEST_MILLISECONDS)
    socket.once('close', () => clearTimeout(timer))
  })
  await listening(server.server, () => server.listen(place.port, place.host))
  return {
    port: portOf(server.server),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function listening(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', reject)
    listen()
  })
}

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

async function receive(stream: SMTPServerDataStream, session: SMTPServerSession, door: MailDoor): Promise<Answer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    length += piece.length
    // The rest is read and not kept: the client hears of it at the end.
    if (length <= MAX_MAIL_BYTES) pieces.push(piece)
  }
  if (stream.sizeExceeded || length > MAX_MAIL_BYTES) {
    return { code: 554, text: `5.3.4 A mail has at most ${MAX_MAIL_BYTES} bytes here` }
  }
  const { mailFrom, rcptTo } = session.envelope
  return door.take({
    bytes: Buffer.concat(pieces),
    sender: mailFrom ? mailFrom.address : '',
    recipient: (rcptTo[0]?.address ?? '').toLowerCase(),
    address: session.remoteAddress,
    helo: session.hostNameAppearsAs || '',
  })
}
