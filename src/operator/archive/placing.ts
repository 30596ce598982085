// Puts what an archive had, once it was read and checked, into an empty instance on either engine. Until the end the database says that it
// is unfinished, and no server starts on it; the next run begins again.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { openDatabase } from '../../database/open.ts'
import type { FileOfRow } from '../../database/stored.ts'
import { makeDurableFolder } from '../../runtime/durable.ts'
import { BlobError, type Blobs } from '../../storage/blobs.ts'
import { openBlobs } from '../../storage/open-blobs.ts'
import { clear, copyRows, mendRows } from '../copying.ts'
import { isUnfinished, openRows, openWritableRows } from '../opening-rows.ts'
import type { Output } from '../output.ts'
import { hasAccounts } from '../queries.ts'
import type { WritableRows } from '../rows.ts'
import { fillDatabase, type ImportSummary } from './filling.ts'
import { MOST_OBJECT_BYTES } from './layout.ts'
import { type ArchivedFile, readArchive, type SealedFile, whole } from './reading.ts'
import { ArchiveError } from './sealing.ts'

export interface PlaceOptions {
  config: Pick<Config, 'databaseUrl' | 'blobUrl' | 'dataDir'>
  archive: SealedFile
  isUnverified: boolean
  output: Pick<Output, 'progress' | 'complain'>
}

const FOLDER = 'unarchiving-'
const EMPTY = 'import into an empty instance, or move what is there away yourself'

/** Imports an archive. Throws an ArchiveError, and has written nothing, for one that is not right. */
export async function placeArchive(options: PlaceOptions): Promise<ImportSummary> {
  const { config, archive, isUnverified, output } = options
  await refuseAccounts(config.databaseUrl)
  await makeDurableFolder(config.dataDir)
  await removeLeft(config.dataDir)
  const folder = await mkdtemp(join(config.dataDir, FOLDER))
  const blobs = await openBlobs(config.blobUrl)
  try {
    const path = join(folder, 'guildhall.db')
    const { progress, complain } = output
    const filled = await fillDatabase({ archive, path, isUnverified, progress, complain })
    await refuseOtherFiles(blobs, filled.files)
    await place(path, options, blobs)
    return filled
  } finally {
    blobs.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function refuseAccounts(url: string): Promise<void> {
  // What an interrupted run left is cleared by the next one.
  if (await isUnfinished(url)) return
  const { db } = await openDatabase(url)
  const isUsed = await hasAccounts(db).finally(() => db.destroy())
  if (isUsed) throw new Error(`the database has accounts: ${EMPTY}`)
}

/** Folders of runs that were killed. */
async function removeLeft(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir))
    if (name.startsWith(FOLDER)) await rm(join(dataDir, name), { recursive: true })
}

/** Those of the archive may be there: a run before this one put them. */
async function refuseOtherFiles({ artifacts, objects }: Blobs, files: ReadonlyMap<string, FileOfRow>): Promise<void> {
  const refuse = () => new Error(`the stored files are not empty: ${EMPTY}`)
  for await (const { sha256 } of artifacts.list()) if (!files.has(`artifacts/${sha256}`)) throw refuse()
  for await (const { key } of objects.list()) if (!files.has(key)) throw refuse()
}

async function place(path: string, { config, archive, output }: PlaceOptions, blobs: Blobs): Promise<void> {
  const to = await openWritableRows(config.databaseUrl)
  try {
    await placeFiles(archive, blobs, output)
    await placeRows(path, to, output)
  } finally {
    await to.close()
  }
}

async function placeFiles(archive: SealedFile, blobs: Blobs, { progress }: PlaceOptions['output']): Promise<void> {
  let files = 0
  await readArchive(archive, {
    onHeader: async () => {},
    onLines: async () => {},
    async onFile(file) {
      await (file.sha256 === undefined ? putObject(blobs, file) : putArtifact(blobs, file, file.sha256))
      progress(`Storing files: ${++files}`)
    },
  })
}

async function putArtifact({ artifacts }: Blobs, { size, bytes }: ArchivedFile, sha256: string): Promise<void> {
  const staged = await artifacts.stage(bytes, { maxBytes: size })
  try {
    if (staged.sha256 !== sha256) throw new BlobError('corrupt', `the archive changed while it was read: ${sha256}`)
    await artifacts.commit(staged)
  } finally {
    await artifacts.discard(staged)
  }
}

async function putObject({ objects }: Blobs, file: ArchivedFile): Promise<void> {
  if (file.contentType === undefined) throw new ArchiveError(`${file.name} has no type`)
  await objects.put(file.name, await whole(file, MOST_OBJECT_BYTES), file.contentType)
}

async function placeRows(path: string, to: WritableRows, { progress }: PlaceOptions['output']): Promise<void> {
  const from = await openRows(path, 'locked')
  try {
    await clear(to)
    await copyRows(from, to, { onRows: (table, rows, share) => progress(`Writing ${table}: ${rows} rows`, share) })
    await mendRows(from, to, (table, rows, share) => progress(`Comparing ${table}: ${rows} rows`, share))
    await to.finish()
    await to.settle()
  } finally {
    await from.close()
  }
}
