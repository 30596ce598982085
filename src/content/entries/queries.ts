// How the entries of the feed are written: one row for everything that shows.
import type { Insertable } from 'kysely'
import { pipeline } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { FeedEntryTable, Transaction } from '../../database/schema.ts'
import { additionTo } from '../counter-queries.ts'

export function insertEntry(db: Transaction, entry: Insertable<FeedEntryTable>): Promise<void> {
  return pipeline(db, db.insertInto('feedEntry').values(entry))
}

export const updateEntry = inTransaction.updateTable('feedEntry', 'id')

/** Adds to the counts of things, as far as the feed shows them. */
export const addToEntries = additionTo('feedEntry', { comments: true })

/** Whose an entry is, and of which type. The thing itself is locked. */
export function findAuthor(db: Transaction, id: string) {
  return db.selectFrom('feedEntry').select(['authorId', 'type', 'viaClientId']).where('id', '=', id).executeTakeFirst()
}

/** Removes an entry; gives whose it was and of which type, or undefined when there was none. */
export function deleteEntry(db: Transaction, id: string) {
  return db
    .deleteFrom('feedEntry')
    .where('id', '=', id)
    .returning(['authorId', 'type', 'viaClientId'])
    .executeTakeFirst()
}
