// Bytes whose name may be used again (a hash, an account's picture), and the rows that name them. Whoever adds such a row and
// whoever removes bytes without one hold the same lock, so that nothing is removed that a row names or is about to name.
import { lockName } from '../database/engine.ts'
import type { Db, Transaction } from '../database/schema.ts'
import type { Blobs, Staged } from './blobs.ts'

/** Bytes on their way into a store. `keep` may be done again. */
export interface StoredName {
  name: string
  keep(): Promise<void>
  isKept(): Promise<boolean>
}

/** A staged file as an artifact. */
export const artifact = ({ artifacts }: Blobs, staged: Staged): StoredName => ({
  name: staged.sha256,
  keep: () => artifacts.commit(staged),
  isKept: async () => (await artifacts.stat(staged.sha256)) !== undefined,
})

/**
 * Keeps the bytes, then adds the rows that name them. A bucket cannot delete on condition, so a sweep that found the bytes old
 * may delete what was sent a moment ago. The long way of the bytes goes before the lock, and under it one question: were they
 * taken since? Then they are sent again, before anybody can see the rows. A lock by name that ends with its transaction needs
 * no table and nothing to tidy up after a crash, and holds between processes on either engine; on SQLite it is the transaction,
 * which therefore waits for the store's answer.
 */
export async function storeThenInsert<T>(
  db: Db,
  { name, keep, isKept }: StoredName,
  addRows: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  await keep()
  return withLock(db, name, async (transaction) => {
    if (!(await isKept())) await keep()
    return addRows(transaction)
  })
}

/** Removes bytes unless a row names them; asked again under the lock, where nobody can add one. Says whether it did. */
export function removeUnnamed(
  db: Db,
  name: string,
  { isNamed, remove }: { isNamed(db: Db): Promise<boolean>; remove(): Promise<boolean> },
): Promise<boolean> {
  return withLock(db, name, async (transaction) => !(await isNamed(transaction)) && remove())
}

/** The lock comes before any row's: who waits for it holds nothing that others wait for. */
function withLock<T>(db: Db, name: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await lockName(transaction, `bytes ${name}`)
    return work(transaction)
  })
}
