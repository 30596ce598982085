// Sends what waits for webhooks, in the background and in every process. A process leases a webhook and sends its deliveries one after
// the other; no transaction waits for an address, and an address that does not respond rests longer and longer.

import { oneLine } from '../../contract/storable.ts'
import type { Transaction } from '../../database/schema.ts'
import { findMailbox } from '../../identity/account-queries.ts'
import { type Letter, letter, quotedLines } from '../../mail/words.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after, latest, timestamp } from '../../runtime/clock.ts'
import { setAsideOfBlocked } from './aside-queries.ts'
import { endOfSubscription, messageOf } from './messages.ts'
import { type AttemptResult, post } from './posting.ts'
import {
  deleteDelivery,
  deleteWebhook,
  failPending,
  lockDelivery,
  lockWebhook,
  stepDelivery,
  updateWebhook,
  type WebhookRecord,
} from './queries.ts'
import * as rules from './rules.ts'
import * as queries from './sending-queries.ts'
import { Turns } from './turns.ts'

type SendDependencies = Pick<Dependencies, 'db' | 'clock' | 'config' | 'outbox' | 'secretFor' | 'reach' | 'log'>
/** One that this process has leased. */
type Webhook = WebhookRecord & { leaseEndsAt: string }
type Delivery = NonNullable<Awaited<ReturnType<typeof queries.findDueDelivery>>>

/** Webhooks of one account that are sent at once. */
const AT_ONCE_FOR_ONE = 2
/** A process that ends leaves its webhooks to others after this time. It covers what is sent in `TURN_MILLISECONDS` and one attempt. */
const LEASE_SECONDS = 60
const TURN_MILLISECONDS = 30_000

const now = ({ clock }: Pick<SendDependencies, 'clock'>) => timestamp(clock.now())
const dueAt = (moment: string): queries.DueTime => ({
  now: moment,
  latest: latest(moment, rules.MAX_PAUSE_SECONDS * 2),
})

/** Sends webhooks of all processes' events, as long as any is due. */
export class WebhookSender {
  readonly #sending: SendDependencies
  readonly #workers = new Set<Promise<void>>()
  readonly #turns = new Turns()
  /** The number of requests to send: a worker that found nothing looks again if it has grown since. */
  #asked = 0

  constructor(sending: SendDependencies) {
    this.#sending = sending
  }

  /** Starts sending what is due; resolves when that is done, and rejects when the database fails. */
  async send(): Promise<void> {
    this.#asked += 1
    if (this.#turns.hasSlot(this.#workers.size) && (await queries.isWaiting(this.#sending.db))) {
      while (this.#turns.hasSlot(this.#workers.size)) this.#start()
    }
    // Others are started while an address is slow. All have ended when this rejects: the database may be closed then.
    const failures: unknown[] = []
    while (this.#workers.size > 0) {
      for (const end of await Promise.allSettled(this.#workers))
        if (end.status === 'rejected') failures.push(end.reason)
    }
    if (failures.length > 0) throw failures[0]
  }

  #start(): void {
    const worker = this.#work().finally(() => this.#workers.delete(worker))
    // One that begins while others are waited for may fail before it is waited for: what fails is the database, for the next call too.
    worker.catch(() => undefined)
    this.#workers.add(worker)
  }

  async #work(): Promise<void> {
    for (;;) {
      const asked = this.#asked
      const moment = now(this.#sending)
      const leaseEndsAt = after(moment, LEASE_SECONDS)
      const webhook = await queries.takeDue(
        this.#sending.db,
        { ...dueAt(moment), atOnce: AT_ONCE_FOR_ONE, turns: this.#turns },
        leaseEndsAt,
      )
      if (webhook) await this.#serve({ ...webhook, leaseEndsAt })
      else if (asked === this.#asked) return
    }
  }

  /** Sends what is due for a webhook, until its address fails or is slow, or the turn is over. */
  async #serve(webhook: Webhook): Promise<void> {
    const { db } = this.#sending
    const started = performance.now()
    const startAnother = () => this.#turns.hasSlot(this.#workers.size) && this.#start()
    try {
      let mayGoOn = true
      while (mayGoOn && performance.now() - started < TURN_MILLISECONDS) {
        const delivery = await queries.findDueDelivery(db, webhook.id, dueAt(now(this.#sending)))
        if (!delivery) break
        const send = async () => {
          mayGoOn = await attempt(this.#sending, webhook, delivery)
        }
        if (await this.#turns.attempt(webhook.url, send, startAnother)) break
      }
    } finally {
      this.#turns.end(webhook)
      await db.transaction().execute((transaction) => queries.release(transaction, webhook.id, webhook.leaseEndsAt))
    }
  }
}

/** Sends a delivery once; returns whether the next one may be sent. */
async function attempt(sending: SendDependencies, webhook: Webhook, delivery: Delivery): Promise<boolean> {
  const { db } = sending
  const attemptedAt = now(sending)
  const message = await messageOf(sending, { webhook, delivery }, attemptedAt)
  if (message === 'ended') return endSubscription(sending, webhook, attemptedAt)
  if (message === 'gone') {
    await db.transaction().execute(async (transaction) => {
      if (!(await setAsideOfBlocked(transaction, delivery.id))) await deleteDelivery(transaction, delivery.id)
    })
    return true
  }
  const started = performance.now()
  const received = await post(sending, webhook, { message, attemptedAt })
  const durationMilliseconds = Math.round(performance.now() - started)
  const made = { ...received, attemptedAt, durationMilliseconds }
  return db.transaction().execute((transaction) => note(sending, transaction, { webhook, delivery, made }))
}

/** Tells the receiver that its agent may hear of nothing any more, and removes the subscription, whether it was heard or not. */
async function endSubscription(sending: SendDependencies, webhook: Webhook, attemptedAt: string): Promise<boolean> {
  await post(sending, webhook, { message: endOfSubscription(webhook), attemptedAt })
  await sending.db.transaction().execute((transaction) => deleteWebhook(transaction, webhook.id))
  return false
}

interface AttemptRecord {
  webhook: WebhookRecord
  delivery: Delivery
  made: AttemptResult & { attemptedAt: string; durationMilliseconds: number }
}

/** Stores the result of an attempt with the delivery and its webhook; returns whether the next delivery may be sent. */
async function note(
  sending: SendDependencies,
  db: Transaction,
  { webhook: { id }, delivery, made }: AttemptRecord,
): Promise<boolean> {
  // Both may be gone since, or changed by their owner.
  const webhook = await lockWebhook(db, id)
  const current = webhook && (await lockDelivery(db, { id: delivery.id, webhookId: id }))
  if (!webhook || !current) return webhook !== undefined
  const { attemptedAt, durationMilliseconds, status, response, error } = made
  const attempts = current.attempts + 1
  const firstAttemptAt = current.firstAttemptAt ?? attemptedAt
  const moment = now(sending)
  const isDelivered = rules.isDelivered(made)
  const asked = { now: moment, attempts, firstAttemptAt, random: Math.random() }
  const next = isDelivered || made.isFinal ? undefined : rules.nextAttempt(made, asked)
  const to = isDelivered ? 'delivered' : next ? 'pending' : 'failed'
  const last = { attemptedAt, durationMilliseconds, status, response, error }
  const tried = { ...last, attempts, firstAttemptAt, nextAttemptAt: next ?? null }
  if (!(await stepDelivery(db, { id: delivery.id, from: 'pending', to }, tried))) return true
  await queries.deleteOldDeliveries(db, id, rules.MAX_LOGGED)
  if (isDelivered) {
    await updateWebhook(db, id, { failingSince: null, failures: 0, pausedUntil: '' })
    return true
  }
  if (made.isFinal) return true
  return noteFailure(sending, db, { webhook, made, moment })
}

async function noteFailure(
  sending: SendDependencies,
  db: Transaction,
  { webhook, made, moment }: Pick<AttemptRecord, 'webhook' | 'made'> & { moment: string },
): Promise<boolean> {
  const { id, failures, disabledAt } = webhook
  const failingSince = webhook.failingSince ?? moment
  const isFailing = after(failingSince, rules.FAILING_SECONDS) <= moment
  // A subscription ends by itself.
  if (webhook.subscriptionId === null && disabledAt === null && (rules.isGone(made) || isFailing)) {
    await disable(sending, db, { webhook, reason: rules.isGone(made) ? 'gone' : 'failing', moment })
    return false
  }
  if (!rules.isAway(made)) {
    await updateWebhook(db, id, { failingSince, failures: 0, pausedUntil: '' })
    return true
  }
  const rest = Math.max(rules.restSeconds(failures + 1, Math.random()), made.retryAfterSeconds)
  const pausedUntil = rest > 0 ? after(moment, rest) : ''
  await updateWebhook(db, id, { failingSince, failures: failures + 1, pausedUntil })
  return rest === 0
}

async function disable(
  { outbox, config: { baseUrl } }: SendDependencies,
  db: Transaction,
  { webhook, reason, moment }: { webhook: WebhookRecord; reason: 'failing' | 'gone'; moment: string },
): Promise<void> {
  const { id, url, itemId, ownerId } = webhook
  await updateWebhook(db, id, { disabledAt: moment, disabledReason: reason, dueAt: null })
  await failPending(db, id, 'The webhook was disabled')
  const recipient = await findMailbox(db, ownerId, 'notices')
  const path = itemId ? `/settings/webhooks/${id}` : `/admin/webhooks/${id}`
  if (recipient) await outbox.enqueue(db, { recipient, ...disabledLetter({ baseUrl, path, url, reason }) })
}

interface DisabledLetterParams {
  baseUrl: string
  /** Where the site shows it. */
  path: string
  url: string
  reason: 'failing' | 'gone'
}

export const disabledLetter = ({ baseUrl, path, url, reason }: DisabledLetterParams): Letter =>
  letter((t) => ({
    subject: t('mails.webhook.subject'),
    body: t('mails.webhook.body', {
      baseUrl,
      path,
      url: quotedLines(oneLine(url)),
      cause: t(`mails.webhook.${reason}`),
    }),
  }))
