// Opens an archive of an item, zip or .tar.gz, by its first bytes. A folder around everything (`pdf-tools/SKILL.md`) is no part of the paths.
import { open } from 'node:fs/promises'
import { Archive } from './archive.ts'
import type { ArchiveFile } from './archive-entry.ts'
import { TarArchive } from './tar-archive.ts'

/** How an archive is packed, as its name ends. */
export type Packing = 'zip' | 'tar.gz'

export interface OpenedArchive {
  archive: ArchiveFile
  packing: Packing
  /** The name of the folder that everything is in; undefined where there is none. */
  folder: string | undefined
}

/** @throws FormatError for what is none, or breaks a rule that a header shows */
export async function openArchive(path: string): Promise<ArchiveFile> {
  return (await openWithFolder(path)).archive
}

/** The same, with the name of the folder. */
export async function openWithFolder(path: string): Promise<OpenedArchive> {
  const packing = await packingOf(path)
  const archive: ArchiveFile = packing === 'zip' ? await Archive.open(path) : await TarArchive.open(path)
  return { archive, packing, folder: leaveOut(archive) }
}

async function packingOf(path: string): Promise<Packing> {
  await using file = await open(path)
  const { buffer } = await file.read({ buffer: Buffer.alloc(2) })
  return buffer.equals(GZIP) ? 'tar.gz' : 'zip'
}

/** RFC 1952, 2.3.1 */
const GZIP = Buffer.from([0x1f, 0x8b])

/** Takes the one folder that everything is in out of the paths. */
function leaveOut(archive: ArchiveFile): string | undefined {
  const [first = ''] = archive.entries.map(({ path }) => path)
  const folder = first.slice(0, first.indexOf('/') + 1)
  if (folder === '' || !archive.entries.every(({ path }) => path.startsWith(folder))) return undefined
  for (const entry of archive.entries) entry.path = entry.path.slice(folder.length)
  archive.entries = archive.entries.filter(({ path }) => path !== '')
  return folder.slice(0, -1)
}
