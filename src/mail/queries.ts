// The mail outbox, in the same database as the rows that cause the mail, and addresses to which no mail goes.
import { countChanged, locking } from '../database/engine.ts'
import { plain } from '../database/rows.ts'
import type { BounceTable, Db, Transaction } from '../database/schema.ts'
import type { Mail } from './mail.ts'

// Addresses to which mail does not come, or that do not want it.

const columns = ['id', 'email', 'kind', 'status', 'softCount', 'since', 'stoppedAt', 'updatedAt'] as const

/** Whether mails that come by themselves no longer go to an address. */
export async function isStopped(db: Db, email: string): Promise<boolean> {
  const found = db.selectFrom('bounce').select('id').where('email', '=', email).where('stoppedAt', 'is not', null)
  return (await found.executeTakeFirst()) !== undefined
}

/** What is known of an address, locked: it is made where nothing is. */
export async function lockBounce(db: Transaction, fresh: BounceTable): Promise<BounceTable> {
  await db
    .insertInto('bounce')
    .values(fresh)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute()
  return locking(db, db.selectFrom('bounce').select(columns).where('email', '=', fresh.email)).executeTakeFirstOrThrow()
}

export async function updateBounce(db: Transaction, { id, ...changes }: BounceTable): Promise<void> {
  await db.updateTable('bounce').set(changes).where('id', '=', id).execute()
}

const stopped = (db: Db) => db.selectFrom('bounce').where('stoppedAt', 'is not', null)

/** Addresses that are stopped, newest first. */
export const listStopped = (
  db: Db,
  { after, offset, limit }: { after?: string | undefined; offset: number; limit: number },
) =>
  stopped(db)
    .select(['id', 'email', 'kind', 'status', 'stoppedAt'])
    .$narrowType<{ stoppedAt: string }>()
    .$if(after !== undefined, (rows) => rows.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

/** Lets mail go to an address again; false where it did. */
export const deleteBounce = async (db: Transaction, id: string): Promise<boolean> =>
  (await countChanged(db.deleteFrom('bounce').where('id', '=', id))) > 0

export const findBounce = plain.selectFrom('bounce', 'email', columns)

/** Forgets an address whose account is erased. */
export const deleteBounceOf = plain.deleteCounted('bounce', 'email')

type NewMail = Omit<Mail, 'body'> & { body: string | null; sentAt: string | null }

interface Due {
  now: string
  latest: string
}

export async function insertMail(db: Db, mail: NewMail, now: string): Promise<void> {
  await db
    .insertInto('outbox')
    .values({ ...mail, createdAt: now, attempts: 0, nextAttemptAt: now })
    .execute()
}

/** The language that the account of an address has chosen; null without one, and undefined without an account. */
export async function findLanguage(db: Db, email: string): Promise<string | null | undefined> {
  const account = await db.selectFrom('user').select('language').where('email', '=', email).executeTakeFirst()
  return account?.language
}

/** To whom a mail went; undefined once it is forgotten. */
export async function findRecipient(db: Db, id: string): Promise<string | undefined> {
  const mail = await db.selectFrom('outbox').select('recipient').where('id', '=', id).executeTakeFirst()
  return mail?.recipient
}

/** Some mails to an address, sent or not. */
export const deleteMailsTo = plain.deleteSome('outbox', 'recipient')

/** Due, or put off for longer than mail ever is. */
const dueMail = (db: Db, { now, latest }: Due) =>
  db
    .selectFrom('outbox')
    .select(['id', 'recipient', 'subject', 'body', 'createdAt', 'attempts', 'unsubscribeUrl', 'replyTo'])
    .where('sentAt', 'is', null)
    .where((e) => e.or([e('nextAttemptAt', '<=', now), e('nextAttemptAt', '>', latest)]))
    .orderBy('nextAttemptAt')
    .limit(1)

/** Takes a mail that is due, hidden from other processes until `leaseEndsAt`; undefined when none is. */
export async function takeDueMail(db: Db, due: Due, leaseEndsAt: string) {
  // Looked up without a transaction first: an empty outbox takes no lock.
  if (!(await dueMail(db, due).executeTakeFirst())) return undefined
  return db.transaction().execute(async (transaction) => {
    const mail = await locking(transaction, dueMail(transaction, due)).executeTakeFirst()
    if (!mail || mail.body === null) return undefined
    const attempts = mail.attempts + 1
    await transaction
      .updateTable('outbox')
      .set({ attempts, nextAttemptAt: leaseEndsAt })
      .where('id', '=', mail.id)
      .execute()
    return { ...mail, body: mail.body, attempts }
  })
}

/** Marks the mail as sent, and deletes its text. */
export async function updateMailSent(db: Db, id: string, now: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ body: null, unsubscribeUrl: null, replyTo: null, sentAt: now })
    .where('id', '=', id)
    .execute()
}

export async function updateMailRetry(db: Db, id: string, nextAttemptAt: string): Promise<void> {
  await db.updateTable('outbox').set({ nextAttemptAt }).where('id', '=', id).execute()
}

/** Deletes a mail that cannot be sent, and its text. */
export const deleteMail = plain.deleteFrom('outbox', 'id')
