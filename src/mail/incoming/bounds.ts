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
