// Writes an archive while the server runs. Rows are one state; the files that they name are read after that.

import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { refuseUnready } from '../../database/existing.ts'
import { fileOfRow } from '../../database/stored.ts'
import { systemClock, timestamp } from '../../runtime/clock.ts'
import { renameDurably } from '../../runtime/durable.ts'
import { SERVER_VERSION } from '../../runtime/installation.ts'
import type { Blobs } from '../../storage/blobs.ts'
import { openBlobs } from '../../storage/open-blobs.ts'
import { openRows } from '../opening-rows.ts'
import type { Progress } from '../output.ts'
import type { Rows, Table } from '../rows.ts'
import { columnsOf, type KeptTable, keptTables } from './dispositions.ts'
import { HEADER_NAME, type Header, PART_CHARACTERS, packRows, partName, ROWS_A_PART } from './layout.ts'
import { archived, rowsOf, type Surroundings, surroundingsOf } from './rows-of-archive.ts'
import { type Sealing, seal } from './sealing.ts'
import { type TarFile, tarOf } from './tar.ts'

export interface WriteOptions {
  config: Pick<Config, 'databaseUrl' | 'blobUrl'>
  path: string
  sealing: Sealing
  progress: Progress
}

export interface ArchiveCounts {
  rows: number
  files: number
  /** Of the sealed file. */
  bytes: number
}

/** Writes a file that only the account of the process may read. It has its name once all of it is on the disk. */
export async function writeArchive(options: WriteOptions): Promise<ArchiveCounts> {
  const path = resolve(options.path)
  if (existsSync(path)) throw new Error(`${path} exists: name a file that does not`)
  await refuseUnready(options.config.databaseUrl)
  const unfinished = `${path}.unfinished`
  const counts: ArchiveCounts = { rows: 0, files: 0, bytes: 0 }
  // One that a killed run left may be readable to others.
  await rm(unfinished, { force: true })
  const file = await open(unfinished, 'wx', 0o600)
  try {
    for await (const chunk of await seal(tarOf(entriesOf(options, counts)), options.sealing)) {
      await file.writeFile(chunk)
      counts.bytes += chunk.length
    }
    await file.sync()
  } catch (error) {
    await file.close()
    await rm(unfinished, { force: true })
    throw error
  }
  await file.close()
  await renameDurably(unfinished, path)
  return counts
}

async function* entriesOf({ config, progress }: WriteOptions, counts: ArchiveCounts): AsyncGenerator<TarFile> {
  const files = new Set<string>()
  yield* tablesOf(config.databaseUrl, { counts, files, progress })
  const blobs = await openBlobs(config.blobUrl)
  try {
    for (const name of [...files].sort()) {
      progress('Writing files', counts.files / files.size)
      yield* fileOf(blobs, name)
      counts.files++
    }
  } finally {
    blobs.close()
  }
}

interface RowSink {
  counts: ArchiveCounts
  /** The names of the files that rows name. */
  files: Set<string>
  progress: Progress
}

/** The header and all rows, of one state. */
async function* tablesOf(url: string, { counts, files, progress }: RowSink): AsyncGenerator<TarFile> {
  const rows = await openRows(url, 'one state')
  try {
    const tables = await rows.tables()
    yield plain(HEADER_NAME, Buffer.from(JSON.stringify(await headerOf(rows))))
    const surroundings = await surroundingsOf(rows, tables)
    for (const [at, name] of keptTables.entries()) {
      progress(`Writing ${name}`, at / keptTables.length)
      const table = tables.find((one) => one.name === name)
      if (!table) throw new Error(`the database has no table ${name}`)
      yield* partsOf(linesOf({ rows, table: orderOf(table), name, surroundings }, files), name, counts)
    }
  } finally {
    await rows.close()
  }
}

const headerOf = async (rows: Rows): Promise<Header> => ({
  format: 'guildhall-archive',
  version: 1,
  at: timestamp(systemClock.now()),
  server: SERVER_VERSION,
  migrations: await rows.migrations(),
  numbers: await rows.numbers(),
})

/** Its key on SQLite is a number that PostgreSQL does not have: an archive has the same order from both. */
const orderOf = (table: Table): Table => (table.name === 'searchText' ? { ...table, key: ['id'] } : table)

interface TableOfRows {
  rows: Rows
  table: Table
  name: KeptTable
  surroundings: Surroundings
}

async function* linesOf({ rows, table, name, surroundings }: TableOfRows, files: Set<string>): AsyncGenerator<string> {
  const columns = columnsOf(name)
  for await (const row of rowsOf(rows, table)) {
    const record = archived({ name, columns }, row, surroundings)
    if (!record) continue
    const file = fileOfRow(name, record)
    if (file) files.add(file.name)
    yield JSON.stringify(record)
  }
}

async function* partsOf(
  lines: AsyncIterable<string>,
  table: KeptTable,
  counts: ArchiveCounts,
): AsyncGenerator<TarFile> {
  let [part, characters, waiting]: [number, number, string[]] = [1, 0, []]
  for await (const line of lines) {
    counts.rows++
    waiting.push(line)
    characters += line.length
    if (waiting.length < ROWS_A_PART && characters < PART_CHARACTERS) continue
    yield plain(partName(table, part++), packRows(waiting))
    waiting = []
    characters = 0
  }
  if (waiting.length > 0) yield plain(partName(table, part), packRows(waiting))
}

const plain = (name: string, bytes: Buffer): TarFile => ({ name, size: bytes.length, bytes: [bytes] })

const missing = (name: string) =>
  new Error(`the file ${name} went while the archive was written, or is missing (verify says): repeat it`)

/** A file; an object has its type before it. */
async function* fileOf({ artifacts, objects }: Blobs, name: string): AsyncGenerator<TarFile> {
  if (name.startsWith('artifacts/')) {
    const sha256 = name.slice('artifacts/'.length)
    const [entry, bytes] = [await artifacts.stat(sha256), await artifacts.read(sha256)]
    if (!entry || !bytes) throw missing(name)
    yield { name, size: entry.size, bytes }
    return
  }
  const object = await objects.get(name)
  if (!object) throw missing(name)
  yield plain(`types/${name}`, Buffer.from(object.contentType))
  yield plain(name, object.bytes)
}
