// The log of what is public in the library: what other folders use of it.
import type { Transaction } from '../database/schema.ts'
import { factsOf, type LogEntry } from './entries.ts'
import { insertEntry } from './queries.ts'

/**
 * Adds an entry to the log in the transaction of what it tells of. The transaction holds the lock of the item, so that entries of one
 * item are in the order of what happened. It takes no lock, and waits for no other entry.
 */
export async function appendLog(db: Transaction, entry: LogEntry): Promise<void> {
  const { type, item } = entry
  await insertEntry(db, {
    type,
    itemId: item,
    version: 'version' in entry ? entry.version : null,
    text: factsOf(entry),
  })
}
