// A folder and those above it, or a sentence that says why there is none. The recursive mkdir of Node never ends in a file system that
// takes no folders, such as /proc.
import { lstat, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { detailsOf } from './untyped.ts'

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
