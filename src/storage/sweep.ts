// Removes unreferenced artifacts: those of an upload that crashed between its bytes and its rows, and deleted ones. An artifact that
// was stored within the last day is kept, because its rows may follow.
import { inBatches } from '../database/expiry.ts'
import type { Db } from '../database/schema.ts'
import { timestamp } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { removeUnnamed } from './blob-lifecycle.ts'
import type { Blobs } from './blobs.ts'
import { deleteNamedBeyond, deleteRemovalsBefore } from './queries.ts'

const DAY_MILLISECONDS = 24 * 3600 * 1000
/** A continuous backup that begins again after a pause reads on from the names that it knows. */
const KEPT_NAMES = 100_000

/** Whether an artifact is referenced. Every slice that stores artifacts has its own check. */
export type IsUsed = (db: Db, sha256: string) => Promise<boolean>

/** Removes unreferenced artifacts; returns their number. One that is published again during the sweep is kept (blob-lifecycle.ts). */
export async function sweepArtifacts(
  { db, blobs, log }: { db: Db; blobs: Blobs; log: Log },
  now: Date,
  users: readonly IsUsed[],
): Promise<number> {
  const olderThan = new Date(now.getTime() - DAY_MILLISECONDS)
  const unfinished = await blobs.sweep(now)
  let removed = 0
  for await (const { sha256, modified } of blobs.artifacts.list()) {
    if (modified >= olderThan || (await isUsed(db, sha256, users))) continue
    const isNamed = (db: Db) => isUsed(db, sha256, users)
    const remove = () => blobs.artifacts.delete(sha256, { olderThan })
    if (await removeUnnamed(db, sha256, { isNamed, remove })) removed++
  }
  await inBatches((limit) => deleteRemovalsBefore(db, timestamp(olderThan.getTime()), limit))
  await inBatches((limit) => deleteNamedBeyond(db, KEPT_NAMES, limit))
  if (removed + unfinished > 0) log.info({ removed, unfinished }, 'removed unreferenced files')
  return removed
}

async function isUsed(db: Db, sha256: string, users: readonly IsUsed[]): Promise<boolean> {
  for (const user of users) if (await user(db, sha256)) return true
  return false
}
