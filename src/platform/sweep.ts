// Takes away stored bytes that belong to nobody: what a crash left between the store and the database, and artifacts whose
// last row is gone. Only what is older than a day, so that nothing is taken that is being named just now.
import type { Blobs } from './blobs.ts'

const DAY = 24 * 60 * 60 * 1000
const BATCH = 100

/** Says which of some names belong to somebody. */
export type Named = (names: readonly string[]) => Promise<ReadonlySet<string>>

export interface Belongings {
  artifacts: Named
  /** By folder; objects of other folders are left alone. */
  objects: Readonly<Record<string, Named>>
}

/** Removes what nobody names and has not been touched for a day before `now`; says how much. */
export async function sweepStored(blobs: Blobs, belongings: Belongings, now: Date): Promise<number> {
  const olderThan = new Date(now.getTime() - DAY)
  let swept = await sweepArtifacts(blobs, belongings.artifacts, olderThan)
  for (const [folder, named] of Object.entries(belongings.objects)) {
    swept += await sweepFolder(blobs, folder, named, olderThan)
  }
  return swept
}

async function sweepArtifacts({ artifacts }: Blobs, named: Named, olderThan: Date): Promise<number> {
  let swept = 0
  for await (const batch of old(artifacts.list(), olderThan)) {
    const names = batch.map(({ sha256 }) => sha256)
    const kept = await named(names)
    for (const sha256 of names) if (!kept.has(sha256) && (await artifacts.delete(sha256, { olderThan }))) swept++
  }
  return swept
}

async function sweepFolder({ objects }: Blobs, folder: string, named: Named, olderThan: Date): Promise<number> {
  let swept = 0
  for await (const batch of old(objects.list(folder), olderThan)) {
    const nameOf = (key: string) => key.slice(folder.length + 1)
    const kept = await named(batch.map(({ key }) => nameOf(key)))
    for (const { key } of batch) {
      if (kept.has(nameOf(key))) continue
      // A key that is used again (an avatar's) may have been written since it was listed.
      const found = await objects.get(key)
      if (!found || found.modified >= olderThan) continue
      await objects.delete(key)
      swept++
    }
  }
  return swept
}

async function* old<Entry extends { modified: Date }>(
  entries: AsyncIterable<Entry>,
  olderThan: Date,
): AsyncGenerator<Entry[]> {
  let batch: Entry[] = []
  for await (const entry of entries) {
    if (entry.modified >= olderThan) continue
    batch.push(entry)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
