// How people of other trackers who act for an account are stored, with the codes by which members prove to be them. Locks are taken in one
// order: account, person.
import { countChanged, locking } from '../database/engine.ts'
import { inTransaction, plain } from '../database/rows.ts'
import type { Db, TrackerAccountTable, Transaction } from '../database/schema.ts'
import { standing } from './account-queries.ts'

const columns = [
  ...(['userId', 'service', 'host', 'personId', 'login', 'codeHash', 'expiresAt'] as const),
  ...(['createdAt', 'linkedAt'] as const),
] as const

type Row = TrackerAccountTable
type Person = Pick<Row, 'host' | 'personId'>

/** What an account has, linked or waiting. */
export const listTrackerAccounts = (db: Db, userId: string): Promise<Row[]> =>
  db
    .selectFrom('trackerAccount')
    .select(columns)
    .where('userId', '=', userId)
    .where(standing('trackerAccount'))
    .orderBy('service')
    .execute()

/** For whom a person acts because they proved it; undefined for most. */
export const findProvenAccount = (db: Db, { host, personId }: Person): Promise<Pick<Row, 'userId'> | undefined> =>
  db
    .selectFrom('trackerAccount')
    .select('userId')
    .where((e) => e.and({ host, personId }))
    .where('linkedAt', 'is not', null)
    .where(standing('trackerAccount'))
    .executeTakeFirst()

/** Whose code it is, as long as it counts: for this person alone. */
export const findAsked = (
  db: Db,
  { codeHash, now, host, personId }: Person & { codeHash: string; now: string },
): Promise<Pick<Row, 'userId'> | undefined> =>
  db
    .selectFrom('trackerAccount')
    .select('userId')
    .where((e) => e.and({ codeHash, host, personId }))
    .where('expiresAt', '>', now)
    .where(standing('trackerAccount'))
    .executeTakeFirst()

/** The same, locked until the transaction ends. */
export const lockTrackerAccount = (
  db: Transaction,
  { userId, service }: Pick<Row, 'userId' | 'service'>,
): Promise<Row | undefined> =>
  locking(
    db,
    db
      .selectFrom('trackerAccount')
      .select(columns)
      .where((e) => e.and({ userId, service })),
  ).executeTakeFirst()

export const insertTrackerAccount = inTransaction.insertInto('trackerAccount')

/** Forgets what counts no more of an account or of a person there, as all sign-ins of its account ended since. */
export async function deleteEndedAccounts(db: Transaction, of: Pick<Row, 'userId'> | Person): Promise<void> {
  await db
    .deleteFrom('trackerAccount')
    .where((e) => e.and({ ...of }))
    .where((e) => e.not(standing('trackerAccount')))
    .execute()
}

/** Links the person, once: the code is gone then. */
export async function proveTrackerAccount(
  db: Transaction,
  { userId, service, login, linkedAt }: Pick<Row, 'userId' | 'service' | 'login'> & { linkedAt: string },
): Promise<void> {
  await db
    .updateTable('trackerAccount')
    .set({ login, linkedAt, codeHash: null, expiresAt: null })
    .where((e) => e.and({ userId, service }))
    .execute()
}

/** Forgets a link, or a code that waits; false where there was none. */
export const deleteTrackerAccount = async (
  db: Transaction,
  { userId, service }: Pick<Row, 'userId' | 'service'>,
): Promise<boolean> =>
  (await countChanged(db.deleteFrom('trackerAccount').where((e) => e.and({ userId, service })))) === 1

/** Returns how many there were. */
export const deleteTrackerAccountsOf = plain.deleteCounted('trackerAccount', 'userId')

/** Ends the link of a person. */
export async function deleteProvenAccount(db: Transaction, { host, personId }: Person): Promise<void> {
  await db
    .deleteFrom('trackerAccount')
    .where((e) => e.and({ host, personId }))
    .where('linkedAt', 'is not', null)
    .execute()
}
