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
import { findInstructions } from './instructions.ts'
import { type Finding, Findings, type Severity } from './rules.ts'
import { findRunning } from './running.ts'
import { findSecrets } from './secrets.ts'
import { type TextView, viewOf } from './text-view.ts'
import { RuleTimes, type Window, windowsOf } from './windows.ts'

// Text that people do not see: directions that reorder what is shown (Trojan Source, CVE-2021-42574), tag characters and runs of
// variation selectors that carry whole sentences, and characters without a width.

const SUSPECTS =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is looked for by itself
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u{e0000}-\u{e01ef}]/u
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/u
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
/** A black flag and the tags of a region are one picture (Unicode Technical Standard 51). */
const FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,8}\u{e007f}/gu
const TAG = /[\u{e0000}-\u{e007f}]/u
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}/u
/** Joiners belong to scripts and pictures; between Latin letters they only hide. */
const JOINED_LATIN = /[A-Za-z0-9][\u200c\u200d]+[A-Za-z0-9]/u
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is looked for by itself
const NO_WIDTH = /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0]/gu
const MANY = 8

const kinds: { severity: Severity; reason: string; test(line: string): boolean }[] = [
  {
    severity: 'severe',
    reason: 'tag characters, which people do not see and models read',
    test: (line) => TAG.test(line.replace(FLAG, '')),
  },
  {
    severity: 'severe',
    reason: 'a row of variation selectors, which can carry a hidden message',
    test: (line) => SELECTORS.test(line),
  },
  {
    severity: 'severe',
    reason: 'characters that change the direction of the text, so that it reads otherwise than it runs',
    test: (line) => DIRECTION.test(line) && !RIGHT_TO_LEFT.test(line),
  },
  {
    severity: 'suspicious',
    reason: `${MANY} or more characters without a width, which can carry a hidden message`,
    test: (line) => (line.match(NO_WIDTH)?.length ?? 0) >= MANY,
  },
  {
    severity: 'suspicious',
    reason: 'joiners between Latin letters, which make two words look like one',
    test: (line) => JOINED_LATIN.test(line),
  },
  { severity: 'note', reason: 'a character without a width', test: (line) => line.search(NO_WIDTH) !== -1 },
]

const SIZES = { size: 32_768, more: 300 }

/** Gives whether it came to the end. */
function findHiddenText(view: TextView, found: Findings, times: RuleTimes): Promise<boolean> {
  return times.through('hidden-text', windowsOf(view.text, SIZES), (window) => {
    if (SUSPECTS.test(window.text)) findInLines(view, found, window)
  })
}

function findInLines(view: TextView, found: Findings, { text, from, end }: Window): void {
  let at = 0
  for (const line of text.split('\n')) {
    if (at >= end) break
    // A byte order mark at the start of a file does not count.
    const seen = from + at === 0 ? line.replace(/^\ufeff/, '') : line
    const kind = SUSPECTS.test(seen) ? kinds.find(({ test }) => test(seen)) : undefined
    if (kind) {
      const { severity, reason } = kind
      found.add({ rule: 'hidden-text', severity, reason, path: view.path, line: view.placeOf(from + at).line })
    }
    at += line.length + 1
  }
}

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
