// Folders of skills as they lie on a disk: each with a SKILL.md, packed for a publication. The same files give the same bytes. Nothing is followed
// that leads out of a folder.
import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { SKILL_FILE } from '../formats/kinds/skill/frontmatter.ts'
import { isHidden, packSkill, SKILL_DEPTH } from '../formats/kinds/skill/packing.ts'

/** A folder of a skill: packed, or with the reason why it cannot be. */
export type SkillFolder = { path: string; hidden: number } & ({ bytes: Uint8Array } | { reason: string })

/** As an archive has at most, of folders and files. */
export const MOST_FILES = 2_000
export const MOST_BYTES = 50 * 1024 * 1024
const MOST_FOLDERS = 10_000

/** What makes a folder no skill that can be taken. */
class Unfit extends Error {}

/** The skills in a folder and below it, by their paths; a folder with a SKILL.md is not looked into for others. */
export async function* skillFoldersIn(root: string): AsyncIterable<SkillFolder> {
  const waiting = [{ path: root, depth: 0 }]
  for (let count = 0, at = waiting.pop(); at; at = waiting.pop()) {
    if (++count > MOST_FOLDERS) throw new Error(`There are more than ${MOST_FOLDERS} folders`)
    const { path, depth } = at
    const entries = await readdir(path, { withFileTypes: true })
    if (entries.some(({ name }) => name === SKILL_FILE)) {
      yield { path: relative(root, path) || '.', ...(await packed(path)) }
      continue
    }
    if (depth === SKILL_DEPTH) continue
    const inner = entries.filter((entry) => entry.isDirectory() && !isHidden(entry.name)).map(({ name }) => name)
    for (const name of inner.toSorted().reverse()) waiting.push({ path: join(path, name), depth: depth + 1 })
  }
}

async function packed(folder: string): Promise<{ hidden: number } & ({ bytes: Uint8Array } | { reason: string })> {
  const reading = { hidden: 0, bytes: 0, files: new Map<string, Uint8Array>() }
  try {
    await readInto(reading, folder, '')
  } catch (error) {
    if (error instanceof Unfit) return { hidden: reading.hidden, reason: error.message }
    throw error
  }
  return { hidden: reading.hidden, bytes: packSkill(reading.files) }
}

interface FolderReading {
  /** Files and folders whose names begin with a dot: what programs and people keep for themselves. */
  hidden: number
  bytes: number
  files: Map<string, Uint8Array>
}

async function readInto(reading: FolderReading, folder: string, prefix: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = prefix + entry.name
    if (entry.name.includes('\\')) throw new Unfit(`${path} has a backslash in its name`)
    if (isHidden(entry.name)) reading.hidden++
    else if (entry.isDirectory()) await readInto(reading, join(folder, entry.name), `${path}/`)
    else if (!entry.isFile()) throw new Unfit(`${path} is a link or no file`)
    else reading.files.set(path, await readFileIn(reading, join(folder, entry.name), path))
    if (reading.files.size > MOST_FILES) throw new Unfit(`it has more than ${MOST_FILES} files`)
  }
}

async function readFileIn(reading: FolderReading, file: string, path: string): Promise<Uint8Array> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error) => {
    if (error.code === 'ELOOP') throw new Unfit(`${path} is a link or no file`)
    if (error.code === 'EACCES') throw new Unfit(`${path} cannot be read`)
    throw error
  })
  try {
    return await readWhole(reading, handle, path)
  } finally {
    await handle.close()
  }
}

async function readWhole(reading: FolderReading, handle: FileHandle, path: string): Promise<Uint8Array> {
  const stats = await handle.stat()
  if (!stats.isFile()) throw new Unfit(`${path} is a link or no file`)
  reading.bytes += stats.size
  if (reading.bytes > MOST_BYTES) throw new Unfit('its files have more than 50 MiB')
  const bytes = new Uint8Array(stats.size)
  const { bytesRead } = await handle.read(bytes, 0, stats.size, 0)
  return bytes.subarray(0, bytesRead)
}
