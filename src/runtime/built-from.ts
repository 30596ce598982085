// Whether something that was built is of the sources as they are now. A stamp beside it has two hashes of them: of their contents, and of
// their sizes and times. The second takes 7 ms where the first takes 35, and decides alone where nothing was written since.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a release has in place of the hashes: it has no tools to build with. */
export const RELEASED = 'released'

export interface Fingerprint {
  contents: string
  times: string
}

/** Of files, named from a folder that ends with a slash. Throws where one is missing. */
export function fingerprintOf(root: string, files: readonly string[]): Fingerprint {
  const contents = createHash('sha256')
  for (const path of files.toSorted()) {
    contents
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return { contents: contents.digest('hex'), times: timesOf(root, files) }
}

/** A file that was written has another time of change (ctime), which no program can set. */
function timesOf(root: string, files: readonly string[]): string {
  const times = createHash('sha256')
  for (const path of files.toSorted()) {
    const { size, ino, mtimeMs, ctimeMs } = statSync(root + path)
    times.update(`${path}\0${size} ${ino} ${mtimeMs} ${ctimeMs}\0`)
  }
  return times.digest('hex')
}

/** To be called with what the sources were before the build began. */
export const writeStamp = (stamp: string, { contents, times }: Fingerprint): void =>
  writeFileSync(stamp, `${contents}\n${times}\n`)

/** Whether what this stamp is of was built from these files as they are. */
export function isBuiltFrom(stamp: string, root: string, files: () => readonly string[]): boolean {
  const [contents, times] = readStamp(stamp)
  if (contents === undefined || contents === RELEASED) return contents === RELEASED
  const sources = files()
  if (timesOf(root, sources) === times) return true
  const now = fingerprintOf(root, sources)
  if (now.contents !== contents) return false
  try {
    writeStamp(stamp, now)
  } catch {
    // A folder of another account: the next start reads the contents too.
  }
  return true
}

/** Whether there was a build before. */
export const hasStamp = (stamp: string): boolean => readStamp(stamp).length > 0

function readStamp(stamp: string): string[] {
  try {
    return readFileSync(stamp, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}

/** The files of a folder and of those in it, named from `root`. Paths are put together as texts: `relative` took half of the time. */
export const filesIn = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath.slice(root.length)}/${name}`.replaceAll('\\', '/'))
