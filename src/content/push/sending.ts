// Pushes what waits for a browser: one message at a time. No transaction waits for a push service. A process that ends after a message was taken
// sends it once more; its topic and its tag make one of both (RFC 8030, 5.4).
import { createHash } from 'node:crypto'
import { FALLBACK, isOffered } from '../../contract/languages.ts'
import { partsOff } from '../../contract/parts.ts'
import { isPrivate } from '../../core/readers.ts'
import type { Db } from '../../database/schema.ts'
import { deletePush, updatePush } from '../../identity/push-queries.ts'
import { mailWords } from '../../mail/words.ts'
import { publicInternet, sendGuarded } from '../../outgoing/guarded-request.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import { encrypt } from '../../runtime/push-encryption.ts'
import { sentenceOf } from '../notifications/letters.ts'
import { boardsShown } from '../notifications/queries.ts'
import { inboxOfAccount, isReaderNow } from '../notifications/reading.ts'
import { retryAfterOf } from '../webhooks/rules.ts'
import { authorizationFor } from './key.ts'
import * as queries from './queries.ts'
import * as rules from './rules.ts'
import { type BrowserAddress, keysOf, openAddress } from './subscription.ts'

type PushDependencies = Pick<Dependencies, 'db' | 'clock' | 'config' | 'secretFor' | 'reach'>
type Message = NonNullable<Awaited<ReturnType<typeof queries.findNext>>>

/** Pushes what waits longest for a browser. Gives whether there may be more to push now. */
export async function pushNext(pushing: PushDependencies, id: string): Promise<boolean> {
  const { db, config } = pushing
  const now = timestamp(pushing.clock.now())
  const message = await queries.findNext(db, id)
  if (!message) return false
  const reached = await queries.findReached(db, id)
  const address = reached && (await openAddress(pushing, reached.sealed))
  if (!address) return ended(db, id)
  const isDue = config.webPush && after(message.createdAt, rules.KEEP_SECONDS) > now
  const text = isDue ? await textFor(pushing, reached, message.eventId) : undefined
  if (!text) {
    await queries.deleteMessage(db, message)
    return true
  }
  return settle(db, { reached, message, now }, await send(pushing, address, text))
}

/** What the account may know of an event by now; undefined for nothing. */
async function textFor(
  { db, config }: PushDependencies,
  { userId, language }: queries.Reached,
  eventId: string,
): Promise<rules.PushText | undefined> {
  const boards = await boardsShown(db, inboxOfAccount({ db, config }, userId))
  const told = await queries.findTold(db, { userId, eventId, off: partsOff(config), boards })
  if (!told || !(await isReaderNow({ db, config }, userId))) return undefined
  const t = mailWords(isOffered(language, config.languages) ? language : FALLBACK, config)
  // What a private instance is about stays there, also on the screen of a phone that lies on a table.
  const [body, url] = isPrivate(config) ? [t('mails.push.waits'), '/notifications'] : [sentenceOf(t, told), told.url]
  return { title: config.name, body, url, tag: topicOf(eventId) }
}

/** At most 32 characters of base64url (RFC 8030, 5.4). */
const topicOf = (eventId: string): string => createHash('sha256').update(eventId).digest('base64url').slice(0, 32)

interface Answer {
  outcome: rules.Outcome
  retryAfterSeconds: number
}

async function send(pushing: PushDependencies, address: BrowserAddress, text: rules.PushText): Promise<Answer> {
  const url = new URL(address.endpoint)
  const headers = {
    Authorization: await authorizationFor(pushing, url),
    'Content-Encoding': 'aes128gcm',
    'Content-Type': 'application/octet-stream',
    TTL: String(rules.KEEP_SECONDS),
    Topic: text.tag,
    Urgency: 'high',
  }
  const body = encrypt(rules.payloadOf(text), keysOf(address))
  const limits = { timeoutMilliseconds: rules.TIMEOUT_MILLISECONDS, maxBytes: 0 }
  try {
    const reach = pushing.reach ?? publicInternet
    const answer = await sendGuarded(url, { method: 'POST', headers, body, ...limits }, reach)
    return {
      outcome: rules.outcomeOf(answer.status),
      retryAfterSeconds: retryAfterOf(answer.headers['retry-after']),
    }
  } catch {
    return { outcome: rules.outcomeOf(null), retryAfterSeconds: 0 }
  }
}

interface Sent {
  reached: queries.Reached
  message: Message
  now: string
}

/** Stores how the sending of a message ended. Gives whether the next one may be sent. */
async function settle(
  db: Db,
  { reached: { id, failures, failingSince }, message, now }: Sent,
  { outcome, retryAfterSeconds }: Answer,
): Promise<boolean> {
  if (outcome === 'ended') return ended(db, id)
  if (outcome === 'failed') {
    const since = failingSince ?? now
    if (after(since, rules.FAILING_SECONDS) <= now) return ended(db, id)
    const pause = Math.max(rules.pauseSeconds(failures + 1, Math.random()), retryAfterSeconds)
    const pausedUntil = after(now, Math.min(pause, rules.MAX_PAUSE_SECONDS * 2))
    await updatePush(db, id, { failures: failures + 1, failingSince: since, pausedUntil })
    return false
  }
  await db.transaction().execute(async (transaction) => {
    await queries.deleteMessage(transaction, message)
    const good = { failures: 0, failingSince: null, pausedUntil: '' }
    if (outcome === 'delivered') await updatePush(transaction, id, { ...good, deliveredAt: now })
  })
  return true
}

/** What waits for it goes with it. */
async function ended(db: Db, id: string): Promise<false> {
  await deletePush(db, id)
  return false
}
