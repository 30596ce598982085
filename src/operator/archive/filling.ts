// Reads an archive into a new database of SQLite beside the instance, and checks all of it there: nothing of the instance is written before
// every row, reference, count and file is known to be right. Then the log begins again, and the search is built.
import { createHash } from 'node:crypto'
import { UNFINISHED_MOVE } from '../../database/applied.ts'
import { countedAs } from '../../database/before-first-release.ts'
import { openDatabase } from '../../database/open.ts'
import type { Db } from '../../database/schema.ts'
import { type FileOfRow, fileOfRow } from '../../database/stored.ts'
import { backfillLog } from '../../library/library.ts'
import { systemClock, timestamp } from '../../runtime/clock.ts'
import { outageOf } from '../../runtime/outage.ts'
import { buildBatch, resetBuild } from '../../search/building.ts'
import { searchSources } from '../../search-sources.ts'
import { readHashedType } from '../../storage/blobs.ts'
import { verifyRows } from '../../verify/verify.ts'
import type { Progress } from '../output.ts'
import type { Table, WritableRows } from '../rows.ts'
import { writeSqliteRows } from '../sqlite-rows.ts'
import { readRow, type Shapes, shapesOf } from './checking-rows.ts'
import { columnsOf, isKept, type KeptTable } from './dispositions.ts'
import type { Header } from './layout.ts'
import { type ArchivedFile, type ArchiveVisitor, readArchive, type SealedFile } from './reading.ts'
import { isAsWritten } from './rows-of-archive.ts'
import { ArchiveError } from './sealing.ts'

export interface FillOptions {
  archive: SealedFile
  /** Of the new database. */
  path: string
  progress: Progress
  /** Whether what the checks of rows find is a warning and no refusal. */
  isUnverified: boolean
  complain: (sentence: string) => void
}

export interface ImportSummary {
  header: Header
  rows: number
  /** The files that its rows name. */
  files: ReadonlyMap<string, FileOfRow>
}

/** Fills a new database. Throws an ArchiveError for what is wrong with the archive. */
export async function fillDatabase(options: FillOptions): Promise<ImportSummary> {
  const filled = await fill(options)
  await complete(options)
  return filled
}

async function fill({ archive, path, progress }: FillOptions): Promise<ImportSummary> {
  await openDatabase(path).then(({ db }) => db.destroy())
  const shapes = shapesOf(path)
  const to = writeSqliteRows(path)
  try {
    await clearKept(to)
    const filling = new Filling(to, shapes, progress)
    await readArchive(archive, filling)
    const filled = filling.end()
    await to.setNumbers(filled.header.numbers)
    await to.finish().catch((error: unknown) => {
      throw outageOf(error) ? error : new ArchiveError((error as Error).message, { cause: error })
    })
    return filled
  } finally {
    await to.close()
  }
}

/** Removes what migrations wrote to tables that the archive has; in the others it is as in any new instance. */
async function clearKept(to: WritableRows): Promise<void> {
  for (const table of await to.tables()) {
    if (!isKept(table.name)) continue
    for (let rows = await to.page(table, undefined, 1_000); rows.length > 0; ) {
      await to.remove(table, rows)
      rows = await to.page(table, undefined, 1_000)
    }
  }
}

class Filling implements ArchiveVisitor {
  readonly #to: WritableRows
  readonly #shapes: Shapes
  readonly #progress: Progress
  readonly #files = new Map<string, FileOfRow>()
  readonly #seen = new Set<string>()
  #header: Header | undefined
  #rows = 0

  constructor(to: WritableRows, shapes: Shapes, progress: Progress) {
    this.#to = to
    this.#shapes = shapes
    this.#progress = progress
  }

  async onHeader(header: Header): Promise<void> {
    const own = (await this.#to.migrations()).filter((name) => name !== UNFINISHED_MOVE)
    const ran = countedAs(header.migrations)
    const other = [...ran.filter((name) => !own.includes(name)), ...own.filter((name) => !ran.includes(name))]
    if (other.length > 0) {
      throw new ArchiveError(
        `the archive is of Guildhall ${JSON.stringify(header.server)}, whose database has another shape (${other.slice(0, 3).join(', ')}): import it with that version, then upgrade`,
      )
    }
    this.#header = header
  }

  async onLines(table: KeptTable, lines: readonly string[]): Promise<void> {
    const columns = columnsOf(table)
    const shape = this.#shapes.get(table) ?? []
    const rows = lines.map((line) => {
      const record = readRow(table, shape, line)
      if (!isAsWritten(table, record))
        throw new ArchiveError(`a row of ${table} in the archive is one that no server writes to it`)
      const file = fileOfRow(table, record)
      if (file) this.#files.set(file.name, file)
      return columns.map((column) => record[column] ?? null)
    })
    const described: Table = { name: table, columns, key: [] }
    await this.#to.insert(described, rows).catch((error: unknown) => {
      if (outageOf(error)) throw error
      throw new ArchiveError(`rows of ${table} in the archive contradict one another`, { cause: error })
    })
    this.#rows += rows.length
    this.#progress(`Reading ${table}: ${this.#rows} rows`)
  }

  async onFile(file: ArchivedFile): Promise<void> {
    const { name, size } = file
    const expected = this.#files.get(name)
    if (!expected || this.#seen.has(name)) throw new ArchiveError(`no row names the file ${name}, or it is there twice`)
    this.#seen.add(name)
    if (expected.size !== null && expected.size !== size && file.sha256 !== undefined) throw damaged(name)
    const hash = createHash('sha256')
    for await (const chunk of file.bytes) hash.update(chunk)
    const actual = hash.digest('hex')
    const hashes = [file.sha256 ?? expected.sha256 ?? actual, readHashedType(file.contentType ?? '').sha256]
    if (!hashes.includes(actual)) throw damaged(name)
    this.#progress(`Checking files: ${this.#seen.size}`, this.#seen.size / this.#files.size)
  }

  end(): ImportSummary {
    const missing = [...this.#files.keys()].find((name) => !this.#seen.has(name))
    if (missing !== undefined)
      throw new ArchiveError(`the archive does not have the file ${missing}, which a row names`)
    if (!this.#header) throw new ArchiveError('the archive has no header')
    return { header: this.#header, rows: this.#rows, files: this.#files }
  }
}

const damaged = (name: string) => new ArchiveError(`the file ${name} of the archive is not what its row says`)

/** What is made of the rows again; and the checks that `verify` makes of them. */
async function complete(options: FillOptions): Promise<void> {
  const { path, progress, isUnverified, complain } = options
  const { db } = await openDatabase(path)
  try {
    progress('Beginning the log of the library')
    for (let after: string | undefined = ''; after !== undefined; ) after = await backfillLog(db, after)
    progress('Building the search')
    await resetBuild(db)
    while (await buildBatch({ db, sources: searchSources, now: () => timestamp(systemClock.now()) }));
    const problems = await problemsOf(db)
    for (const problem of problems) complain(problem)
    if (problems.length > 0 && !isUnverified)
      throw new ArchiveError(`its rows contradict one another (${problems[0]}); --unverified takes it all the same`)
  } finally {
    await db.destroy()
  }
}

async function problemsOf(db: Db): Promise<string[]> {
  const problems: string[] = []
  await verifyRows({ db }, (sentence) => problems.push(sentence)).catch((error: unknown) => {
    if (outageOf(error)) throw error
    problems.push(`its rows cannot be checked: ${(error as Error).message}`)
  })
  return problems
}
