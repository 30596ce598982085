// Prepares exports in the background: reads what an account made a page at a time, and streams it into an archive. Nothing is read within
// a transaction. A process that ends leaves its export to another one, which begins it again.
import { Readable } from 'node:stream'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { allBoards } from '../content/board-access/boards.ts'
import { standingsOfAccount } from '../content/board-access/reading.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { type Letter, letter } from '../mail/words.ts'
import type { Dependencies } from '../request/handler.ts'
import { after, timestamp } from '../runtime/clock.ts'
import { allRows } from '../runtime/pages.ts'
import { artifact, storeThenInsert } from '../storage/blob-lifecycle.ts'
import type { Blobs } from '../storage/blobs.ts'
import { fileKinds, listFiles, listRows, type OwnFile, sections } from './export-data-queries.ts'
import * as queries from './export-queries.ts'

// A zip archive that is written as it is read: neither the archive nor one of its files is ever in memory as a whole.

interface ZipEntry {
  name: string
  /** Text shrinks; archives and pictures are stored as they are. */
  compress: boolean
  chunks: AsyncIterable<Uint8Array>
}

/** JSON shrinks well at a low level, and costs little. */
const LEVEL = 4

/** The bytes of an archive of these entries. It has no 64-bit sizes: all of it must stay below 4 GiB and 65,535 entries. */
async function* zipped(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let failure: Error | null = null
  const zip = new Zip((error, chunk) => {
    if (error) failure = error
    else waiting.push(chunk)
  })
  const written = () => {
    if (failure) throw failure
    const chunks = waiting
    waiting = []
    return chunks
  }
  for await (const { name, compress, chunks } of entries) {
    const file = compress ? new ZipDeflate(name, { level: LEVEL }) : new ZipPassThrough(name)
    zip.add(file)
    for await (const chunk of chunks) {
      // The writer keeps or changes what it is given.
      file.push(Uint8Array.from(chunk))
      yield* written()
    }
    file.push(new Uint8Array(0), true)
    yield* written()
  }
  zip.end()
  yield* written()
}

export type ExportDependencies = Pick<Dependencies, 'db' | 'blobs' | 'clock' | 'outbox' | 'config'>

/** Below what a zip archive without 64-bit sizes can hold. What does not fit is listed in the archive. */
const MAX_BYTES = 3 * 1024 ** 3
const MAX_FILES = 60_000
const KEPT_SECONDS = 7 * 86_400

/** Tells the account that its export could not be prepared. */
export async function giveUpExport({ db, clock, outbox, config }: ExportDependencies, id: string): Promise<void> {
  const now = timestamp(clock.now())
  await db.transaction().execute(async (transaction) => {
    const waiting = await queries.findWaiting(transaction, id)
    const failed = { failedAt: now, expiresAt: after(now, KEPT_SECONDS) }
    if (!waiting || !(await queries.stepExport(transaction, { id, to: 'failed' }, failed))) return
    await outbox.enqueue(transaction, { recipient: waiting.email, ...exportFailedMail(config.baseUrl) })
  })
}

/** Lets an export that was given up wait again. */
export async function retryExport(db: Transaction, id: string): Promise<void> {
  await queries.stepExport(db, { id, to: 'waiting' }, { failedAt: null, expiresAt: null })
}

/** The same entries. While they are read, their work is this process's. */
async function* holding(entries: AsyncIterable<ZipEntry>, renew: () => Promise<void>): AsyncGenerator<ZipEntry> {
  const held = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      await renew()
      yield chunk
    }
  }
  for await (const entry of entries) {
    await renew()
    yield { ...entry, chunks: held(entry.chunks) }
  }
}

/** Prepares an export, if it still waits. `bounds` are for tests. */
export async function prepareExport(
  { db, blobs, clock, outbox, config }: ExportDependencies,
  { id, renew }: { id: string; renew: () => Promise<void> },
  bounds = { bytes: MAX_BYTES, files: MAX_FILES },
): Promise<void> {
  const waiting = await queries.findWaiting(db, id)
  if (!waiting) return
  const { userId, email } = waiting
  const placed = await boardsOfExport({ db, config }, userId)
  const archive = new Archive(db, blobs, { userId, bounds, placed })
  const stream = Readable.from(zipped(holding(archive.entries(), renew)))
  const staged = await blobs.artifacts.stage(stream, { maxBytes: 2 * MAX_BYTES })
  const { sha256, size } = staged
  const ready = storeThenInsert(db, artifact(blobs, staged), async (transaction) => {
    const readyAt = timestamp(clock.now())
    const expiresAt = after(readyAt, KEPT_SECONDS)
    const row = { readyAt, expiresAt, sha256, size, files: archive.files }
    if (!(await queries.stepExport(transaction, { id, to: 'ready' }, row))) return
    await outbox.enqueue(transaction, { recipient: email, ...exportMail(config.baseUrl, { expiresAt, size }) })
  })
  await ready.finally(() => blobs.artifacts.discard(staged))
}

interface OmittedFile {
  name: string
  why: 'too large' | 'missing'
}

type PlaceRow = Awaited<ReturnType<typeof boardsOfExport>>

interface ArchiveOptions {
  userId: string
  bounds: { bytes: number; files: number }
  placed: PlaceRow
}

/** What is written into an archive. */
class Archive {
  readonly #db: Db
  readonly #blobs: Blobs
  readonly #userId: string
  readonly #bounds: { bytes: number; files: number }
  /** Names boards in rows. */
  readonly #placed: PlaceRow
  readonly #left: OmittedFile[] = []
  #bytes = 0
  files = 0

  constructor(db: Db, blobs: Blobs, { userId, bounds, placed }: ArchiveOptions) {
    this.#db = db
    this.#blobs = blobs
    this.#userId = userId
    this.#bounds = bounds
    this.#placed = placed
  }

  async *entries(): AsyncGenerator<ZipEntry> {
    for (const [name, section] of Object.entries(sections)) {
      const page = (from: string, limit: number) =>
        listRows(this.#db, section, { userId: this.#userId, after: from, limit })
      yield this.#entry(
        `${name}.json`,
        true,
        jsonOf(
          allRows('', page, ({ key }) => key),
          this.#placed,
        ),
      )
    }
    for (const kind of fileKinds) {
      const page = (from: string, limit: number) =>
        listFiles(this.#db, kind, { userId: this.#userId, after: from, limit })
      for await (const file of allRows('', page, ({ place }) => place)) {
        const chunks = await this.#open(file)
        if (chunks) yield this.#entry(file.name, false, chunks)
      }
    }
    if (this.#left.length > 0) yield this.#entry('left-out.json', true, textOf(JSON.stringify(this.#left, null, 2)))
  }

  #entry(name: string, compress: boolean, chunks: AsyncIterable<Uint8Array>): ZipEntry {
    this.files++
    return { name, compress, chunks }
  }

  async #open({ name, size, sha256, object }: OwnFile): Promise<AsyncIterable<Uint8Array> | undefined> {
    if (this.files >= this.#bounds.files || this.#bytes + size > this.#bounds.bytes) {
      this.#left.push({ name, why: 'too large' })
      return undefined
    }
    const found = sha256 ? await this.#blobs.artifacts.read(sha256) : await this.#readObject(object)
    if (!found) this.#left.push({ name, why: 'missing' })
    else this.#bytes += size
    return found
  }

  async #readObject(key: string | null): Promise<AsyncIterable<Uint8Array> | undefined> {
    const found = key === null ? undefined : await this.#blobs.objects.get(key)
    return found && Readable.from([found.bytes])
  }
}

async function* textOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** An array in JSON, row by row. */
async function* jsonOf(rows: AsyncIterable<{ key?: unknown }>, placed: PlaceRow): AsyncGenerator<Uint8Array> {
  let waiting = '['
  let separator = '\n'
  for await (const row of rows) {
    const { key: _key, ...columns } = row
    const shown = placed(columns)
    if (!shown) continue
    waiting += `${separator}${JSON.stringify(shown)}`
    separator = ',\n'
    if (waiting.length < 65_536) continue
    yield Buffer.from(waiting)
    waiting = ''
  }
  yield Buffer.from(`${waiting}\n]\n`)
}

/** After an export was prepared. It has no link to the archive itself: that asks for a credential. */
const exportMail = (baseUrl: string, { expiresAt, size }: { expiresAt: string; size: number }): Letter =>
  letter((t) => ({
    subject: t('mails.export.subject'),
    body: t('mails.export.body', { baseUrl, size: t.bytes(size), day: t.day(expiresAt) }),
  }))

/** After an export failed for good. */
const exportFailedMail = (baseUrl: string): Letter =>
  letter((t) => ({ subject: t('mails.exportFailed.subject'), body: t('mails.exportFailed.body', { baseUrl }) }))

// The boards of what an export has, by their addresses. Of a board that the account does not read an export says nothing.

type Row = Readonly<Record<string, unknown>>

/**
 * A row with the address of its board in the place of the id: the first board has none, as in the API. Undefined for what the account was told of a
 * thing that is in a closed board which it does not read (`closedBoardId`).
 */
export async function boardsOfExport(
  dependencies: Pick<Dependencies, 'db' | 'config'>,
  userId: string,
): Promise<(row: Row) => Row | undefined> {
  const standings = await standingsOfAccount(dependencies, userId)
  const read = (await allBoards(dependencies.db)).filter(({ id }) => standings?.get(id)?.read)
  const slugs = new Map<unknown, string>(read.map(({ id, slug }) => [id, slug]))
  return ({ closedBoardId = null, ...row }) => {
    if (closedBoardId !== null && !slugs.has(closedBoardId)) return undefined
    if (!('boardId' in row)) return row
    const { boardId, ...rest } = row
    const slug = slugs.get(boardId)
    if (slug === undefined) return rest
    const path = typeof rest['path'] === 'string' && { path: rest['path'].replace(String(boardId), slug) }
    return { ...rest, ...path, board: slug }
  }
}
