// Scans a file of the library. It always runs in a thread of its own with a deadline (workers), so the server never loads the rules.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { factsOf } from '../../contract/item-kinds.ts'
import { FormatError } from '../../formats/format-error.ts'
import { openArchive } from '../../formats/open-archive.ts'
import { collectGarbageAfter } from '../../runtime/memory.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { Kind } from '../items/item-contract.ts'
import { BEGINNING_BYTES, type Content, contentOf } from './decoding.ts'
import { findHiddenText } from './hidden-text.ts'
import { findInstructions } from './instructions.ts'
import { type Finding, Findings } from './rules.ts'
import { findRunning } from './running.ts'
import { findSecrets } from './secrets.ts'
import { viewOf } from './text-view.ts'
import { RuleTimes } from './windows.ts'

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
  const found = new Findings()
  const scan: Scan = { found, left: { bytes: MAX_BYTES }, times: new RuleTimes() }
  const { archive, carriesPackages } = factsOf(kind)
  if (archive) await scanArchive(path, { ...scan, prefix: '', isVerified: true })
  else {
    const bytes = await readFile(path)
    await scanText({ path: name, bytes }, scan)
    if (carriesPackages) await scanPackages(bytes, scan)
  }
  return found.list
}

interface Scan {
  found: Findings
  left: Budget
  times: RuleTimes
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

async function scanText({ path, bytes, size = bytes.length }: Text, { found, left, times }: Scan): Promise<void> {
  const most = mostOf(left)
  if (size > most) found.add(notRead(path, `is too long to be scanned whole: ${size} bytes`))
  const view = viewOf(path, size > most ? wholeLetters(bytes.subarray(0, most)) : bytes)
  left.bytes -= Math.min(bytes.length, most)
  const ends = [
    await findHiddenText(view, found, times),
    await findInstructions(view, found, times),
    await findRunning(view, found, times),
    await findSecrets(view, found, times),
  ]
  if (ends.includes(false)) found.add(notRead(path, 'takes too long to be scanned whole'))
}

const notRead = (path: string, reason: string) =>
  ({ rule: 'not-read', severity: 'note', path, line: null, reason }) as const

const mostOf = (left: Budget) => Math.min(MAX_FILE_BYTES, left.bytes)

/** Without the letter that the cut went through. */
function wholeLetters(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, Math.max(0, end - 1))
}

/** One entry after the other: what is no text is not kept, and takes nothing from the budget of those that are. */
async function scanArchive(path: string, { prefix, isVerified, ...scan }: ArchiveScan): Promise<void> {
  await using archive = await openArchive(path)
  for (const entry of archive.entries) {
    const name = prefix + entry.path
    const beginning = new Beginning(name, mostOf(scan.left) + 1)
    if (isVerified) await archive.readBeginning(entry, (chunk) => beginning.take(chunk))
    else await archive.read(entry, (chunk) => void beginning.take(chunk))
    const { bytes, content } = beginning
    if (entry.isFolder) continue
    if (content === 'binary') scan.found.add(notRead(name, 'is no text, and was not scanned'))
    if (content !== 'text') continue
    await scanText({ path: name, bytes, size: entry.size }, scan)
    collectGarbageAfter(bytes.length)
  }
}

/** At most so many bytes of an entry; of what is no text only the first ones. */
class Beginning {
  readonly #path: string
  readonly #chunks: Buffer[] = []
  #room: number
  #kept = 0
  #content: Content | undefined

  constructor(path: string, most: number) {
    this.#path = path
    this.#room = Math.max(most, BEGINNING_BYTES)
  }

  /** Gives whether more is wanted. */
  take(chunk: Buffer): boolean {
    if (this.#room === 0 || (this.#content ?? 'text') !== 'text') return false
    const part = Buffer.from(chunk.subarray(0, this.#room))
    this.#chunks.push(part)
    this.#room -= part.length
    this.#kept += part.length
    if (this.#content === undefined && this.#kept >= BEGINNING_BYTES) this.#content = this.content
    return this.#room > 0 && (this.#content ?? 'text') === 'text'
  }

  get content(): Content {
    return this.#content ?? contentOf(this.#path, this.bytes)
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks)
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
    scan.found.add(notRead(prefix.slice(0, -1), 'is a package that could not be scanned'))
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
