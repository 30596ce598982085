// Mails about notifications, at once and in digests. A mail is put into the outbox in the transaction that marks what it tells, so it is
// written once. At once means at most every twelve minutes: what happens in between comes in one mail.
import { countTry } from '../../budgets/budgets.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import { findMailbox } from '../../identity/account-queries.ts'
import { type MailThread, threadOf } from '../../mail/mail.ts'
import { replyAddress } from '../../mail/signed-address.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import { type HeadsOf, type LetterEntry, noticeLetter, unsubscribeToken } from './letters.ts'
import * as queries from './mailing-queries.ts'
import { boardsShown } from './queries.ts'
import { inboxOfAccount, isReaderNow } from './reading.ts'
import { currentPeriod, PAUSE_SECONDS } from './rules.ts'

interface MailDependencies extends Pick<Dependencies, 'db' | 'clock' | 'outbox' | 'config' | 'secretFor'> {
  headsOf: HeadsOf
  /** The types of what can be commented on. */
  commentables?: readonly { type: string }[]
}

const ACCOUNTS_AT_ONCE = 50
/** A longer mail names the number of the others. */
const LISTED = 30

/** Writes mails that are due, for some accounts. Gives whether it wrote any. */
export async function mailBatch(sending: MailDependencies): Promise<boolean> {
  const now = timestamp(sending.clock.now())
  let written = 0
  for (const waiting of await queries.listWaiting(sending.db, queries.dueAt(now), ACCOUNTS_AT_ONCE)) {
    if (await mail(sending, waiting, now)) written++
  }
  return written > 0
}

/** Gives whether anything was done: not while another process does it, or when there were too many mails. */
async function mail(sending: MailDependencies, waiting: queries.DueMail, now: string): Promise<boolean> {
  try {
    return await sending.db.transaction().execute(async (transaction) => {
      if (!(await queries.takeInbox(transaction, waiting.userId))) return false
      await write(sending, transaction, { waiting, now })
      await queries.clearMailing(transaction, waiting, queries.dueAt(now))
      return true
    })
  } catch (error) {
    if (error instanceof Problem && error.code === 'rate_limited') return false
    throw error
  }
}

/** Counts a mail that comes by itself, under what all may be; throws `rate_limited`. */
export async function countNotice(
  { config }: Pick<Dependencies, 'config'>,
  db: Transaction,
  now: string,
): Promise<void> {
  for (const { count: tries, windowSeconds } of config.rateLimits ? config.budgets.mails.all : []) {
    await countTry(db, { key: `notices:all:${windowSeconds}`, limit: { tries, windowSeconds }, now })
  }
}

async function write(
  sending: MailDependencies,
  db: Transaction,
  { waiting, now }: { waiting: queries.DueMail; now: string },
): Promise<void> {
  const { outbox, config, secretFor, headsOf } = sending
  const { mailing, userId } = waiting
  const { told: due, total } = await queries.findDue(db, waiting, {
    ...queries.dueAt(now),
    limit: LISTED,
    off: partsOff(config),
    boards: await boardsShown(db, inboxOfAccount({ db, config }, userId)),
  })
  const recipient = await findMailbox(db, userId, 'notifications')
  if (!recipient || total === 0 || !(await isReaderNow({ db, config }, userId))) return
  await countNotice(sending, db, now)
  const ids = due.filter(({ kind }) => kind === 'approval').map(({ targetId }) => targetId)
  const heads = ids.length > 0 ? await headsOf(db, { userId, ids }) : undefined
  const told = due.map((one): LetterEntry => ({ ...one, act: heads?.get(one.targetId) }))
  const { baseUrl } = config
  const unsubscribeUrl = `${baseUrl}/unsubscribe?token=${await unsubscribeToken(secretFor, mailing, userId)}`
  const replyTo = total > due.length ? undefined : await answeredAt(sending, { userId, due, now })
  await outbox.enqueue(db, {
    ...{ recipient, unsubscribeUrl, replyTo, thread: onlyThreadOf(due) },
    ...noticeLetter({ mailing, told, total, baseUrl, unsubscribeUrl, replyTo }),
  })
  await queries.updateMailed(db, waiting, mailing === 'mail' ? after(now, PAUSE_SECONDS) : currentPeriod(now, mailing))
}

/** How long a mail can be answered. */
const ANSWERED_SECONDS = 30 * 86_400

type Due = Pick<Awaited<ReturnType<typeof queries.findDue>>['told'][number], 'eventId' | 'targetType' | 'targetId'>

/** The one thing that a mail is about; undefined where there are several. */
function onlyThreadOf(due: readonly Due[]): MailThread | undefined {
  const [first] = due
  const isAlone = first && due.every(({ targetId }) => targetId === first.targetId)
  return isAlone ? threadOf(first) : undefined
}

/** Where a mail is answered that is about one thing: the newest of what it tells. None where the operator takes no mail. */
async function answeredAt(
  { config, secretFor, commentables = [] }: MailDependencies,
  { userId, due, now }: { userId: string; due: readonly Due[]; now: string },
): Promise<string | undefined> {
  const { replyDomain } = config
  const newest = due.at(-1)
  if (replyDomain === undefined || !newest || !onlyThreadOf(due)) return undefined
  if (!commentables.some(({ type }) => type === newest.targetType)) return undefined
  return replyAddress(secretFor, replyDomain, { userId, eventId: newest.eventId, until: after(now, ANSWERED_SECONDS) })
}
