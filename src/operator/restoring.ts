// Restores a backup to where the settings say: into an empty place, on either engine.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { listErrors } from '@guildhall/durable-sqlite'
import type { Config } from '../config/config.ts'
import { openDatabase } from '../database/open.ts'
import { isPostgres } from '../runtime/addresses.ts'
import { makeDurableFolder, renameDurably } from '../runtime/durable.ts'
import { BlobError, type Blobs } from '../storage/blobs.ts'
import { openBlobs } from '../storage/open-blobs.ts'
import { clear, copyRows, mendRows } from './copying.ts'
import { isUnfinished, openRows, openWritableRows } from './opening-rows.ts'
import type { Progress } from './output.ts'
import { hasAccounts } from './queries.ts'
import type { Repository } from './repository.ts'
import type { Snapshot } from './snapshot.ts'
import type { Stream } from './states.ts'

export interface RestoreOptions {
  config: Config
  repository: Repository
  snapshot: Snapshot
  progress: Progress
  /** The changes that follow it. */
  stream?: Stream | undefined
}

/** Throws, before it writes anything, when something is where it would write. */
export async function refuseUsedPlaces({ databaseUrl, blobUrl, dataDir }: Config): Promise<void> {
  const clearUp = 'restore into an empty place, or move what is there away yourself'
  if (isPostgres(databaseUrl)) {
    // What an interrupted restore left is cleared by the next one.
    const isUsed = !(await isUnfinished(databaseUrl)) && (await hasAccountsAt(databaseUrl))
    if (isUsed) throw new Error(`the database has accounts: ${clearUp}`)
  } else if (existsSync(databaseUrl)) {
    throw new Error(`${databaseUrl} exists: ${clearUp}`)
  }
  if (existsSync(join(dataDir, 'signing-key.json'))) throw new Error(`${dataDir} has a signing key: ${clearUp}`)
  const blobs = await openBlobs(blobUrl)
  try {
    for await (const _ of blobs.artifacts.list()) throw new Error(`the stored files are not empty: ${clearUp}`)
    for await (const _ of blobs.objects.list()) throw new Error(`the stored files are not empty: ${clearUp}`)
  } finally {
    blobs.close()
  }
}

async function hasAccountsAt(url: string): Promise<boolean> {
  const { db } = await openDatabase(url)
  return hasAccounts(db).finally(() => db.destroy())
}

/** Files first, then the database: a start before the end finds no database. */
export async function restore(restoring: RestoreOptions): Promise<void> {
  const { config, repository, snapshot } = restoring
  await makeDurableFolder(config.dataDir)
  const blobs = await openBlobs(config.blobUrl)
  try {
    await restoreFiles(blobs, restoring)
  } finally {
    blobs.close()
  }
  for (const { name, pieces } of snapshot.files) {
    await writeDurably(join(config.dataDir, name), piecesOf(repository, pieces))
  }
  await (isPostgres(config.databaseUrl) ? restorePostgres(restoring) : restoreSqlite(restoring))
}

async function* piecesOf(repository: Repository, names: readonly string[]): AsyncGenerator<Buffer> {
  for (const name of names) yield await repository.piece(name)
}

async function restoreFiles(blobs: Blobs, { repository, snapshot, stream, progress }: RestoreOptions): Promise<void> {
  const artifacts = [...snapshot.artifacts, ...(stream?.files.artifacts ?? [])]
  // A later one of the same name replaces it.
  const objects = [...snapshot.objects, ...(stream?.files.objects ?? [])]
  for (const [at, { sha256, size, pieces }] of artifacts.entries()) {
    progress('Restoring files', at / (artifacts.length + objects.length))
    const staged = await blobs.artifacts.stage(Readable.from(piecesOf(repository, pieces)), { maxBytes: size })
    if (staged.sha256 !== sha256) throw new BlobError('corrupt', `the backup is damaged: the artifact ${sha256}`)
    await blobs.artifacts.commit(staged)
    await blobs.artifacts.discard(staged)
  }
  for (const [at, { key, contentType, pieces }] of objects.entries()) {
    progress('Restoring files', (artifacts.length + at) / (artifacts.length + objects.length))
    const bytes = Buffer.concat(await Promise.all(pieces.map((name) => repository.piece(name))))
    await blobs.objects.put(key, bytes, contentType)
  }
}

async function restoreSqlite(restoring: RestoreOptions): Promise<void> {
  const path = restoring.config.databaseUrl
  await makeDurableFolder(dirname(path))
  const unfinished = `${path}.restoring-${randomUUID()}`
  await writeDatabase(unfinished, restoring)
  await renameDurably(unfinished, path)
}

async function restorePostgres(restoring: RestoreOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-restore-'))
  try {
    const path = join(folder, 'guildhall.db')
    await writeDatabase(path, restoring)
    // Brings an older backup to the shape of this version.
    await openDatabase(path).then(({ db }) => db.destroy())
    const to = await openWritableRows(restoring.config.databaseUrl)
    const from = await openRows(path, 'locked')
    const { progress } = restoring
    try {
      await clear(to)
      await copyRows(from, to, { onRows: (table, rows, share) => progress(`Restoring ${table}: ${rows} rows`, share) })
      await mendRows(from, to, (table, rows, share) => progress(`Comparing ${table}: ${rows} rows`, share))
      await to.finish()
    } finally {
      await from.close()
      await to.close()
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Writes the database of the backup to a file, brings it on, and checks its pages. */
async function writeDatabase(path: string, { repository, snapshot, progress, stream }: RestoreOptions): Promise<void> {
  progress('Restoring the database')
  await writeDurably(path, piecesOf(repository, snapshot.database.pieces))
  await stream?.advance(path)
  const [error] = listErrors(path, 'integrity_check')
  if (error) throw new Error(`the database of the backup is damaged: ${error}`)
  const left = (await readdir(dirname(path))).filter((name) =>
    name.startsWith(`${path.slice(dirname(path).length + 1)}-`),
  )
  for (const name of left) await rm(join(dirname(path), name))
}

async function writeDurably(path: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`
  const file = await open(unfinished, 'wx', 0o600)
  try {
    for await (const piece of bytes) await file.write(piece)
    await file.sync()
  } finally {
    await file.close()
  }
  await renameDurably(unfinished, path)
}
