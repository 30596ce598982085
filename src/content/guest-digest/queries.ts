// Digests of guests as they are stored: addresses of people without an account, and what each gets mails about.
import { sql } from 'kysely'
import { countRows, locksRows } from '../../database/engine.ts'
import { deleteUntil } from '../../database/expiry.ts'
import { plain } from '../../database/rows.ts'
import type { Db, GuestDigestTable, Transaction } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'
import type { DueTime } from '../notifications/mailing-queries.ts'
import { CONFIRM_SECONDS } from './rules.ts'

type NewDigest = Pick<GuestDigestTable, 'id' | 'email' | 'topic' | 'language' | 'createdAt'>

/** The digest of an address about a topic: a new one, or that which is there. One that was not confirmed begins again. */
export async function askDigest(db: Transaction, digest: NewDigest) {
  const { language, createdAt } = digest
  const confirmedAt = sql.ref('guestDigest.confirmedAt')
  /** What it has already stays once it is confirmed: anyone can ask. */
  const unlessConfirmed = <Value>(value: Value, own: 'language' | 'createdAt') =>
    sql<Value>`case when ${confirmedAt} is null then cast(${value} as text) else ${sql.ref(`guestDigest.${own}`)} end`
  return db
    .insertInto('guestDigest')
    .values({ ...digest, confirmedAt: null, toldUntil: null, dueAt: null })
    .onConflict((conflict) =>
      conflict.columns(['email', 'topic']).doUpdateSet({
        language: unlessConfirmed(language, 'language'),
        createdAt: unlessConfirmed(createdAt, 'createdAt'),
      }),
    )
    .returning(['id', 'confirmedAt'])
    .executeTakeFirstOrThrow()
}

export const countOf = (db: Db, email: string): Promise<number> =>
  countRows(db.selectFrom('guestDigest').where('email', '=', email))

export const countConfirmed = (db: Db): Promise<number> =>
  countRows(db.selectFrom('guestDigest').where('confirmedAt', 'is not', null))

export const findDigest = plain.selectFrom('guestDigest', 'id', ['id', 'topic', 'createdAt', 'confirmedAt'])
export const updateDigest = plain.updateTable('guestDigest', 'id')
export const deleteDigest = plain.deleteFrom('guestDigest', 'id')
export const deleteDigestsTo = plain.deleteFrom('guestDigest', 'email')

/** Those that were not confirmed in time. */
export const deleteUnconfirmed = (db: Db, now: string) =>
  deleteUntil(
    db,
    { table: 'guestDigest', key: 'id', since: 'createdAt', where: sql<boolean>`"confirmedAt" is null` },
    after(now, -CONFIRM_SECONDS),
  )

const isDue = ({ now, latest }: DueTime) => sql<boolean>`("dueAt" <= ${now} or "dueAt" > ${latest})`

/** Digests that are due, longest waiting first. */
export const listDue = (db: Db, when: DueTime, limit: number) =>
  db.selectFrom('guestDigest').select('id').where(isDue(when)).orderBy('dueAt').orderBy('id').limit(limit).execute()

/** One that is still due, locked; not while another process has it. */
export async function takeDue(db: Transaction, id: string, when: DueTime) {
  const one = db
    .selectFrom('guestDigest')
    .select(['id', 'email', 'topic', 'language', 'toldUntil'])
    .where('id', '=', id)
    .where(isDue(when))
  return (locksRows(db) ? one.forUpdate().skipLocked() : one).executeTakeFirst()
}
