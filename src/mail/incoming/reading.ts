// Reading mails that came, in threads: within bounds, and for a time.
import { GivenUp, inThread, jobOf, type Worker } from '../../workers/workers.ts'
import type { Report, readReport, readWords, Words } from './body.ts'

// What the bytes of a mail may hold before it is taken apart: a reader of mails takes much longer over many parts and lines than over large ones.

export const MAX_LINES = 20_000
export const MAX_PARTS = 20
const MAX_BOUNDARIES = 20

const NEWLINE = 10
const BOUNDARY = /\bboundary[ \t]{0,20}=[ \t\r\n]{0,20}(?:"([^"\r\n]{0,200})"?|([^\s;"]{1,200}))/gi
/** A boundary in pieces (RFC 2231): each line that may be one counts. */
const IN_PIECES = /\bboundary\*/i

function countLines(bytes: Buffer): number {
  let count = 1
  for (let at = bytes.indexOf(NEWLINE); at !== -1 && count <= MAX_LINES; at = bytes.indexOf(NEWLINE, at + 1)) {
    if (at + 1 < bytes.length) count++
  }
  return count
}

/** The beginnings of lines at which parts begin, as the bytes name them. */
function delimitersIn(text: string): ReadonlySet<string> {
  if (IN_PIECES.test(text)) return new Set(['--'])
  const found = new Set<string>()
  for (const [, quoted, plain] of text.matchAll(BOUNDARY)) {
    found.add(`--${(quoted ?? plain ?? '').trimEnd()}`)
    if (found.size > MAX_BOUNDARIES) break
  }
  return found
}

function isPart(line: string, delimiters: ReadonlySet<string>): boolean {
  for (const delimiter of delimiters) {
    if (line.startsWith(delimiter) && !line.startsWith(`${delimiter}--`)) return true
  }
  return false
}

/** Whether a mail has at most so many lines and parts; what is in doubt counts as a part. */
export function isWithinBounds(bytes: Buffer): boolean {
  if (countLines(bytes) > MAX_LINES) return false
  const text = bytes.toString('latin1')
  const delimiters = delimitersIn(text)
  if (delimiters.size > MAX_BOUNDARIES) return false
  let parts = 0
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.startsWith('--') && isPart(line, delimiters) && ++parts > MAX_PARTS) return false
  }
  return true
}

export type { Report, Words }

/** Of a whole mail, with its attachments. */
export const MAX_MAIL_BYTES = 1024 * 1024
const MAX_MILLISECONDS = 3_000

/** A mail as a server gave it to us. */
export interface TakenMail {
  bytes: Buffer
  /** The sender of the envelope; empty for what must not be answered (RFC 5321, 4.5.5). */
  sender: string
  recipient: string
  /** The network address of the server that gave it, and its name as it said it. */
  address: string
  helo: string
}

const bodyModule = import.meta.resolve('./body.ts')
const wordsJob = jobOf<typeof readWords>(bodyModule, 'readWords', MAX_MILLISECONDS)
const reportJob = jobOf<typeof readReport>(bodyModule, 'readReport', MAX_MILLISECONDS)

/** What a job read; undefined where it took too long, or too much memory. */
async function inTime<Output>(reading: Promise<Output>): Promise<Output | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof GivenUp) return undefined
    throw error
  }
}

/** The words of the sender of a mail; undefined for what cannot be read. */
export const wordsIn = async (bytes: Buffer, by: string | Worker): Promise<Words | undefined> =>
  isWithinBounds(bytes) ? inTime(inThread(wordsJob, bytes, by)) : undefined

/** The report in a mail; undefined for what is none. */
export const reportIn = async (bytes: Buffer, by: string | Worker): Promise<Report | undefined> =>
  isWithinBounds(bytes) ? inTime(inThread(reportJob, bytes, by)) : undefined
