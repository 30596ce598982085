// Reads every stored file and compares it with the hash of its row, or of its name.
import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Db } from '../database/schema.ts'
import { describe, findDescribed, listDescribed, type ObjectRow, objectFolders } from '../database/stored.ts'
import { listArtifacts, listUses } from '../library/library.ts'
import { allRows } from '../runtime/pages.ts'
import { BlobError, type Blobs, readHashedType } from '../storage/blobs.ts'
import { isArchive, listArchives } from './queries.ts'

/** Something is wrong; a sentence for the operator. */
export type Report = (sentence: string) => void

export interface FileCounts {
  /** Files that were read and found to be right. */
  sound: number
  damaged: number
  missing: number
  /** Older files without a hash, which were hashed now. */
  hashed: number
}

/** Reads everything that is stored, and looks for everything that should be. */
export async function verifyFiles(db: Db, blobs: Blobs, report: Report): Promise<FileCounts> {
  const result: FileCounts = { sound: 0, damaged: 0, missing: 0, hashed: 0 }
  const all = [storedArtifacts(db, blobs), missingArtifacts(db, blobs), missingArchives(db, blobs), objects(db, blobs)]
  for (const found of all) {
    for await (const { state, sentence, isHashed } of found) {
      result[state]++
      if (isHashed) result.hashed++
      if (state !== 'sound') report(sentence)
    }
  }
  return result
}

type State = 'sound' | 'damaged' | 'missing'

/** A file that was looked at, and the sentence for the operator if it is not sound. */
interface CheckedFile {
  state: State
  sentence: string
  isHashed?: boolean
}

async function* storedArtifacts(db: Db, blobs: Blobs): AsyncGenerator<CheckedFile> {
  for await (const { sha256 } of blobs.artifacts.list()) {
    const state = await stateOf(() => blobs.artifacts.read(sha256))
    const uses = state === 'damaged' ? await usesOf(db, sha256) : ''
    if (state !== 'gone') yield { state, sentence: `Artifact ${sha256} is damaged: ${uses}` }
  }
}

async function* missingArtifacts(db: Db, blobs: Blobs): AsyncGenerator<CheckedFile> {
  const rows = allRows(
    '',
    (after, limit) => listArtifacts(db, after, limit),
    (row) => row.sha256,
  )
  for await (const { sha256 } of rows) {
    if (await blobs.artifacts.stat(sha256)) continue
    yield { state: 'missing', sentence: `Artifact ${sha256} is missing: ${await usesOf(db, sha256)}` }
  }
}

/** Archives of exports. One that expired during the run is gone with its row. */
async function* missingArchives(db: Db, blobs: Blobs): AsyncGenerator<CheckedFile> {
  const rows = allRows(
    '',
    (after, limit) => listArchives(db, after, limit),
    (row) => row.sha256,
  )
  for await (const { sha256 } of rows) {
    if ((await blobs.artifacts.stat(sha256)) || !(await isArchive(db, sha256))) continue
    yield { state: 'missing', sentence: `Artifact ${sha256} is missing: the archive of an export` }
  }
}

/** Run files and images. A file that changed or was removed during the run is checked by its current row. */
async function* objects(db: Db, blobs: Blobs): AsyncGenerator<CheckedFile> {
  for (const folder of objectFolders) {
    const rows = allRows(
      '',
      (after, limit) => listDescribed(db, folder, { after, limit }),
      ({ name }) => name,
    )
    for await (const described of rows) {
      const { name } = described
      const key = `${folder}/${name}`
      let [state, sha256] = await compare(blobs, key, described)
      const now = state === 'sound' ? described : await findDescribed(db, folder, name)
      if (!now) continue
      if (state !== 'sound') [state, sha256] = await compare(blobs, key, now)
      const isHashed = state === 'sound' && described.sha256 === null
      if (isHashed) await describe(db, folder, { name, sha256 })
      yield { state, sentence: `${key} is ${state}`, isHashed }
    }
  }
}

async function compare({ objects }: Blobs, key: string, { sha256, size }: ObjectRow): Promise<[State, string]> {
  const found = await objects.get(key)
  if (!found) return ['missing', '']
  const actual = hash('sha256', found.bytes)
  if (actual === readHashedType(found.contentType).sha256) return ['sound', actual]
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

async function usesOf(db: Db, sha256: string): Promise<string> {
  const uses = await listUses(db, sha256)
  if (uses.length === 0 && (await isArchive(db, sha256))) return 'the archive of an export'
  if (uses.length === 0) return 'it is unreferenced'
  return uses.map(({ kind, slug, version }) => `${kind} ${slug} ${version}`).join(', ')
}
