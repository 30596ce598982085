// Codes that prove a mailbox: mailed as six digits, kept as a hash, good once, for 10 minutes and 5 tries.
import { countMail } from '../budgets/caused.ts'
import type { Transaction } from '../database/schema.ts'
import type { Context } from '../handler.ts'
import { after, latest } from '../platform/clock.ts'
import { codeHash, sameHash } from '../platform/hash.ts'
import { newCode, newId } from '../platform/ids.ts'
import { type EmailCode, insertCode, lockNewestCode, updateCode } from './queries.ts'
import { CODE_FAILURES, CODE_SECONDS } from './rules.ts'

type Purpose = EmailCode['purpose']

const letters: Record<Purpose, { subject: string; lead: string }> = {
  'sign-in': { subject: 'Your sign-in code', lead: 'Type this code to sign in to Guildhall:' },
  'verify-email': { subject: 'Confirm your address', lead: 'Type this code to confirm your address at Guildhall:' },
  'reset-password': { subject: 'Your new password', lead: 'Type this code to choose a new password for Guildhall:' },
}

/** Mails a new code; it takes the place of any older one of the same address and purpose. */
export async function mailCode(context: Context, purpose: Purpose, email: string): Promise<void> {
  const { db, outbox, budget, now } = context
  const code = newCode()
  const { subject, lead } = letters[purpose]
  const body = `${lead}\n\n${code}\n\nIt is good for 10 minutes. If you did not ask for it, do nothing: nobody can use it without this mail.\n`
  await db.transaction().execute(async (transaction) => {
    budget.note(await countMail(context, transaction, email))
    await insertCode(transaction, {
      id: newId(),
      purpose,
      email,
      codeHash: codeHash(code, purpose, email),
      failures: 0,
      createdAt: now,
      expiresAt: after(now, CODE_SECONDS),
      usedAt: null,
    })
    await outbox.enqueue(transaction, { recipient: email, subject, body })
  })
}

/** Uses the code up, or counts the failure. The transaction must be committed either way. */
export async function takeCode(
  db: Transaction,
  purpose: Purpose,
  email: string,
  code: string,
  now: string,
): Promise<boolean> {
  const newest = await lockNewestCode(db, purpose, email, latest(now, CODE_SECONDS))
  if (!newest || newest.usedAt || newest.expiresAt <= now || newest.failures >= CODE_FAILURES) return false
  const right = sameHash(newest.codeHash, codeHash(code, purpose, email))
  await updateCode(db, newest.id, right ? { usedAt: now } : { failures: newest.failures + 1 })
  return right
}
