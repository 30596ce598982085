// The files of an export, as they are on disk: archives (.zip, .tar.gz) are unpacked into a folder of their own, under names that we choose, and go when
// the reading ends. Pictures are set apart from records. Nothing of an archive is trusted but its bytes, and these have bounds.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import yauzl from 'yauzl'
import { oneLine } from '../../contract/storable.ts'
import { quote } from '../format-error.ts'
import { SourceError, type SourceFile } from './record.ts'

/** A file as it was sent: its name there, and where it is here. */
export interface ExportFile {
  name: string
  path: string
}

export interface OpenedExport {
  /** What records are read from. */
  files: SourceFile[]
  /** Pictures, by their path within the export. */
  pictures: ReadonlyMap<string, SourceFile>
  [Symbol.asyncDispose](): Promise<void>
}

/** Of all archives of an import together. */
const MAX_ENTRIES = 50_000
const MAX_UNPACKED_BYTES = 4 * 1024 * 1024 * 1024
/** An archive may not become larger than this, or than 200 times its size. */
const FREE_BYTES = 64 * 1024 * 1024
const MAX_RATIO = 200
const MAX_PATH = 1_000

const ARCHIVE = /\.(?:zip|tar\.gz|tgz)$/i
const PICTURE = /\.(?:png|jpe?g|webp)$/i
/** What an archive has for readers; other files of it are neither records nor pictures. */
const RECORDS = /\.(?:json|jsonl|ndjson|csv|tsv)$/i

/** Opens files of an export. Close it with `await using`. Throws `SourceError` for an archive that cannot be taken. */
export async function openExport(given: readonly ExportFile[]): Promise<OpenedExport> {
  const folder = await mkdtemp(join(tmpdir(), 'import-'))
  const unpacking = new Unpacking(folder)
  try {
    const files: ExportFile[] = []
    for (const file of given) files.push(...(ARCHIVE.test(file.name) ? await unpacking.unpack(file) : [file]))
    if (files.every(({ name }) => PICTURE.test(name))) throw new SourceError('expected files with records')
    return {
      files: files.filter(({ name }) => !PICTURE.test(name)).map(sourceFile),
      pictures: new Map(files.filter(({ name }) => PICTURE.test(name)).map((file) => [file.name, sourceFile(file)])),
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

const sourceFile = ({ name, path }: ExportFile): SourceFile => ({ name, read: () => createReadStream(path) })

class Unpacking {
  readonly #folder: string
  #entries = 0
  #bytes = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  async unpack({ name, path }: ExportFile): Promise<ExportFile[]> {
    const { size } = await stat(path)
    const most = Math.max(FREE_BYTES, size * MAX_RATIO)
    try {
      return await (/\.zip$/i.test(name) ? this.#zip(path, most) : this.#tar(path, most))
    } catch (error) {
      if (error instanceof SourceError) throw new SourceError(`${quote(name)}: ${error.message}`)
      if (isOfDisk(error)) throw error
      throw new SourceError(`${quote(name)} is no archive that can be read: ${oneLine(String(error)).slice(0, 200)}`)
    }
  }

  async #zip(path: string, most: number): Promise<ExportFile[]> {
    const zip = await yauzl.openPromise(path, { autoClose: false })
    const found: ExportFile[] = []
    const end = this.#bytes + most
    try {
      for await (const entry of zip.eachEntry()) {
        if (entry.isEncrypted()) throw new SourceError('expected an archive without a password')
        const name = this.#taken(entry.fileName)
        if (name !== undefined)
          found.push({ name, path: await this.#keep(await zip.openReadStreamPromise(entry), end) })
      }
    } finally {
      zip.close()
    }
    return found
  }

  async #tar(path: string, most: number): Promise<ExportFile[]> {
    const found: ExportFile[] = []
    const end = this.#bytes + most
    const unzipped = createGunzip()
    const entries = extract()
    // A stream that fails ends the others, and the loop below with its error.
    const flow = pipeline(createReadStream(path), unzipped, this.#within(most), entries)
    flow.catch(() => {})
    for await (const entry of entries) {
      const name = entry.header.type === 'file' ? this.#taken(entry.header.name) : undefined
      if (name === undefined) entry.resume()
      else found.push({ name, path: await this.#keep(entry as unknown as Readable, end) })
    }
    await flow
    return found
  }

  /** Skipped entries count too. */
  #within(most: number): Transform {
    let bytes = 0
    return new Transform({
      transform(chunk: Buffer, _, done) {
        bytes += chunk.length
        done(bytes > most * 2 ? tooLarge() : null, chunk)
      },
    })
  }

  /** The name of an entry that is of use. */
  #taken(name: string): string | undefined {
    if (++this.#entries > MAX_ENTRIES) throw new SourceError(`expected at most ${MAX_ENTRIES} files`)
    if (name.length > MAX_PATH || name.endsWith('/')) return undefined
    const path = name.replace(/^(?:\.\/)+/, '')
    if (path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')) return undefined
    return PICTURE.test(path) || RECORDS.test(path) ? path : undefined
  }

  async #keep(bytes: Readable, end: number): Promise<string> {
    const path = join(this.#folder, String(this.#entries))
    const count = (chunk: Buffer) => {
      this.#bytes += chunk.length
      return this.#bytes > Math.min(end, MAX_UNPACKED_BYTES) ? tooLarge() : null
    }
    const counted = new Transform({ transform: (chunk: Buffer, _, done) => done(count(chunk), chunk) })
    await pipeline(bytes, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    return path
  }
}

const tooLarge = () =>
  new SourceError('expected at most 4 GiB, and at most 200 times the size of an archive, when it is unpacked')

/** A full disk is no fault of the archive. */
const isOfDisk = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)

/** The bytes of a file; undefined for one that is larger. */
export async function bytesWithin(file: SourceFile, most: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of file.read()) {
    size += chunk.length
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
