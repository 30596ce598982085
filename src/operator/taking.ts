// Takes a backup of a running server. The database is one state of it; stored files are read before and after it, so that every file which
// a row of it names is there.
import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup as copyPages, DatabaseSync } from 'node:sqlite'
import type { Config } from '../config/config.ts'
import { refuseMissing } from '../database/existing.ts'
import { openDatabase } from '../database/open.ts'
import { isPostgres } from '../runtime/addresses.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import type { Blobs } from '../storage/blobs.ts'
import { openBlobs } from '../storage/open-blobs.ts'
import { clear, copyRows } from './copying.ts'
import { openRows, openWritableRows } from './opening-rows.ts'
import type { Progress } from './output.ts'
import { PIECE_BYTES, type Repository } from './repository.ts'
import { type Files, findSnapshot, KEY_FILES, type Snapshot, writeSnapshot } from './snapshot.ts'
import { whileTaking } from './taking-turns.ts'

/** Pieces on their way to the repository at a time. */
const AT_ONCE = 16
/** All pages in one step: with fewer, each write of the server would make SQLite's copy begin again. */
const ALL_PAGES = 2 ** 31 - 1

export interface BackupOptions {
  config: Config
  repository: Repository
  progress: Progress
  /** The stream of changes that goes on from this backup; called when the database was read. */
  stream?: () => Promise<Snapshot['stream']>
}

/** Keeps everything there is now, and resolves with the backup, which is complete. */
export const takeBackup = (taking: BackupOptions): Promise<Snapshot> =>
  whileTaking(taking.repository, () => take(taking))

async function take(taking: BackupOptions): Promise<Snapshot> {
  const { config, repository, progress, stream } = taking
  const time = timestamp(systemClock.now())
  repository.forget()
  const earlier = await findSnapshot(repository)
  const blobs = await openBlobs(config.blobUrl)
  try {
    const before = await keepFiles(repository, blobs, { earlier, progress })
    const { readAt, database, migrations } = await keepDatabase(taking)
    const after = await keepFiles(repository, blobs, { earlier: before, progress })
    const snapshot: Snapshot = {
      ...{ time, readAt },
      engine: isPostgres(config.databaseUrl) ? 'postgres' : 'sqlite',
      ...{ migrations, database, ...mergeFiles(before, after), files: await keepKeys(repository, config) },
      ...(stream ? { stream: await stream() } : {}),
    }
    // Its files may have gone before it.
    refuseMissing(config.databaseUrl)
    await writeSnapshot(repository, snapshot)
    return snapshot
  } finally {
    blobs.close()
  }
}

/** A file that went away between the two readings may belong to the state of the database. */
function mergeFiles(before: Files, after: Files): Files {
  const artifacts = new Map([...before.artifacts, ...after.artifacts].map((file) => [file.sha256, file]))
  const objects = new Map([...before.objects, ...after.objects].map((file) => [file.key, file]))
  return { artifacts: [...artifacts.values()], objects: [...objects.values()] }
}

export interface KeepFilesOptions {
  /** What is known of files from before: those that did not change are not read. */
  earlier: Files | undefined
  progress: Progress
}

/** Keeps the stored files that are there now. */
export async function keepFiles(
  repository: Repository,
  blobs: Blobs,
  { earlier, progress }: KeepFilesOptions,
): Promise<Files> {
  const artifacts: Files['artifacts'] = []
  const objects: Files['objects'] = []
  const knownArtifacts = new Map(earlier?.artifacts.map((file) => [file.sha256, file]))
  for await (const { sha256 } of blobs.artifacts.list()) {
    progress(`Files: ${artifacts.length}`)
    const artifact = knownArtifacts.get(sha256) ?? (await keepArtifact(repository, blobs, sha256))
    if (artifact) artifacts.push(artifact)
  }
  const knownObjects = new Map(earlier?.objects.map((file) => [file.key, file]))
  for await (const { key, size, modified } of blobs.objects.list()) {
    progress(`Files: ${artifacts.length + objects.length}`)
    const known = knownObjects.get(key)
    if (known?.size === size && known.modified === modified.toISOString()) {
      objects.push(known)
      continue
    }
    const object = await keepObject(repository, blobs, key)
    if (object) objects.push(object)
  }
  return { artifacts, objects }
}

/** Keeps an artifact; undefined when there is none. */
export async function keepArtifact(
  repository: Repository,
  blobs: Blobs,
  sha256: string,
): Promise<Files['artifacts'][number] | undefined> {
  const bytes = await blobs.artifacts.read(sha256)
  if (!bytes) return undefined
  let size = 0
  const counted = async function* () {
    for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
      size += chunk.length
      yield chunk
    }
  }
  const pieces = await keepStream(repository, counted())
  return { sha256, size, pieces }
}

/** Keeps an object; undefined when there is none. */
export async function keepObject(
  repository: Repository,
  blobs: Blobs,
  key: string,
): Promise<Files['objects'][number] | undefined> {
  const object = await blobs.objects.get(key)
  if (!object) return undefined
  const { contentType, bytes, modified } = object
  const pieces = await keepStream(repository, [bytes])
  return { key, size: bytes.length, modified: modified.toISOString(), contentType, pieces }
}

/** Keeps bytes in pieces of one size; resolves with their names in order. */
export async function keepStream(
  repository: Repository,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<string[]> {
  const names: Promise<string>[] = []
  for await (const piece of inPieces(bytes)) {
    names.push(repository.keep(piece))
    // Errors are reported by the wait for all.
    names.at(-1)?.catch(() => {})
    if (names.length >= AT_ONCE) await names[names.length - AT_ONCE]
  }
  return Promise.all(names)
}

async function* inPieces(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
  let piece = Buffer.alloc(PIECE_BYTES)
  let filled = 0
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + PIECE_BYTES - filled)
      piece.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < PIECE_BYTES) continue
      yield piece
      piece = Buffer.alloc(PIECE_BYTES)
      filled = 0
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}

async function keepDatabase({ config, repository, progress }: BackupOptions) {
  const copy = join(isPostgres(config.databaseUrl) ? tmpdir() : config.dataDir, `backup-${randomUUID()}.db`)
  try {
    const readAt = isPostgres(config.databaseUrl)
      ? await copyFromPostgres(config.databaseUrl, copy, progress)
      : await copyFromSqlite(config.databaseUrl, copy)
    progress('Keeping the database')
    const { size } = await stat(copy)
    const pieces = await keepStream(repository, createReadStream(copy, { highWaterMark: PIECE_BYTES }))
    return { readAt, database: { size, pieces }, migrations: migrationsOf(copy) }
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) await rm(copy + end, { force: true })
  }
}

/**
 * Page by page, so that what did not change is the same piece as before; `VACUUM INTO` would put rows elsewhere. Resolves with a time by which
 * the state was read.
 */
async function copyFromSqlite(path: string, copy: string): Promise<string> {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 10_000 })
  try {
    await copyPages(db, copy, { rate: ALL_PAGES })
    return timestamp(systemClock.now())
  } finally {
    db.close()
  }
}

async function copyFromPostgres(url: string, copy: string, progress: Progress): Promise<string> {
  await openDatabase(copy).then(({ db }) => db.destroy())
  const to = await openWritableRows(copy)
  const from = await openRows(url, 'one state')
  try {
    // The first query takes the state.
    await from.migrations()
    const readAt = timestamp(systemClock.now())
    await clear(to)
    await copyRows(from, to, { onRows: (table, rows, share) => progress(`Copying ${table}: ${rows} rows`, share) })
    await to.setNumbers(await from.numbers())
    await to.finish()
    return readAt
  } finally {
    await from.close()
    await to.close()
  }
}

function migrationsOf(path: string): string[] {
  const db = new DatabaseSync(path, { readOnly: true })
  const rows = db.prepare('select name from kysely_migration order by name').all()
  db.close()
  return rows.map(({ name }) => String(name))
}

async function keepKeys(repository: Repository, { dataDir }: Config): Promise<Snapshot['files']> {
  const names = KEY_FILES.filter((name) => existsSync(join(dataDir, name)))
  return Promise.all(
    names.map(async (name) => ({ name, pieces: await keepStream(repository, [await readFile(join(dataDir, name))]) })),
  )
}
