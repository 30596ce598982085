// Reads every stored file and compares it with the hash of its row, or of its name.
import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Db } from '../database/schema.ts'
import {
  type Described,
  describe,
  type Folder,
  findDescribed,
  listDescribed,
  objectFolders,
} from '../database/stored.ts'
import { listArtifacts, listUses } from '../library/library.ts'
import { required } from '../runtime/untyped.ts'
import { BlobError, type Blobs } from '../storage/blobs.ts'

const ROWS_AT_ONCE = 500

/** Something is wrong; a sentence for the operator. */
export type Complain = (sentence: string) => void

export interface Verified {
  /** Files that were read and found to be right. */
  sound: number
  damaged: number
  missing: number
  /** Older files without a hash, which were hashed now. */
  hashed: number
}

/** Reads everything that is stored, and looks for everything that should be. */
export async function verifyFiles(db: Db, blobs: Blobs, complain: Complain): Promise<Verified> {
  const result: Verified = { sound: 0, damaged: 0, missing: 0, hashed: 0 }
  await verifyArtifacts(db, blobs, { result, complain })
  for (const folder of objectFolders) {
    for await (const described of rowsOf(
      (after) => listDescribed(db, folder, { after, limit: ROWS_AT_ONCE }),
      ({ name }) => name,
    )) {
      await verifyObject(db, blobs, { folder, described, result, complain })
    }
  }
  return result
}

interface Report {
  result: Verified
  complain: Complain
}

async function verifyArtifacts(db: Db, blobs: Blobs, { result, complain }: Report): Promise<void> {
  for await (const { sha256 } of blobs.artifacts.list()) {
    const state = await stateOf(() => blobs.artifacts.read(sha256))
    if (state === 'sound') result.sound++
    else if (state === 'damaged') {
      result.damaged++
      complain(`Artifact ${sha256} is damaged: ${await usesOf(db, sha256)}`)
    }
  }
  for await (const { sha256 } of rowsOf(
    (after) => listArtifacts(db, after, ROWS_AT_ONCE),
    (row) => row.sha256,
  )) {
    if (await blobs.artifacts.stat(sha256)) continue
    result.missing++
    complain(`Artifact ${sha256} is missing: ${await usesOf(db, sha256)}`)
  }
}

interface Looked extends Report {
  folder: Folder
  described: Described
}

/** A run file or an image. A file that changed or was removed during the run is checked by its current row. */
async function verifyObject(db: Db, blobs: Blobs, { folder, described, result, complain }: Looked): Promise<void> {
  const key = `${folder}/${described.name}`
  let [state, sha256] = await compare(blobs, key, described)
  if (state !== 'sound') {
    const now = await findDescribed(db, folder, described.name)
    if (!now) return
    ;[state, sha256] = await compare(blobs, key, now)
  }
  result[state]++
  if (state !== 'sound') return complain(`${key} is ${state}`)
  if (described.sha256 !== null) return
  await describe(db, folder, { name: described.name, sha256 })
  result.hashed++
}

async function compare(
  { objects }: Blobs,
  key: string,
  { sha256, size }: Described,
): Promise<[state: 'sound' | 'damaged' | 'missing', sha256: string]> {
  const found = await objects.get(key)
  if (!found) return ['missing', '']
  const actual = hash('sha256', found.bytes)
  const isRight = (size === null || found.bytes.byteLength === size) && (sha256 === null || sha256 === actual)
  return [isRight ? 'sound' : 'damaged', actual]
}

/** Reads a file to its end. A file that was removed during the run is not an error here. */
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

/** All rows of a list that is read in pages. */
async function* rowsOf<Row>(
  page: (after: string) => Promise<Row[]>,
  nameOf: (row: Row) => string,
): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const rows = await page(after)
    yield* rows
    if (rows.length < ROWS_AT_ONCE) return
    after = nameOf(required(rows.at(-1)))
  }
}

async function usesOf(db: Db, sha256: string): Promise<string> {
  const uses = await listUses(db, sha256)
  if (uses.length === 0) return 'it is unreferenced'
  return uses.map(({ kind, slug, version }) => `${kind} ${slug} ${version}`).join(', ')
}
