// Staging of uploads, shared by both stores: bytes are written to a temporary local file and hashed as they arrive. Every file here
// is disposable: one older than an hour was left by a crash.
import { createHash, randomUUID } from 'node:crypto'
import { chmod, type FileHandle, lstat, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { makeFolder } from '../runtime/durable.ts'
import { collectGarbageAfter } from '../runtime/memory.ts'
import { hasNoRoom } from '../runtime/outage.ts'
import { BlobError, type StagedFile } from './blobs.ts'

/**
 * How much is gathered before it is written: each write is a round through another thread. With more, the bytes have left the cache of the
 * processor until they are written: with 512 KB eight uploads took 2.2 times the CPU time of the bare server, with 128 KB 1.5 times.
 */
const WRITE_BYTES = 128 * 1024

const strayAfterMs = 60 * 60 * 1000

/** The moment before which anything unfinished counts as left over. */
export function strayBefore(now: Date): Date {
  return new Date(now.getTime() - strayAfterMs)
}

/** An error of the file system in the words of the store. */
function diskError(cause: unknown): BlobError {
  if (cause instanceof BlobError) return cause
  if (hasNoRoom(cause)) return new BlobError('full', 'The disk is full', { cause })
  return new BlobError('unavailable', 'The disk cannot be read or written', { cause })
}

/** For `.catch()`: rethrows an error of the file system as a BlobError. */
export function refuse(cause: unknown): never {
  throw diskError(cause)
}

/**
 * Writes a stream into an open file, hashing it on the way. An error of the stream passes through unchanged.
 * @throws BlobError too_large, full, unavailable
 */
export async function fill(file: FileHandle, stream: AsyncIterable<Uint8Array>, maxBytes: number) {
  const hash = createHash('sha256')
  let size = 0
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  const write = async () => {
    await writeAll(file, waiting, waitingBytes).catch(refuse)
    waiting = []
    collectGarbageAfter(waitingBytes)
    waitingBytes = 0
  }
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > maxBytes) throw new BlobError('too_large', `The file is larger than ${maxBytes} bytes`)
    hash.update(chunk)
    waiting.push(chunk)
    waitingBytes += chunk.byteLength
    if (waitingBytes >= WRITE_BYTES) await write()
  }
  if (waitingBytes > 0) await write()
  return { sha256: hash.digest('hex'), size }
}

/** A call to the system may write less than it was given. */
async function writeAll(file: FileHandle, chunks: readonly Uint8Array[], bytes: number): Promise<void> {
  const { bytesWritten } = await file.writev(chunks)
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(chunks).subarray(bytesWritten))
}

/**
 * A directory for temporary files, created if missing and readable by its owner alone. A directory that another user created first is
 * refused: on a shared machine they could read or replace uploads.
 * @throws BlobError unavailable, full
 */
export async function openStaging(directory: string) {
  await makeFolder(directory).catch(refuse)
  const found = await lstat(directory).catch(refuse)
  const mine = process.getuid === undefined || found.uid === process.getuid()
  if (!found.isDirectory() || !mine) throw new BlobError('unavailable', `${directory} belongs to another user`)
  await chmod(directory, 0o700).catch(refuse)
  return new Staging(directory)
}

/** Temporary files in one directory; `Artifacts` describes stage and discard. */
export class Staging {
  #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  async stage(stream: AsyncIterable<Uint8Array>, { maxBytes }: { maxBytes: number }): Promise<StagedFile> {
    const path = join(this.#directory, `${randomUUID()}.part`)
    const file = await open(path, 'wx', 0o600).catch((cause) => {
      if (stream instanceof Readable) stream.destroy()
      throw diskError(cause)
    })
    try {
      const { sha256, size } = await fill(file, stream, maxBytes)
      await file.close().catch(refuse)
      return { path, sha256, size }
    } catch (error) {
      await file.close().catch(() => {})
      await rm(path, { force: true }).catch(() => {})
      throw error
    }
  }

  async discard(staged: StagedFile): Promise<void> {
    await rm(staged.path, { force: true }).catch(refuse)
  }

  /** Removes files untouched since more than an hour before `now`; returns their number. @throws BlobError unavailable */
  async sweep(now: Date): Promise<number> {
    let swept = 0
    for (const name of await readdir(this.#directory).catch(refuse)) {
      const path = join(this.#directory, name)
      const found = await lstat(path).catch(() => undefined)
      if (!found?.isFile() || found.mtime >= strayBefore(now)) continue
      await rm(path, { force: true }).catch(refuse)
      swept++
    }
    return swept
  }
}
