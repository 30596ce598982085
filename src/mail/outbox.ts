// Mail in two steps: `enqueue` in the transaction that causes it, and a sender that delivers it with retries. A mail server that is
// down loses no mail, and no request waits for one. The text is encrypted: it may contain a code.
import { setTimeout } from 'node:timers/promises'
import type { Db } from '../database/schema.ts'
import { after, type Clock, latest, timestamp } from '../runtime/clock.ts'
import type { SecretFor } from '../runtime/hash.ts'
import { newId } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import { OutageError, reasonOf } from '../runtime/outage.ts'
import { seal, unseal } from '../runtime/seal.ts'
import type { StorageHealth } from '../runtime/storage-health.ts'
import type { Mail, Mailer } from './mail.ts'
import * as queries from './queries.ts'

/** If a sender stops while it sends a mail, another one takes the mail after this time. */
const LEASE_SECONDS = 60
const POLL_MILLISECONDS = 2_000
const STOP_MILLISECONDS = 3_000
/** Waits 5 s, 10 s, 20 s, ... at most an hour; gives up after about a day, when every code in it has expired. */
const MAX_ATTEMPTS = 32
const MAX_PAUSE_SECONDS = 3600
const retryAfterSeconds = (attempts: number) => Math.min(5 * 2 ** (attempts - 1), MAX_PAUSE_SECONDS)
const KEEP_SENT_SECONDS = 7 * 86_400
/** How long a mail server counts as unavailable after a failed delivery: then one more attempt is allowed. */
const AWAY_MILLISECONDS = 30_000

export interface Outbox {
  /** Stores a mail in the caller's transaction; it goes out after the commit. */
  enqueue(db: Db, mail: Omit<Mail, 'id'>): Promise<void>
  /**
   * Does everything `enqueue` does, except that no mail is sent and the text is not stored: for an unknown address, which must not be
   * recognizable by the response time.
   */
  pretend(db: Db, mail: Omit<Mail, 'id'>): Promise<void>
  /**
   * For a mail that expires soon, such as one with a code that is valid for minutes: throws when the mail server has just refused
   * one. All other mail waits in the outbox.
   */
  requireDelivery(): void
  /** Sends everything that is due now; resolves when that is done. */
  flush(): Promise<void>
  /** Forgets mail that went out more than a week ago. */
  cleanUp(): Promise<void>
  start(): void
  /** Sends due mail for a few seconds, and stops; the rest is sent after the next start. */
  stop(): Promise<void>
}

export interface OutboxOptions {
  db: Db
  mailer: Mailer
  clock: Clock
  log: Log
  /** For the key that texts are encrypted under. */
  secretFor: SecretFor
  /** Told when the mail server is away. */
  health?: StorageHealth
}

const SEALED = 'sealed:'

/** `echo` is called with each sent mail; development prints its code. */
export function openOutbox(
  { db, mailer, clock, log, health, secretFor }: OutboxOptions,
  echo: (mail: Mail) => void = () => {},
): Outbox {
  let running: Promise<void> | undefined
  let again = false
  let timer: NodeJS.Timeout | undefined
  let away: { error: OutageError; until: number } | undefined

  function noteFailure(error: unknown): void {
    health?.report(error)
    if (error instanceof OutageError) away = { error, until: clock.now() + AWAY_MILLISECONDS }
  }

  const sealed = async (body: string) => SEALED + seal(await secretFor('outbox'), body)

  /** The mail as it was written; undefined once it cannot be read any more. Text from before texts were sealed is plain. */
  async function opened<Stored extends Mail>(mail: Stored): Promise<Stored | undefined> {
    if (!mail.body.startsWith(SEALED)) return mail
    const key = await secretFor('outbox')
    try {
      return { ...mail, body: unseal(key, mail.body.slice(SEALED.length)) }
    } catch {
      return undefined
    }
  }

  async function deliver(stored: Mail & { attempts: number }): Promise<void> {
    const mail = await opened(stored)
    if (!mail) {
      log.error({ mail: stored.id }, 'mail given up: it was written under another signing key')
      return queries.deleteMail(db, stored.id)
    }
    try {
      await mailer.send(mail)
    } catch (error) {
      const { code } = error as { code?: string }
      noteFailure(error)
      if (mail.attempts >= MAX_ATTEMPTS) {
        log.error({ mail: mail.id, code, reason: reasonOf(error) }, 'mail given up')
        return queries.deleteMail(db, mail.id)
      }
      log.warn({ mail: mail.id, attempts: mail.attempts, reason: reasonOf(error) }, 'mail not sent, will try again')
      return queries.updateMailRetry(db, mail.id, after(timestamp(clock.now()), retryAfterSeconds(mail.attempts)))
    }
    away = undefined
    await queries.updateMailSent(db, mail.id, timestamp(clock.now()))
    echo(mail)
  }

  async function sendDue(): Promise<void> {
    do {
      again = false
      for (;;) {
        const now = timestamp(clock.now())
        const mail = await queries.takeDueMail(
          db,
          { now, latest: latest(now, MAX_PAUSE_SECONDS) },
          after(now, LEASE_SECONDS),
        )
        if (!mail) break
        await deliver(mail)
      }
    } while (again)
  }

  function flush(): Promise<void> {
    again = true
    running ??= sendDue().finally(() => {
      running = undefined
    })
    return running
  }

  const inBackground = () => {
    flush().catch((error: unknown) => log.error({ err: error }, 'the outbox could not be read'))
  }

  return {
    async enqueue(transaction, mail) {
      const body = await sealed(mail.body)
      await queries.insertMail(transaction, { id: newId(), ...mail, body, sentAt: null }, timestamp(clock.now()))
      if (timer) globalThis.setTimeout(inBackground, 20).unref()
    },
    async pretend(transaction, { recipient, subject, body }) {
      const now = timestamp(clock.now())
      await sealed(body)
      await queries.insertMail(transaction, { id: newId(), recipient, subject, body: null, sentAt: now }, now)
      if (timer) globalThis.setTimeout(inBackground, 20).unref()
    },
    requireDelivery() {
      if (away && clock.now() < away.until) throw away.error
    },
    flush,
    cleanUp: () => queries.deleteMailSentBefore(db, after(timestamp(clock.now()), -KEEP_SENT_SECONDS)),
    start() {
      timer = setInterval(inBackground, POLL_MILLISECONDS)
      timer.unref()
      inBackground()
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
      const patience = new AbortController()
      const { signal } = patience
      await Promise.race([flush(), setTimeout(STOP_MILLISECONDS, undefined, { signal })]).catch(() => {})
      patience.abort()
      mailer.close()
    },
  }
}
