// Objects that no row names are removed: what was left when an upload crashed between its bytes and its rows. One that was
// stored within the day stays, because its row may be about to come.
import type { Db } from '../database/schema.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { removeUnnamed } from './blob-lifecycle.ts'
import type { Blobs } from './blobs.ts'

const DAY_MILLISECONDS = 24 * 3600 * 1000
const BATCH = 100

/** Says which of some names a row has. */
export type Named = (db: Db, names: readonly string[]) => Promise<ReadonlySet<string>>

/** Removes what is left over in these folders, and leaves others alone; says how many objects that were. */
export async function sweepObjects(
  { db, blobs, clock, log }: { db: Db; blobs: Blobs; clock: Clock; log: Log },
  folders: Readonly<Record<string, Named>>,
): Promise<number> {
  const olderThan = new Date(clock.now() - DAY_MILLISECONDS)
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
