// Reads an archive from its beginning to its end, in the one order that there is: the header, the tables, the files. It hands on what is
// in it and keeps no more than a part of a table, or an object, in memory.
import { stat } from 'node:fs/promises'
import { type KeptTable, keptTables } from './dispositions.ts'
import {
  type Entry,
  entryOf,
  FREE_BYTES,
  HEADER_NAME,
  type Header,
  MOST_HEADER_BYTES,
  MOST_OBJECT_BYTES,
  MOST_PART_BYTES,
  MOST_RATIO,
  MOST_TYPE_BYTES,
  readHeader,
  unpackRows,
} from './layout.ts'
import { ArchiveError, unseal } from './sealing.ts'
import { filesIn, type TarFile } from './tar.ts'

/** A stored file of an archive. */
export interface ArchivedFile {
  /** As a row names it: `artifacts/` and a hash, or the key of an object. */
  name: string
  /** Of an artifact alone. */
  sha256: string | undefined
  /** Of an object alone. */
  contentType: string | undefined
  size: number
  bytes: AsyncIterable<Uint8Array>
}

/** What is done with an archive, each part in its turn. */
export interface ArchiveVisitor {
  onHeader(header: Header): Promise<void>
  onLines(table: KeptTable, lines: readonly string[]): Promise<void>
  onFile(file: ArchivedFile): Promise<void>
}

export interface SealedFile {
  path: string
  passphrase: string
}

const disorder = (name: string) => new ArchiveError(`the archive has ${name} where it does not belong`)

/** Reads all of it. Throws an ArchiveError for what is no archive, or was changed. */
export async function readArchive({ path, passphrase }: SealedFile, visitor: ArchiveVisitor): Promise<void> {
  const place = new Place(FREE_BYTES + MOST_RATIO * (await stat(path)).size)
  let isBegun = false
  for await (const file of filesIn(await unseal(path, passphrase))) {
    if (isBegun) {
      await place.visit(file, visitor)
      continue
    }
    if (file.name !== HEADER_NAME) throw new ArchiveError('this is no archive of an instance')
    await visitor.onHeader(readHeader(await whole(file, MOST_HEADER_BYTES)))
    isBegun = true
  }
  if (!isBegun) throw new ArchiveError('the archive is empty')
}

/** How far an archive was read. */
class Place {
  #table = -1
  #part = 0
  #isAtFiles = false
  #type: { key: string; contentType: string } | undefined
  #bytesLeft: number

  constructor(mostBytes: number) {
    this.#bytesLeft = mostBytes
  }

  async visit(file: TarFile, visitor: ArchiveVisitor): Promise<void> {
    const entry = entryOf(file.name)
    const type = this.#type
    this.#type = undefined
    if (entry.kind === 'part') return this.#visitPart(file, entry, visitor)
    this.#isAtFiles = true
    if (entry.kind === 'type') {
      const contentType = (await whole(file, MOST_TYPE_BYTES)).toString('latin1')
      if (type !== undefined || !/^[\x20-\x7e]+$/.test(contentType)) throw disorder(file.name)
      this.#type = { key: entry.key, contentType }
      return
    }
    const { name, sha256 } = entry
    if (sha256 === undefined ? type?.key !== name : type !== undefined) throw disorder(name)
    if (sha256 === undefined && file.size > MOST_OBJECT_BYTES) throw new ArchiveError(`${name} is too large`)
    const { size, bytes } = file
    await visitor.onFile({
      name,
      sha256,
      contentType: type?.contentType,
      size,
      bytes: bytes as AsyncIterable<Uint8Array>,
    })
  }

  async #visitPart(
    file: TarFile,
    { table, part }: Extract<Entry, { kind: 'part' }>,
    visitor: ArchiveVisitor,
  ): Promise<void> {
    const at = keptTables.indexOf(table)
    const isNext = at === this.#table ? part === this.#part + 1 : at > this.#table && part === 1
    if (!isNext || this.#isAtFiles) throw disorder(file.name)
    this.#table = at
    this.#part = part
    const { lines, bytes } = unpackRows(await whole(file, MOST_PART_BYTES))
    this.#bytesLeft -= bytes
    if (this.#bytesLeft < 0) throw new ArchiveError('the archive unpacks to far more than it is')
    await visitor.onLines(table, lines)
  }
}

/** The bytes of a file, which has at most so many. */
export async function whole({ name, size, bytes }: Omit<TarFile, 'sha256'>, most: number): Promise<Buffer> {
  if (size > most) throw new ArchiveError(`${name} is too large`)
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}
