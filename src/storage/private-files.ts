// The data folder is readable only by the account that runs Guildhall: new files, and existing ones from an older version or a copy.
import { chmod, lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { makeDurableFolder } from '../runtime/durable.ts'

const OTHERS = 0o077
/** Set on folders that all accounts of a machine share, such as /tmp. */
const STICKY = 0o1000

/**
 * Creates the folder, and makes files of this process private. The folder itself denies access to its content for others; files
 * directly in it (database, WAL, keys) are private once this resolves, and all below once `rest` resolves. A folder that other
 * accounts use too (`isShared`) keeps its mode, and so does what is in it: they would be locked out.
 */
export async function keepPrivate(folder: string): Promise<{ rest: Promise<void>; isShared: boolean }> {
  if (isMainThread && process.platform !== 'win32') process.umask(OTHERS)
  await makeDurableFolder(folder)
  if (((await lstat(folder)).mode & STICKY) !== 0) return { rest: Promise.resolve(), isShared: true }
  await tighten(folder)
  const folders = await tightenEntries(folder)
  const rest = (async () => {
    for (let next = folders.pop(); next; next = folders.pop()) folders.push(...(await tightenEntries(next)))
  })()
  // A caller that does not wait for the rest has no unhandled rejection.
  rest.catch(() => {})
  return { rest, isShared: false }
}

/** Restricts the entries of a folder and returns the folders among them. Links are left alone. */
async function tightenEntries(folder: string): Promise<string[]> {
  const folders: string[] = []
  const directory = await opendir(folder).catch(gone)
  if (!directory) return folders
  for await (const entry of directory) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) folders.push(path)
    if (entry.isDirectory() || entry.isFile()) await tighten(path)
  }
  return folders
}

async function tighten(path: string): Promise<void> {
  const found = await lstat(path).catch(gone)
  if (!found || found.isSymbolicLink() || (found.mode & OTHERS) === 0) return
  await chmod(path, found.mode & 0o7777 & ~OTHERS).catch(gone)
}

/** An entry that no longer exists, or belongs to another account, cannot be restricted here. */
function gone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'EPERM' && error.code !== 'EACCES') throw error
}
