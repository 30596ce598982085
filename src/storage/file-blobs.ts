// The store of a single machine: a directory. Files appear whole under their final name (written, synced, renamed,
// directory synced) or not at all. artifacts/ab/abcd... holds plain bytes; objects/<key>= a header of 128 bytes, then bytes.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, opendir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { machineClock } from '../runtime/clock.ts'
import { makeDurableFolder, renameDurably, syncFolder } from '../runtime/durable.ts'
import {
  type Artifacts,
  BlobError,
  type Blobs,
  type ByteRange,
  isObjectKey,
  isSha256,
  type NamedObjects,
  type StagedFile,
  verified,
} from './blobs.ts'
import { openStaging, refuse, type Staging, strayBefore } from './staging.ts'

const chunkBytes = 512 * 1024
const headerBytes = 128

/** Opens a directory as a store, creating it if missing. @throws BlobError unavailable, full */
export async function openFileBlobs(root: string): Promise<Blobs> {
  for (const folder of ['artifacts', 'objects']) {
    await makeDurableFolder(join(root, folder)).catch(refuse)
  }
  const staging = await openStaging(join(root, 'staging'))
  return {
    artifacts: fileArtifacts(join(root, 'artifacts'), staging),
    objects: fileObjects(join(root, 'objects'), staging),
    sweep: async (now = new Date(machineClock.now())) =>
      (await putBack(join(root, 'artifacts'), strayBefore(now))) + (await staging.sweep(now)),
    close() {},
  }
}

function fileArtifacts(root: string, staging: Staging): Artifacts {
  const pathOf = (sha256: string) => join(root, sha256.slice(0, 2), sha256)

  const find = async (sha256: string) => {
    const found = isSha256(sha256) ? await stat(pathOf(sha256)).catch(absent) : undefined
    return found?.isFile() ? { sha256, size: found.size, modified: found.mtime } : undefined
  }

  return {
    stage: (stream, limits) => staging.stage(stream, limits),
    discard: (staged) => staging.discard(staged),
    stat: find,

    commit: (staged) => keep(staged, pathOf(staged.sha256)),

    async read(sha256, range) {
      const file = isSha256(sha256) ? await open(pathOf(sha256)).catch(absent) : undefined
      return file && readFrom(file, sha256, range)
    },

    async path(sha256) {
      return (await find(sha256)) && pathOf(sha256)
    },

    async address() {
      return undefined
    },

    async delete(sha256, only) {
      const found = await find(sha256)
      if (!found || (only && found.modified >= only.olderThan)) return false
      return remove(pathOf(sha256), only?.olderThan)
    },

    async *list() {
      for await (const { path, size, modified } of filesBelow(root)) {
        const sha256 = path.slice(path.lastIndexOf('/') + 1)
        if (isSha256(sha256)) yield { sha256, size, modified }
      }
    },
  }
}

async function keep({ path, sha256, size }: StagedFile, target: string): Promise<void> {
  try {
    if ((await isIntact(target, sha256)) && (await renew(target))) {
      // Another upload may have given it its name just now, and its folder.
      await makeDurableFolder(dirname(target))
      await syncFolder(dirname(target))
    } else {
      await syncFile(path, size)
      await renameDurably(path, target)
    }
  } catch (cause) {
    refuse(cause)
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}

/** Sets a file's date to now; false when the file no longer exists. */
async function renew(path: string): Promise<boolean> {
  const now = new Date(machineClock.now())
  return utimes(path, now, now).then(
    () => true,
    (cause) => absent(cause) ?? false,
  )
}

/**
 * Removes a file that was not renewed since `olderThan`. It is renamed before its date is read for the last time: after that it
 * cannot be renewed, and a renewal just before restores it.
 */
async function remove(path: string, olderThan = new Date(8.64e15)): Promise<boolean> {
  const aside = `${path}.${randomUUID()}`
  const moved = await rename(path, aside).then(
    () => stat(aside),
    (cause) => absent(cause),
  )
  if (moved && moved.mtime >= olderThan) await rename(aside, path).catch(refuse)
  else if (moved) await rm(aside, { force: true }).catch(refuse)
  return moved !== undefined && moved.mtime < olderThan
}

/**
 * Restores the names of artifacts that a crash left renamed before `moment`, so that the sweep checks them like any other; if the
 * artifact was published again since, the copy is removed at once. Returns their number.
 */
async function putBack(root: string, moment: Date): Promise<number> {
  let found = 0
  for await (const { path, setAside } of filesBelow(root)) {
    const [sha256 = '', aside] = path.slice(path.lastIndexOf('/') + 1).split('.')
    if (!aside || !isSha256(sha256) || setAside >= moment) continue
    const target = join(root, path.slice(0, -aside.length - 1))
    if (await stat(target).catch(absent)) await rm(join(root, path), { force: true }).catch(refuse)
    else await rename(join(root, path), target).catch(absent)
    found++
  }
  return found
}

async function readFrom(file: FileHandle, sha256: string, range?: ByteRange): Promise<Readable> {
  if (!range) {
    const whole = Readable.from(verified(chunksOf(file), sha256), { objectMode: false })
    // A reader that disconnects before its first chunk never starts the generators, and would leave the file open.
    return whole.once('close', () => file.close())
  }
  const { size } = await file.stat()
  if (range.start < size) return file.createReadStream({ ...range, highWaterMark: chunkBytes })
  await file.close()
  throw new BlobError('invalid_range', `The range is outside of the ${size} bytes`)
}

function fileObjects(root: string, staging: Staging): NamedObjects {
  // The sign cannot occur in a key, so the object `a` never conflicts with the folder of `a/b`.
  const pathOf = (key: string) => join(root, `${key}=`)

  return {
    async put(key, bytes, contentType) {
      if (!isObjectKey(key)) throw new BlobError('invalid_key', `No object can be called ${JSON.stringify(key)}`)
      const staged = await staging.stage(encoded(bytes, contentType), { maxBytes: Number.POSITIVE_INFINITY })
      try {
        await syncFile(staged.path, staged.size)
        await renameDurably(staged.path, pathOf(key))
      } catch (cause) {
        await rm(staged.path, { force: true }).catch(() => {})
        refuse(cause)
      }
    },

    async get(key) {
      const file = isObjectKey(key) ? await open(pathOf(key)).catch(absent) : undefined
      if (!file) return undefined
      try {
        const [stored, { mtime }] = [await file.readFile(), await file.stat()]
        const contentType = stored.toString('latin1', 0, headerBytes).trim()
        return { bytes: stored.subarray(headerBytes), contentType, modified: mtime }
      } catch (cause) {
        refuse(cause)
      } finally {
        await file.close()
      }
    },

    async delete(key) {
      if (isObjectKey(key)) await rm(pathOf(key), { force: true }).catch(refuse)
    },

    async *list(folder) {
      if (folder !== undefined && !isObjectKey(folder)) {
        throw new BlobError('invalid_key', `No folder can be called ${JSON.stringify(folder)}`)
      }
      for await (const { path, size, modified } of filesBelow(folder ? join(root, folder) : root)) {
        const key = (folder ? `${folder}/${path}` : path).slice(0, -1)
        if (path.endsWith('=') && isObjectKey(key)) yield { key, size: size - headerBytes, modified }
      }
    },
  }
}

async function* encoded(bytes: Uint8Array, contentType: string) {
  if (!/^[\x21-\x7e][\x20-\x7e]{0,126}$/.test(contentType)) {
    throw new TypeError(`Not a content type: ${JSON.stringify(contentType)}`)
  }
  yield Buffer.from(`${contentType.padEnd(headerBytes - 1)}\n`, 'latin1')
  yield bytes
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  try {
    yield* file.createReadStream({ highWaterMark: chunkBytes })
  } catch (cause) {
    refuse(cause)
  }
}

async function isIntact(path: string, sha256: string): Promise<boolean> {
  const file = await open(path).catch(absent)
  if (!file) return false
  try {
    for await (const _ of verified(chunksOf(file), sha256));
    return true
  } catch (cause) {
    if (cause instanceof BlobError && cause.code === 'corrupt') return false
    throw cause
  }
}

async function syncFile(path: string, size: number): Promise<void> {
  const file = await open(path, constants.O_RDWR)
  try {
    if ((await file.stat()).size !== size) throw new BlobError('corrupt', 'The staged file was changed')
    await file.sync()
  } finally {
    await file.close()
  }
}

/** `setAside` is when the file got its name, or was changed last. */
interface StoredFile {
  path: string
  size: number
  modified: Date
  setAside: Date
}

async function* filesBelow(root: string): AsyncGenerator<StoredFile> {
  const directory = await opendir(root, { recursive: true }).catch(absent)
  if (!directory) return
  for await (const entry of directory) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const found = await stat(path).catch(absent)
    if (!found) continue
    const { size, mtime: modified, ctime: setAside } = found
    yield { path: relative(root, path).replaceAll(sep, '/'), size, modified, setAside }
  }
}

function absent(cause: NodeJS.ErrnoException): undefined {
  if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR') refuse(cause)
}
