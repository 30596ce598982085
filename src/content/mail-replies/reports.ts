// What mail servers say of mails that we sent: that one did not come (RFC 3464), or was not wanted (RFC 5965). It comes to the address of the envelope, which
// names the mail and is signed.

import type { Limit } from '../../budgets/budgets.ts'
import type { BounceTable, Transaction } from '../../database/schema.ts'
import { lockUser } from '../../identity/account-queries.ts'
import { type Answer, NO_MAILBOX } from '../../mail/incoming/listener.ts'
import { type Report, reportIn, type TakenMail } from '../../mail/incoming/reading.ts'
import { findRecipient, isStopped, lockBounce, updateBounce } from '../../mail/queries.ts'
import { partsOf, readBounceToken } from '../../mail/signed-address.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newId } from '../../runtime/ids.ts'
import { deleteDigestsTo } from '../guest-digest/guest-digest.ts'
import { answerTo, count } from './answers.ts'
import { insertSeen } from './queries.ts'

/** So many mails that did not come for a while, within a week of the first of them, count as one that never will. */
const SOFT_BOUNCES = 3
const WEEK_SECONDS = 7 * 86_400

/** Of one mail: servers repeat what they say. */
const OF_MAIL: Limit = { tries: 20, windowSeconds: 3_600 }

const TAKEN: Answer = { code: 250, text: '2.0.0 Noted' }

/** What is known of an address after a report. */
function changed(known: BounceTable, { kind, status }: Report, now: string): BounceTable {
  if (known.stoppedAt !== null) return known
  if (kind !== 'soft') return { ...known, kind, status, stoppedAt: now, updatedAt: now }
  const isOver = after(known.since, WEEK_SECONDS) <= now
  const softCount = isOver ? 1 : known.softCount + 1
  const stoppedAt = softCount >= SOFT_BOUNCES ? now : null
  return { ...known, kind, status, softCount, since: isOver ? now : known.since, stoppedAt, updatedAt: now }
}

/** Takes a report on one of our mails; one that says nothing is dropped. */
export async function takeReport(dependencies: Dependencies, mail: TakenMail): Promise<Answer> {
  const { clock } = dependencies
  const now = timestamp(clock.now())
  try {
    return await note(dependencies, mail, now)
  } catch (error) {
    return answerTo(error)
  }
}

/** Nothing is kept of an address without an account: its digests end. */
async function noteOfGuest(db: Transaction, email: string, { kind }: Report): Promise<void> {
  if (kind !== 'soft') await deleteDigestsTo(db, email)
}

async function note(dependencies: Dependencies, mail: TakenMail, now: string): Promise<Answer> {
  const { db, secretFor, log } = dependencies
  const mailId = await readBounceToken(secretFor, partsOf(mail.recipient)?.token ?? '')
  if (mailId === undefined) return NO_MAILBOX
  await count(dependencies, { key: `mail report ${mailId}`, limit: OF_MAIL, now })
  const email = await findRecipient(db, mailId)
  const report = email === undefined ? undefined : await reportIn(mail.bytes, `mail ${mailId}`)
  if (!report || email === undefined) return TAKEN
  await db.transaction().execute(async (transaction) => {
    // Locked, so that what is known of an address goes when the account changes it or is erased.
    if (!(await lockUser(transaction, { email }))) return noteOfGuest(transaction, email, report)
    // One mail counts once for each kind of report, however often a server repeats it.
    if (!(await insertSeen(transaction, sha256(['report', mailId, report.kind].join('\n')), now))) return
    const fresh = {
      ...{ id: newId(), email, kind: report.kind, status: null, softCount: 0 },
      since: now,
      updatedAt: now,
    }
    const known = await lockBounce(transaction, { ...fresh, stoppedAt: null })
    await updateBounce(transaction, changed(known, report, now))
  })
  if (await isStopped(db, email)) log.info({ mail: mailId, kind: report.kind, status: report.status }, 'mails stopped')
  return TAKEN
}
