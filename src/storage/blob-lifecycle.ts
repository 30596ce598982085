// Bytes with a name that may be used again (a hash, an account's picture), and the rows that name them. Adding such a row and
// removing bytes without a row take the same lock, so that bytes with a current or coming row are never removed.
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
 * Stores the bytes, then adds the rows that name them. A bucket cannot delete on condition, so a sweep that found the bytes old may
 * delete them just after they were sent. The bytes are sent before the lock is taken, and under the lock only their existence is
 * checked: if they were removed in between, they are sent again before the rows are visible. A named lock that ends with its
 * transaction needs no table and no cleanup after a crash, and works between processes on both engines; on SQLite the transaction is
 * the lock, so it waits for the store's response.
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

/** Removes bytes unless a row names them; checked again under the lock, where no row can be added. Returns whether it did. */
export function removeUnnamed(
  db: Db,
  name: string,
  { isNamed, remove }: { isNamed(db: Db): Promise<boolean>; remove(): Promise<boolean> },
): Promise<boolean> {
  return withLock(db, name, async (transaction) => !(await isNamed(transaction)) && remove())
}

/** Taken before any row lock: a waiting transaction holds nothing that others wait for. */
function withLock<T>(db: Db, name: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await lockName(transaction, `bytes ${name}`)
    return work(transaction)
  })
}
