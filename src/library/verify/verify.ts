// `npm run admin -- verify`: reads every stored file again and compares it with its hash. Changes nothing.
import type { Readable } from 'node:stream'
import type { Config } from '../../config.ts'
import { openDatabase } from '../../database/open.ts'
import type { Db } from '../../database/schema.ts'
import { BlobError, type Blobs, openBlobs } from '../../platform/blobs.ts'
import { listArtifacts, listUses } from '../items/items.ts'

const ARTIFACTS_AT_ONCE = 500

/** Something is wrong with a stored file; a sentence for the operator. */
export type Complain = (sentence: string) => void

export interface Verified {
  /** Files that were read and found to be right. */
  sound: number
  damaged: number
  missing: number
}

/** Opens the stores, says what is wrong with them and gives the exit code: 1 when anything is. */
export async function verify({ databaseUrl, blobUrl }: Config): Promise<number> {
  const { db } = await openDatabase(databaseUrl)
  const blobs = await openBlobs(blobUrl)
  try {
    const { sound, damaged, missing } = await verifyFiles(db, blobs, console.error)
    console.log(`${sound} files are sound, ${damaged} damaged, ${missing} missing.`)
    return damaged + missing === 0 ? 0 : 1
  } finally {
    blobs.close()
    await db.destroy()
  }
}

/** Reads everything that is stored, and looks for everything that should be. */
export async function verifyFiles(db: Db, blobs: Blobs, complain: Complain): Promise<Verified> {
  const result: Verified = { sound: 0, damaged: 0, missing: 0 }
  for await (const { sha256 } of blobs.artifacts.list()) {
    const state = await stateOf(() => blobs.artifacts.read(sha256))
    if (state === 'sound') result.sound++
    else if (state === 'damaged') {
      result.damaged++
      complain(`Artifact ${sha256} is damaged: ${await usesOf(db, sha256)}`)
    }
  }
  for await (const { key } of blobs.objects.list()) {
    // An object has no hash to compare with: that it can be read whole is what can be said.
    if (await blobs.objects.get(key)) result.sound++
  }
  for await (const sha256 of referredTo(db)) {
    if (await blobs.artifacts.stat(sha256)) continue
    result.missing++
    complain(`Artifact ${sha256} is missing: ${await usesOf(db, sha256)}`)
  }
  return result
}

/** Reads a file to its end. What went away while others were read is not missed here. */
async function stateOf(open: () => Promise<Readable | undefined>): Promise<'sound' | 'damaged' | 'gone'> {
  try {
    const stream = await open()
    if (!stream) return 'gone'
    for await (const _ of stream);
    return 'sound'
  } catch (error) {
    if (error instanceof BlobError && error.code === 'corrupt') return 'damaged'
    throw error
  }
}

async function* referredTo(db: Db): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const page = await listArtifacts(db, after, ARTIFACTS_AT_ONCE)
    for (const { sha256 } of page) yield sha256
    if (page.length < ARTIFACTS_AT_ONCE) return
    after = page.at(-1)!.sha256
  }
}

async function usesOf(db: Db, sha256: string): Promise<string> {
  const uses = await listUses(db, sha256)
  if (uses.length === 0) return 'nothing refers to it'
  return uses.map(({ kind, slug, version }) => `${kind} ${slug} ${version}`).join(', ')
}
