// Names that survive a power failure: a file system may forget a new folder, and all that is in it, until the folder above was synced,
// and a new file until its own folder was. Every file that Guildhall keeps gets its name here, after its bytes were synced.
import { lstat, mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { detailsOf } from './untyped.ts'

// A folder and those above it, or a sentence that says why there is none. The recursive mkdir of Node never ends in a file system that
// takes no folders, such as /proc.

/** A folder that cannot be made. Its cause is what the system said. */
export class FolderError extends Error {
  override name = 'FolderError'
}

const REASONS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `no folder can be made in ${dirname(path)}`,
  ENOTDIR: (path) => `${dirname(path)} is no folder`,
  EACCES: (path) => `this account may not write in ${dirname(path)}`,
  EPERM: (path) => `no folder can be made in ${dirname(path)}`,
  EROFS: (path) => `${dirname(path)} is read-only`,
  ELOOP: (path) => `a link in ${path} leads back to itself`,
  ENAMETOOLONG: () => 'a name in it is too long',
}

/**
 * Makes what is missing, readable by this account alone.
 * @throws FolderError, or the error of the system where the disk is full or fails
 */
export async function makeFolder(path: string): Promise<void> {
  for (const missing of await missingOf(path)) {
    await mkdir(missing, { mode: 0o700 }).catch(async (error: unknown) => {
      // Another process made it just now.
      if (detailsOf(error).code !== 'EEXIST' || !(await isFolder(missing))) throw inWords(path, missing, error)
    })
  }
}

/** The folders that are not there, those above first. */
async function missingOf(path: string): Promise<string[]> {
  const missing: string[] = []
  for (let at = path; !(await isFolder(at)); at = dirname(at)) {
    missing.unshift(at)
    const found = await lstat(at).catch((error: unknown) => String(detailsOf(error).code))
    if (typeof found !== 'string') {
      // Another process made it just now.
      if (await isFolder(at)) return missing.slice(1)
      const what = found.isSymbolicLink() ? 'a link that leads to no folder' : 'no folder'
      throw new FolderError(`the folder ${path} cannot be made: ${at} is ${what}`)
    }
    if (found !== 'ENOENT' && found !== 'ENOTDIR') break
    if (dirname(at) === at) break
  }
  return missing
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

function inWords(path: string, at: string, cause: unknown): unknown {
  const reason = REASONS[String(detailsOf(cause).code)]
  return reason ? new FolderError(`the folder ${path} cannot be made: ${reason(at)}`, { cause }) : cause
}

/** Folders whose names are on disk, up to the root: each is synced once by a process. */
const durable = new Set<string>()

/** Makes a folder and those above it, readable by this account alone; its name is on disk once this resolves. */
export async function makeDurableFolder(folder: string): Promise<void> {
  const path = resolve(folder)
  if (durable.has(path)) return
  await makeFolder(path)
  await syncName(path)
}

/** Those above first. It may have been made before, by a process that did not come to sync it. */
async function syncName(path: string): Promise<void> {
  const above = dirname(path)
  if (durable.has(path) || above === path) return
  await syncName(above)
  await syncFolder(above)
  durable.add(path)
}

/** Gives a file, whose bytes are on disk, its name in a folder that may be missing; the name is on disk once this resolves. */
export async function renameDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to)
  await makeDurableFolder(folder)
  await rename(from, to).catch(async () => {
    // The folder was removed while this process ran.
    durable.delete(resolve(folder))
    await makeDurableFolder(folder)
    await rename(from, to)
  })
  await syncFolder(folder)
}

/** The names in a folder are on disk once this resolves, if its file system can do that. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(folder).catch(unless('EACCES'))
  await directory
    ?.sync()
    .catch(unless('EINVAL'))
    .finally(() => directory.close())
}

/** A folder that this account may not read has no name that it gave (EACCES), and a read-only system has no fsync (EINVAL). */
const unless = (code: string) => (error: unknown) => {
  if (detailsOf(error).code !== code) throw error
}
