// Mailed codes: six digits, stored as a keyed hash, good once, for 10 minutes and 5 tries.
import { countMail, countOwnMail } from '../budgets/caused.ts'
import { Problem } from '../contract/problem.ts'
import type { Transaction } from '../database/schema.ts'
import type { Context, Dependencies } from '../request/handler.ts'
import { after, latest } from '../runtime/clock.ts'
import { codeHash, sameHash } from '../runtime/hash.ts'
import { newCode, newId } from '../runtime/ids.ts'
import { type EmailCode, insertCode, lockNewestCode, updateCode } from './account-queries.ts'
import { findKnownBrowser } from './browsers.ts'
import { limit } from './guesses.ts'
import { codeLetter } from './mails.ts'
import { CODE_FAILURES, CODE_SECONDS, limits } from './rules.ts'

interface MailedCode {
  purpose: EmailCode['purpose']
  email: string
  now: string
}

/**
 * Mails a code to an address, for any caller. It counts against the budget of mails. A browser that signed in to the account
 * before is counted apart, once the address is verified: others cannot keep its owner from a code.
 */
export async function mailCodeTo(context: Context, purpose: EmailCode['purpose'], email: string): Promise<void> {
  const { db, budget, now } = context
  const browser = await findKnownBrowser(context, email, { verified: true })
  if (browser) await limit(context, `code:${email}:browser:${browser}`, limits.codesByBrowser)
  await db.transaction().execute(async (transaction) => {
    const counted = browser ? countOwnMail(context, transaction) : countMail(context, transaction, email)
    budget.note(await counted)
    await mailCode(context, transaction, { purpose, email, now })
  })
}

/** Mails the code that verifies a new account, unless the mail budget is used up: then the owner requests one later. */
export async function mailFirstCode(context: Context, db: Transaction, email: string): Promise<void> {
  const counted = await countMail(context, db, email).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'rate_limited') return undefined
    throw error
  })
  if (counted) await mailCode(context, db, { purpose: 'verify-email', email, now: context.now })
}

/** Mails a new code; it replaces older ones of the same address and purpose. */
async function mailCode(
  { outbox, secretFor }: Pick<Dependencies, 'outbox' | 'secretFor'>,
  db: Transaction,
  { purpose, email, now }: MailedCode,
): Promise<void> {
  const code = newCode()
  await insertCode(db, {
    id: newId(),
    purpose,
    email,
    codeHash: codeHash(await secretFor('codes'), code, purpose, email),
    failures: 0,
    createdAt: now,
    expiresAt: after(now, CODE_SECONDS),
    usedAt: null,
  })
  await outbox.enqueue(db, { recipient: email, ...codeLetter(purpose, code) })
}

/**
 * Uses the code up, or counts the failure. The transaction must be committed either way. The account of the address, if there is
 * one, must be locked before: locks are taken in the order account, code.
 */
export async function takeCode(
  { secretFor }: Pick<Dependencies, 'secretFor'>,
  db: Transaction,
  { purpose, email, now, code }: MailedCode & { code: string },
): Promise<boolean> {
  const newest = await lockNewestCode(db, { purpose, email, latest: latest(now, CODE_SECONDS) })
  if (!newest || newest.usedAt || newest.expiresAt <= now || newest.failures >= CODE_FAILURES) return false
  const right = sameHash(newest.codeHash, codeHash(await secretFor('codes'), code, purpose, email))
  await updateCode(db, newest.id, right ? { usedAt: now } : { failures: newest.failures + 1 })
  return right
}
