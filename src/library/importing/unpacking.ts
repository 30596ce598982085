// What an archive has for the library, read in a thread: the bounds of an archive count, and no path of it is ever one of this machine.
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ArchiveEntry, ArchiveFile } from '../../formats/archive-entry.ts'
import { FormatError } from '../../formats/format-error.ts'
import { convertN8n } from '../../formats/imports/n8n.ts'
import { SourceError, type SourceFile } from '../../formats/imports/record.ts'
import { SKILL_FILE } from '../../formats/kinds/skill/frontmatter.ts'
import { isHidden, packSkill, SKILL_DEPTH } from '../../formats/kinds/skill/packing.ts'
import { openArchive } from '../../formats/open-archive.ts'
import { type broughtFrom, MAX_BROUGHT } from './contract.ts'

/** Something that is to be an item, or the reason why it cannot be one. */
export type UnpackedItem = { file: string; hidden: number } & (
  | { kind: 'skill' | 'workflow'; bytes: Uint8Array }
  | { reason: string }
)

interface PackedUpload {
  /** Of the file on this machine. */
  path: string
  /** As its sender calls it. */
  name: string
  from: (typeof broughtFrom)[number]
}

/** The items of an upload, or why there are none. */
export async function unpackItems({ path, name, from }: PackedUpload): Promise<UnpackedItem[] | { refused: string }> {
  try {
    const found = from === 'skills' ? await skillsIn(path) : await workflowsIn(path, name)
    return found.length > MAX_BROUGHT ? { refused: `expected at most ${MAX_BROUGHT}, found ${found.length}` } : found
  } catch (error) {
    if (error instanceof FormatError) return { refused: error.message }
    throw error
  }
}

async function bytesOf(archive: ArchiveFile, entry: ArchiveEntry): Promise<Buffer> {
  const chunks: Buffer[] = []
  await archive.read(entry, (chunk) => void chunks.push(Buffer.from(chunk)))
  return Buffer.concat(chunks)
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
const isHiddenPath = (path: string) => path.split('/').some(isHidden)

/** Each folder with a SKILL.md; one in another is a part of that. */
async function skillsIn(path: string): Promise<UnpackedItem[]> {
  await using archive = await openArchive(path)
  const files = archive.entries.filter(({ isFolder }) => !isFolder)
  const marks = files.filter((entry) => entry.path.split('/').at(-1) === SKILL_FILE && !isHiddenPath(entry.path))
  const folders = marks.map((entry) => folderOf(entry.path))
  const outer = folders.filter(
    (folder) =>
      folder.split('/').length - 1 <= SKILL_DEPTH &&
      !folders.some((other) => other !== folder && folder.startsWith(other)),
  )
  if (outer.length > MAX_BROUGHT) throw new FormatError(`expected at most ${MAX_BROUGHT} skills`)
  const items: UnpackedItem[] = []
  for (const folder of outer.toSorted()) {
    const own = files.filter((entry) => entry.path.startsWith(folder))
    const seen = own.filter((entry) => !isHiddenPath(entry.path.slice(folder.length)))
    const packed = new Map<string, Uint8Array>()
    for (const entry of seen) packed.set(entry.path.slice(folder.length), await bytesOf(archive, entry))
    const hidden = own.length - seen.length
    items.push({ file: folder.slice(0, -1) || '.', hidden, kind: 'skill', bytes: packSkill(packed) })
  }
  return items
}

const isArchive = (bytes: Buffer) =>
  bytes.subarray(0, 2).toString('latin1') === 'PK' || bytes.readUInt16BE(0) === 0x1f8b

/** The workflows of each .json file of an archive, or of one such file. */
async function workflowsIn(path: string, name: string): Promise<UnpackedItem[]> {
  const whole = await readFile(path)
  if (whole.length < 2) throw new FormatError('expected an archive, or a file in JSON')
  if (!isArchive(whole)) return convert(fileOf(name, whole))
  await using archive = await openArchive(path)
  const items: UnpackedItem[] = []
  for (const entry of archive.entries) {
    if (entry.isFolder || !entry.path.endsWith('.json') || isHiddenPath(entry.path)) continue
    items.push(...(await convert(fileOf(entry.path, await bytesOf(archive, entry)))))
    if (items.length > MAX_BROUGHT) throw new FormatError(`expected at most ${MAX_BROUGHT} workflows`)
  }
  return items
}

const fileOf = (name: string, bytes: Buffer): SourceFile => ({ name, read: () => Readable.from([bytes]) })

/** What is left out of a workflow is counted as hidden; a file that cannot be read is left out itself, and the others come. */
async function convert(file: SourceFile): Promise<UnpackedItem[]> {
  const items: UnpackedItem[] = []
  try {
    for await (const { text, leftOut } of convertN8n([file])) {
      const hidden = leftOut.reduce((sum, { count }) => sum + count, 0)
      items.push({ file: file.name, hidden, kind: 'workflow', bytes: Buffer.from(text) })
      if (items.length > MAX_BROUGHT) break
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    items.push({ file: file.name, hidden: 0, reason: error.message })
  }
  return items
}
