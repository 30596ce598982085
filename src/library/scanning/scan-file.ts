// Scans a file of the library. It always runs in a thread of its own with a deadline (workers), so the server never loads the rules.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Archive } from '../../formats/archive.ts'
import { FormatError } from '../../formats/format-error.ts'
import { collectGarbageAfter } from '../../runtime/memory.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { Kind } from '../item-contract.ts'
import { findHiddenText } from './hidden-text.ts'
import { findInstructions } from './instructions.ts'
import { type Finding, Found } from './rules.ts'
import { findRunning } from './running.ts'
import { findSecrets } from './secrets.ts'
import { BINARY_BYTES, hasZero, viewOf } from './text-view.ts'

/** So much is read of one file, and of all files together. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024
const MAX_BYTES = 16 * 1024 * 1024
/** So many packages within a workflow are opened. */
const MAX_PACKAGES = 20

interface Budget {
  bytes: number
}

/**
 * @param path of a file that its format accepts
 * @param name what findings call it
 */
export async function scanFile({ kind, path, name }: { kind: Kind; path: string; name: string }): Promise<Finding[]> {
  const found = new Found()
  const left: Budget = { bytes: MAX_BYTES }
  if (kind === 'automation') await scanArchive(path, { prefix: '', isVerified: true, found, left })
  else {
    const bytes = await readFile(path)
    await scanText({ path: name, bytes }, { found, left })
    if (kind === 'workflow') await scanPackages(bytes, { found, left })
  }
  return found.list
}

interface Scan {
  found: Found
  left: Budget
}

interface ArchiveScan extends Scan {
  /** Stands before the paths in findings. */
  prefix: string
  /** Its format has read all of it just now: of what is no text only the beginning is read again. */
  isVerified: boolean
}

/** `bytes` are the beginning of a text of `size` bytes. */
interface Text {
  path: string
  bytes: Buffer
  size?: number
}

async function scanText({ path, bytes, size = bytes.length }: Text, { found, left }: Scan): Promise<void> {
  const most = mostOf(left)
  if (size > most) {
    const reason = `is too long to be scanned whole: ${size} bytes`
    found.add({ rule: 'not-read', severity: 'note', path, line: null, reason })
  }
  const view = viewOf(path, size > most ? wholeLetters(bytes.subarray(0, most)) : bytes)
  if (!view) return
  left.bytes -= Math.min(bytes.length, most)
  findHiddenText(view, found)
  findInstructions(view, found)
  findRunning(view, found)
  await findSecrets(view, found)
}

const mostOf = (left: Budget) => Math.min(MAX_FILE_BYTES, left.bytes)

/** Without the letter that the cut went through. */
function wholeLetters(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, Math.max(0, end - 1))
}

/** One entry after the other: what is no text is not kept, and takes nothing from the budget of those that are. */
async function scanArchive(path: string, { prefix, isVerified, found, left }: ArchiveScan): Promise<void> {
  await using archive = await Archive.open(path)
  for (const entry of archive.entries) {
    const beginning = new Beginning(mostOf(left) + 1)
    if (isVerified) await archive.readBeginning(entry, (chunk) => beginning.take(chunk))
    else await archive.read(entry, (chunk) => void beginning.take(chunk))
    const { bytes } = beginning
    if (!bytes || entry.isFolder) continue
    await scanText({ path: prefix + entry.path, bytes, size: entry.size }, { found, left })
    collectGarbageAfter(bytes.length)
  }
}

/** At most so many bytes of an entry, if it is a text. */
class Beginning {
  readonly #chunks: Buffer[] = []
  #room: number
  #seen = 0
  #isText = true

  constructor(most: number) {
    this.#room = most
  }

  /** Gives whether more is wanted. */
  take(chunk: Buffer): boolean {
    if (this.#seen < BINARY_BYTES && hasZero(chunk.subarray(0, BINARY_BYTES - this.#seen))) this.#isText = false
    this.#seen += chunk.length
    if (!this.#isText) this.#chunks.length = 0
    if (!this.#isText || this.#room === 0) return false
    const part = Buffer.from(chunk.subarray(0, this.#room))
    this.#chunks.push(part)
    this.#room -= part.length
    return this.#room > 0
  }

  /** Undefined for what is no text. */
  get bytes(): Buffer | undefined {
    return this.#isText ? Buffer.concat(this.#chunks) : undefined
  }
}

/** The packages that a workflow carries (formats.md, section 3). */
async function scanPackages(bytes: Buffer, scan: Scan): Promise<void> {
  if (!bytes.includes('"mpkg"')) return
  const { automations } = parseJson<{ automations?: unknown }>(bytes.toString('utf8'))
  if (typeof automations !== 'object' || automations === null) return
  for (const [index, [id, value]] of Object.entries(automations).entries()) {
    const base64: unknown = value?.mpkg
    if (typeof base64 !== 'string' || base64 === '') continue
    const prefix = `${id.slice(0, 100)}.mpkg/`
    const isRead = index < MAX_PACKAGES && (await scanPackage(base64, { ...scan, prefix }))
    if (isRead) continue
    const reason = 'is a package that could not be scanned'
    scan.found.add({ rule: 'not-read', severity: 'note', path: prefix.slice(0, -1), line: null, reason })
  }
}

/** Whether it was a package. */
async function scanPackage(base64: string, scan: Scan & { prefix: string }): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'scan-'))
  try {
    const path = join(folder, 'package.mpkg')
    await writeFile(path, Buffer.from(base64, 'base64'))
    await scanArchive(path, { ...scan, isVerified: false })
    return true
  } catch (error) {
    if (error instanceof FormatError) return false
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
