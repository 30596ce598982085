// Removes objects without a row: those of an upload that crashed between its bytes and its rows. An object that was stored within the
// last day is kept, because its row may follow.
import type { Db } from '../database/schema.ts'
import type { Log } from '../runtime/log.ts'
import { removeUnnamed } from './blob-lifecycle.ts'
import type { Blobs } from './blobs.ts'

const DAY_MILLISECONDS = 24 * 3600 * 1000
const BATCH = 100

/** Returns the names that have a row. */
export type FindNames = (db: Db, names: readonly string[]) => Promise<ReadonlySet<string>>

/** Removes objects without a row in these folders, and leaves other folders alone; returns their number. */
export async function sweepObjects(
  { db, blobs, log }: { db: Db; blobs: Blobs; log: Log },
  now: Date,
  folders: Readonly<Record<string, FindNames>>,
): Promise<number> {
  const olderThan = new Date(now.getTime() - DAY_MILLISECONDS)
  let removed = 0
  for (const [folder, named] of Object.entries(folders)) {
    for await (const names of oldNames(blobs.objects, folder, olderThan)) {
      const kept = await named(db, names)
      for (const name of names) {
        if (kept.has(name)) continue
        const key = `${folder}/${name}`
        const isNamed = async (db: Db) => (await named(db, [name])).has(name)
        const remove = () => removeOld(blobs.objects, key, olderThan)
        if (await removeUnnamed(db, key, { isNamed, remove })) removed++
      }
    }
  }
  if (removed > 0) log.info({ removed }, 'swept objects that no row names')
  return removed
}

/** A key that is used again (an avatar's) may have been written since it was listed. */
async function removeOld(objects: Blobs['objects'], key: string, olderThan: Date): Promise<boolean> {
  const found = await objects.get(key)
  if (!found || found.modified >= olderThan) return false
  await objects.delete(key)
  return true
}

async function* oldNames(objects: Blobs['objects'], folder: string, olderThan: Date): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const { key, modified } of objects.list(folder)) {
    if (modified >= olderThan) continue
    batch.push(key.slice(folder.length + 1))
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
