// Mail in two steps: `enqueue` in the transaction that causes it, and a sender that delivers it with retries. A mail server that is
// down loses no mail, and no request waits for one. The text is encrypted: it may contain a code.
import { setTimeout } from 'node:timers/promises'
import { type AddedLanguages, FALLBACK, isOffered } from '../contract/languages.ts'
import { deleteUntil } from '../database/expiry.ts'
import type { Db } from '../database/schema.ts'
import { after, type Clock, latest, timestamp } from '../runtime/clock.ts'
import { mailCounts } from '../runtime/counts.ts'
import type { SecretFor } from '../runtime/hash.ts'
import { newId } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { StorageHealth } from '../runtime/outage.ts'
import { OutageError, reasonOf } from '../runtime/outage.ts'
import { seal, unseal } from '../runtime/seal.ts'
import { detailsOf } from '../runtime/untyped.ts'
import { LONGEST_SECONDS, type Mail, type Mailer, readThread, withThread } from './mail.ts'
import * as queries from './queries.ts'
import { isStopped } from './queries.ts'
import { bounceAddress } from './signed-address.ts'
import { type Letter, mailWords } from './words.ts'

/** If a sender stops while it sends a mail, another one takes the mail after this time: longer than the slowest server may take. */
const LEASE_SECONDS = LONGEST_SECONDS + 60
const STOP_MILLISECONDS = 3_000
/** Waits 5 s, 10 s, 20 s, ... at most an hour; gives up after about a day, when every code in it has expired. */
const MAX_ATTEMPTS = 32
const MAX_PAUSE_SECONDS = 3600
const retryAfterSeconds = (attempts: number) => Math.min(5 * 2 ** (attempts - 1), MAX_PAUSE_SECONDS)
/** How long a mail server counts as unavailable after a failed delivery: then one more attempt is allowed. */
const AWAY_MILLISECONDS = 30_000

/** A mail in words, or a letter that is written in the language of its reader. */
export type NewMail = Pick<Mail, 'recipient' | 'unsubscribeUrl' | 'replyTo' | 'thread'> & {
  /** Where the account of the recipient has chosen none, or there is no account. */
  language?: string | null | undefined
} & (Letter | { subject: string; body: string })

export interface Outbox {
  /** Stores a mail in the caller's transaction; it goes out after the commit. */
  enqueue(db: Db, mail: NewMail): Promise<void>
  /**
   * Does everything `enqueue` does, except that no mail is sent and the text is not stored: for an unknown address, which must not be
   * recognizable by the response time.
   */
  pretend(db: Db, mail: NewMail): Promise<void>
  /**
   * For a mail that expires soon, such as one with a code that is valid for minutes: throws when the mail server has just refused
   * one. All other mail waits in the outbox.
   */
  requireDelivery(): void
  /** Sends everything that is due now; resolves when that is done. */
  flush(): Promise<void>
  /** Calls back soon after a mail was put in. */
  onMail(callback: () => void): void
  /** Forgets mail that went out more than a week before this moment. */
  cleanUp(now: string, days: number): Promise<void>
  /** Sends due mail for a few seconds, and closes the connection; the rest is sent after the next start. */
  stop(): Promise<void>
}

export interface OutboxOptions {
  db: Db
  mailer: Mailer
  clock: Clock
  log: Log
  /** For the key that texts are encrypted under. */
  secretFor: SecretFor
  /** Has the present name of this server, and the domain to which mail about mails comes. */
  site: { readonly name: string; readonly replyDomain?: string | undefined; readonly languages?: AddedLanguages }
  /** Told when the mail server is away. */
  health?: StorageHealth
}

const SEALED = 'sealed:'

/** `echo` is called with each sent mail; development prints its code. */
export function openOutbox(options: OutboxOptions, echo: (mail: Mail) => void = () => {}): Outbox {
  const { db, mailer, clock, secretFor } = options
  const sender = new Sender(options, echo)
  let wake: (() => void) | undefined

  const insert = async (
    transaction: Db,
    { recipient, unsubscribeUrl, replyTo, thread, language, ...words }: NewMail,
    isSent: boolean,
  ) => {
    // What comes by itself does not go where it does not come, or is not wanted. What was asked for is sent.
    if (unsubscribeUrl && (await isStopped(transaction, recipient))) return
    const chosen = await queries.findLanguage(transaction, recipient)
    const { name, languages } = options.site
    const own = [chosen, language].find((one) => isOffered(one, languages)) ?? FALLBACK
    const { subject, body } = 'write' in words ? words.write(mailWords(own, { name, languages })) : words
    const mail = { recipient, subject, ...(unsubscribeUrl && { unsubscribeUrl }), ...(replyTo && { replyTo }) }
    const now = timestamp(clock.now())
    const sealed = SEALED + seal(await secretFor('outbox'), withThread(body, thread))
    const stored = isSent ? { body: null, sentAt: now } : { body: sealed, sentAt: null }
    await queries.insertMail(transaction, { id: newId(), ...mail, ...stored }, now)
    // After the commit, as a rule.
    if (wake) globalThis.setTimeout(wake, 20).unref()
  }

  return {
    enqueue: (transaction, mail) => insert(transaction, mail, false),
    pretend: (transaction, mail) => insert(transaction, mail, true),
    requireDelivery: () => sender.requireDelivery(),
    flush: () => sender.flush(),
    cleanUp: (now, days) =>
      deleteUntil(db, { table: 'outbox', key: 'id', since: 'sentAt' }, after(now, -days * 86_400)),
    onMail(callback) {
      wake = callback
    },
    async stop() {
      wake = undefined
      const patience = new AbortController()
      const { signal } = patience
      await Promise.race([sender.flush(), setTimeout(STOP_MILLISECONDS, undefined, { signal })]).catch(() => {})
      patience.abort()
      mailer.close()
    },
  }
}

/** Sends due mail, one after the other, and knows when the mail server is unavailable. */
class Sender {
  readonly #options: OutboxOptions
  readonly #echo: (mail: Mail) => void
  #running: Promise<void> | undefined
  #again = false
  #away: { error: OutageError; until: number } | undefined

  constructor(options: OutboxOptions, echo: (mail: Mail) => void) {
    this.#options = options
    this.#echo = echo
  }

  requireDelivery(): void {
    if (this.#away && this.#options.clock.elapsed() < this.#away.until) throw this.#away.error
  }

  flush(): Promise<void> {
    this.#again = true
    this.#running ??= this.#sendDue().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #sendDue(): Promise<void> {
    const { db, clock } = this.#options
    do {
      this.#again = false
      for (;;) {
        const now = timestamp(clock.now())
        const due = { now, latest: latest(now, MAX_PAUSE_SECONDS) }
        const mail = await queries.takeDueMail(db, due, after(now, LEASE_SECONDS))
        if (!mail) break
        await this.#deliver(mail)
      }
    } while (this.#again)
  }

  async #deliver(stored: Mail & { attempts: number }): Promise<void> {
    const { db, mailer, clock, log, site, secretFor } = this.#options
    const mail = await this.#opened(stored)
    if (!mail) {
      mailCounts.add('given_up', '')
      log.error({ mail: stored.id }, 'mail given up: it was written under another signing key')
      return queries.deleteMail(db, stored.id)
    }
    try {
      const chosen = await queries.findLanguage(db, mail.recipient)
      const { replyDomain } = site
      const returnPath = replyDomain && (await bounceAddress(secretFor, replyDomain, mail.id))
      await mailer.send({
        ...mail,
        ...(returnPath && { returnPath }),
        language: isOffered(chosen, site.languages) ? chosen : FALLBACK,
      })
    } catch (error) {
      return this.#retryLater(mail, error)
    }
    this.#away = undefined
    mailCounts.add('sent', '')
    await queries.updateMailSent(db, mail.id, timestamp(clock.now()))
    this.#echo(mail)
  }

  async #retryLater(mail: Mail & { attempts: number }, error: unknown): Promise<void> {
    const { db, clock, log, health } = this.#options
    const { code } = detailsOf(error)
    health?.report(error)
    if (error instanceof OutageError) this.#away = { error, until: clock.elapsed() + AWAY_MILLISECONDS }
    if (mail.attempts >= MAX_ATTEMPTS) {
      mailCounts.add('given_up', '')
      log.error({ mail: mail.id, code, reason: reasonOf(error) }, 'mail given up')
      return queries.deleteMail(db, mail.id)
    }
    mailCounts.add('retried', '')
    log.warn({ mail: mail.id, attempts: mail.attempts, reason: reasonOf(error) }, 'mail not sent, will try again')
    return queries.updateMailRetry(db, mail.id, after(timestamp(clock.now()), retryAfterSeconds(mail.attempts)))
  }

  /** The mail as it was written; undefined once it cannot be read any more. Text from before texts were sealed is plain. */
  async #opened<Stored extends Mail>(mail: Stored): Promise<Stored | undefined> {
    if (!mail.body.startsWith(SEALED)) return mail
    const key = await this.#options.secretFor('outbox')
    try {
      return { ...mail, ...readThread(unseal(key, mail.body.slice(SEALED.length))) }
    } catch {
      return undefined
    }
  }
}
