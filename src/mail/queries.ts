// The mail outbox, in the same database as the rows that cause the mail.

import { locking } from '../database/engine.ts'
import { plain } from '../database/rows.ts'
import type { Db } from '../database/schema.ts'
import type { Mail } from './mail.ts'

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
