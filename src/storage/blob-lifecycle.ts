// Bytes with a name that may be used again (a hash, an account's picture), and the rows that name them: bytes with a current or coming
// row are never removed. A bucket cannot delete on condition, and no transaction waits for a store. So a removal is noted in the
// database before the bytes go and after they are gone, and rows are added only if nothing was removed since the bytes were sent.
import { setTimeout } from 'node:timers/promises'
import { lockName } from '../database/engine.ts'
import type { BlobRemovalTable, Db, Transaction } from '../database/schema.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import { newId } from '../runtime/ids.ts'
import { BlobError, type Blobs, type StagedFile } from './blobs.ts'
import * as queries from './queries.ts'

/** Longer than a store takes to answer or to give up. A removal without an end by then is over: its process has stopped. */
const REMOVAL_MILLISECONDS = 300_000
/** How long an upload waits for the removal of the same bytes. */
const PATIENCE_MILLISECONDS = 10_000
const LOOK_MILLISECONDS = 50

/** Bytes on their way into a store. `keep` may be done again. */
export interface StoredName {
  name: string
  keep(): Promise<void>
}

/** A staged file as an artifact. */
export const artifact = ({ artifacts }: Blobs, staged: StagedFile): StoredName => ({
  name: staged.sha256,
  keep: () => artifacts.commit(staged),
})

/**
 * Stores the bytes, then adds the rows that name them. If a removal of the bytes began since, it may have taken them: they are stored
 * again when it is over, before any row names them. The notes work between processes on both engines.
 * @throws BlobError unavailable when a removal does not end
 */
export async function storeThenInsert<T>(
  db: Db,
  { name, keep }: StoredName,
  addRows: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const until = performance.now() + PATIENCE_MILLISECONDS
  for (let before = await queries.findRemoval(db, name); ; before = await lastRemoval(db, name, until)) {
    await keep()
    try {
      return await withLock(db, name, async (transaction) => {
        const removal = await queries.findRemoval(transaction, name)
        if (removal?.id !== before?.id || isUnderWay(removal)) throw new RemovalError()
        return await addRows(transaction)
      })
    } catch (error) {
      if (!(error instanceof RemovalError)) throw error
    }
  }
}

/** The transaction is undone, so that nothing waits for the bytes: they are stored again after it. */
class RemovalError extends Error {}

/** Removes bytes unless a row names them. From the look at the rows until the bytes are gone no row can be added. */
export async function removeUnnamed(
  db: Db,
  name: string,
  { isNamed, remove }: { isNamed(db: Db): Promise<boolean>; remove(): Promise<boolean> },
): Promise<boolean> {
  const removal = { name, id: newId(), startedAt: timestamp(systemClock.now()), endedAt: null }
  const isBegun = await withLock(db, name, async (transaction) => {
    if (isUnderWay(await queries.findRemoval(transaction, name)) || (await isNamed(transaction))) return false
    await queries.upsertRemoval(transaction, removal)
    return true
  })
  if (!isBegun) return false
  // After an error the request may still be on its way to the store: then the removal ends by time.
  const isRemoved = await remove()
  await queries.updateRemovalEnded(db, removal.id, timestamp(systemClock.now()))
  return isRemoved
}

/** A removal from the future was noted while a clock was wrong. */
function isUnderWay(removal: Omit<BlobRemovalTable, 'name'> | undefined): boolean {
  if (!removal || removal.endedAt !== null) return false
  return Math.abs(systemClock.now() - Date.parse(removal.startedAt)) < REMOVAL_MILLISECONDS
}

/** The last removal of the bytes, when it is over. */
async function lastRemoval(db: Db, name: string, until: number): Promise<Omit<BlobRemovalTable, 'name'> | undefined> {
  for (;;) {
    const removal = await queries.findRemoval(db, name)
    if (!isUnderWay(removal)) return removal
    if (performance.now() > until) throw new BlobError('unavailable', 'The removal of the same bytes does not end')
    await setTimeout(LOOK_MILLISECONDS)
  }
}

/** A named lock needs no row, and ends with its transaction. Taken before the lock of any row that others wait for. */
export const lockBytes = (db: Transaction, name: string): Promise<void> => lockName(db, `bytes ${name}`)

function withLock<T>(db: Db, name: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await lockBytes(transaction, name)
    return work(transaction)
  })
}
