// How deletions of accounts are stored that were asked for.
import { type Bind, prepared } from '../database/prepared.ts'
import { inTransaction, plain } from '../database/rows.ts'
import type { Db } from '../database/schema.ts'

const columns = ['content', 'requestedBy', 'reason', 'requestedAt', 'eraseAt', 'step'] as const
export const findDeletion = plain.selectFrom('accountDeletion', 'userId', columns)

/** The same, locked until the transaction ends. The account is locked before. */
export const lockDeletion = inTransaction.selectForUpdate('accountDeletion', 'userId', ['requestedBy', 'step'])
export const insertDeletion = inTransaction.insertInto('accountDeletion')
export const deleteDeletion = inTransaction.deleteFrom('accountDeletion', 'userId')

const due = prepared((db, given: Bind<{ due: string; limit: number }>) =>
  db
    .selectFrom('accountDeletion')
    .select(['userId as key', 'eraseAt as since'])
    .where('eraseAt', '<=', given('due'))
    .orderBy('eraseAt')
    .orderBy('userId')
    .limit(given('limit')),
)

/** Accounts that are to be erased by a moment, the longest waiting first. */
export const listDue = async (db: Db, options: { due: string; limit: number }) => (await due(db, options)).rows

/** What an erasure has to know of its account. */
export function findErased(db: Db, userId: string) {
  return db
    .selectFrom('accountDeletion')
    .innerJoin('user', 'user.id', 'accountDeletion.userId')
    .select(['user.id', 'user.email', 'accountDeletion.content'])
    .where('userId', '=', userId)
    .executeTakeFirst()
}

export const updateDeletion = plain.updateTable('accountDeletion', 'userId')
