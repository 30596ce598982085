// The stores of bytes: artifacts under the SHA-256 of their content, and small objects under names. Two stores implement this
// interface: a directory and a bucket (open-blobs.ts).
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'

/** An uploaded artifact that is not stored yet: a temporary local file, its digest (hex) and its size in bytes. */
export type StagedFile = { path: string; sha256: string; size: number }

/** The metadata of a stored artifact; `size` is in bytes, `modified` the time of its last commit. */
export type ArtifactEntry = { sha256: string; size: number; modified: Date }

/** The metadata of a named object; `size` is in bytes. */
export type ObjectEntry = { key: string; size: number; modified: Date }

/** A named object as it was put. */
export type StoredObject = { bytes: Buffer; contentType: string; modified: Date }

/** A slice of an artifact in bytes, both ends inclusive, as in RFC 9110, 14.1.2; without `end` it runs to the last byte. */
export type ByteRange = { start: number; end?: number }

export type BlobProblem = 'too_large' | 'full' | 'unavailable' | 'corrupt' | 'invalid_key' | 'invalid_range'

/** An error of stored bytes. `code` tells the caller how to react, `cause` is the store's own error. */
export class BlobError extends Error {
  override name = 'BlobError'
  code: BlobProblem
  constructor(code: BlobProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export interface Artifacts {
  /**
   * Streams an artifact into a temporary local file while hashing it; memory does not grow with its size. `discard` must follow,
   * after a `commit` too. An error of the stream itself is passed on, and every failure removes the file.
   * @throws BlobError too_large as soon as more than `maxBytes` have arrived, full, unavailable
   */
  stage(stream: AsyncIterable<Uint8Array>, limits: { maxBytes: number }): Promise<StagedFile>

  /**
   * Stores a staged artifact under its hash; once this resolves the bytes survive a power failure. The same bytes are stored once,
   * but their `modified` is renewed to within the last hour, so that a sweep of unreferenced artifacts with a minimum age of a day
   * that begins now keeps them; for a sweep in progress, see `storeThenInsert` (blob-lifecycle.ts). After a failure the staged file
   * is gone. In a bucket they can be committed again; a directory does not need that, as its removals check the date last.
   * @throws BlobError corrupt when the staged file no longer matches its hash, full, unavailable
   */
  commit(staged: StagedFile): Promise<void>

  /** Removes a staged artifact, but not a committed one; repeating it is harmless. */
  discard(staged: StagedFile): Promise<void>

  /**
   * The bytes of an artifact, or undefined if there is none. A read of the whole is checked against the hash and fails
   * with BlobError corrupt before its last chunk, so that damaged bytes never arrive complete; a range is not checked.
   * @throws BlobError invalid_range when the range starts beyond the last byte, unavailable
   */
  read(sha256: string, range?: ByteRange): Promise<Readable | undefined>

  /** The file that holds the artifact, for a server that sends files by itself; undefined if missing or not in a file. */
  path(sha256: string): Promise<string | undefined>

  /**
   * An address at which the store itself gives the artifact, with this name and type, to all who have the address, for five minutes;
   * undefined where the store does not do that. Whether the artifact is there is not checked.
   */
  address(sha256: string, as: { contentType: string; filename: string }): Promise<string | undefined>

  /** Size and time of an artifact, or undefined if there is none. @throws BlobError unavailable */
  stat(sha256: string): Promise<ArtifactEntry | undefined>

  /**
   * Removes an artifact if it exists; with `olderThan` only if its last commit was before. Returns whether it was removed.
   * @throws BlobError unavailable
   */
  delete(sha256: string, only?: { olderThan: Date }): Promise<boolean>

  /** Every committed artifact, in no particular order. @throws BlobError unavailable */
  list(): AsyncIterable<ArtifactEntry>
}

export interface NamedObjects {
  /**
   * Stores bytes under a key, atomically, replacing the previous ones.
   * @throws BlobError invalid_key (see `isObjectKey`), full, unavailable
   */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>

  /** The bytes under a key; undefined if there are none, or the key is invalid. @throws BlobError unavailable */
  get(key: string): Promise<StoredObject | undefined>

  /** Removes a key; removing a missing one is harmless. @throws BlobError unavailable */
  delete(key: string): Promise<void>

  /** Every object in a folder (`runs/7` lists `runs/7/0`, not `runs/70`), or all. @throws BlobError invalid_key, unavailable */
  list(folder?: string): AsyncIterable<ObjectEntry>
}

export interface Blobs {
  artifacts: Artifacts
  objects: NamedObjects
  /**
   * Cleans up after crashes more than an hour before `now`; returns the number of leftovers. Staged files and unfinished uploads are
   * removed, artifacts with an interrupted removal are restored.
   */
  sweep(now?: Date): Promise<number>
  /** Closes connections; nothing may be read or written afterwards. */
  close(): void
}

/**
 * Whether a string can name an object: up to 8 segments between slashes, each of 1 to 128 lower-case letters, digits, `-`, `_` and
 * `.`, none starting with a dot. Lower case only, because some file systems treat `A` and `a` as equal.
 */
export function isObjectKey(key: string): boolean {
  const segments = key.split('/')
  return segments.length <= 8 && segments.every((segment) => /^[a-z0-9_-][a-z0-9._-]{0,127}$/.test(segment))
}

/** Whether a string is a SHA-256 digest as artifacts are named: 64 lower-case hexadecimal digits. */
export function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/**
 * Passes chunks through while hashing them, one chunk behind, so that the last one is only passed on once the whole is verified: a
 * reader that counts bytes never treats damaged ones as complete.
 * @throws BlobError corrupt at the end, when the bytes do not match the digest
 */
export async function* verified(chunks: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let held: Buffer | undefined
  for await (const chunk of chunks) {
    hash.update(chunk)
    if (held) yield held
    held = chunk
  }
  if (hash.digest('hex') !== sha256) throw new BlobError('corrupt', `Artifact ${sha256} is damaged`)
  if (held) yield held
}

/**
 * Runs with the path of a file that holds the artifact: the stored file itself, or a copy from the bucket that goes afterwards. Nothing
 * may write to it.
 * @throws BlobError corrupt when there is no such artifact, too_large when it has more than `size` bytes, unavailable
 */
export async function withArtifactFile<T>(
  { artifacts }: Blobs,
  { sha256, size }: { sha256: string; size: number },
  run: (path: string) => Promise<T>,
): Promise<T> {
  const path = await artifacts.path(sha256)
  if (path !== undefined) return run(path)
  const stream = await artifacts.read(sha256)
  if (!stream) throw new BlobError('corrupt', `Artifact ${sha256} is missing`)
  const staged = await artifacts.stage(stream, { maxBytes: size })
  try {
    return await run(staged.path)
  } finally {
    await artifacts.discard(staged)
  }
}

/**
 * The content type of an object whose key is used again has the hash of its bytes: a power cut can come between the bytes and their row,
 * and then the object itself tells that it is whole.
 */
const PARAMETER = '; sha256='

export const hashedType = (contentType: string, sha256: string): string => contentType + PARAMETER + sha256

/** The type to serve, and the hash, which an object of an older version does not have. */
export function readHashedType(stored: string): { contentType: string; sha256: string | undefined } {
  const [contentType = '', sha256] = stored.split(PARAMETER)
  return { contentType, sha256 }
}
