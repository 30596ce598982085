// Names that survive a power failure: a file system may forget a new folder, and all that is in it, until the folder above was synced,
// and a new file until its own folder was. Every file that Guildhall keeps gets its name here, after its bytes were synced.
import { open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { makeFolder } from './making-folders.ts'
import { detailsOf } from './untyped.ts'

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
