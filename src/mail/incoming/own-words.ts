// What a person wrote in a reply, without what the mail program put below or above it: the mail that is answered, and a signature. Each line is
// looked at once, by expressions whose time grows with its length alone, and long lines are not looked at: hostile mails cost no more than others.

/** A longer line is a paragraph of a person. */
const LONGEST = 400
/** A program may break the line that says who wrote: `On ... at ... <address>` and `wrote:`. */
const BROKEN_OVER = 3

/** `On Sun, 29 Nov 2026 at 10:00, Guildhall <address> wrote:` and the same in German, as one line. */
const BEGINS = /^(?:on|am|il|le|el)\s/i
const ENDS = /(?:\bwrote|\bschrieb|\ba écrit|\bescribió|\bha scritto)\s?:$/i
/** `Am 29.11.2026 um 10:00 schrieb Guildhall <address>:` */
const GERMAN = /^am\s.{1,300}\sschrieb\b.{0,300}:$/i
const NAMED = /^.{1,200}<[^<>\s]{3,200}>\s(?:wrote|schrieb)\b.{0,100}:$/i
/** `-----Original Message-----`, a line of underscores, and the heads that Outlook and others put above what is answered. */
const SEPARATOR =
  /^(?:-{2,}\s?(?:original message|forwarded message|ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht)\s?-{2,}|_{10,})$/i
const HEAD_FROM = /^\*?(?:from|von):\*?\s.*\S/i
const HEAD_NEXT = /^\*?(?:sent|date|to|subject|gesendet|datum|an|betreff):\*?(?:\s|$)/i
/** Lines with which programs sign: `Sent from my iPhone`. */
const SIGNED_BY =
  /^(?:sent from my \S.{0,60}|sent from outlook\b.{0,60}|get outlook for \S.{0,200}|von meinem \S.{0,40} gesendet|gesendet von \S.{0,60}|gesendet mit der \S.{0,60}|holen sie sich outlook\b.{0,200})$/i

/** The first line of our mails that are answered, in all languages: what follows is ours. Where it is quoted, there may be words of the sender below. */
const ABOVE =
  /^[\s*_|-]{0,20}(?:write your reply above this line|schreibe deine antwort über diese zeile)[\s*_|-]{0,20}$/i
/** What a program puts above it, in a language that we do not know: `Op 29 nov 2026 om 10:00 schreef Guildhall <address>:` */
const UNKNOWN_INTRODUCTION = /\d.{0,300}:$/

const isShort = (line: string) => line.length <= LONGEST

/** How many lines say who wrote what follows; 0 where none does. */
function introductionAt(lines: readonly string[], at: number): number {
  let joined = ''
  for (let count = 1; count <= BROKEN_OVER; count++) {
    const line = lines[at + count - 1]?.trim()
    if (line === undefined || line === '' || !isShort(line)) return 0
    joined = joined === '' ? line : `${joined} ${line}`
    if (!isShort(joined)) return 0
    if ((BEGINS.test(joined) && ENDS.test(joined)) || GERMAN.test(joined) || NAMED.test(joined)) return count
    if (count === 1 && !BEGINS.test(joined) && !joined.includes('<')) return 0
  }
  return 0
}

const isHead = (lines: readonly string[], at: number) =>
  HEAD_FROM.test(lines[at] ?? '') && HEAD_NEXT.test((lines[at + 1] ?? '').trim())

/** Whether what is answered begins here, with all that follows. */
function isEnd(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  if (line === '-- ' || line === '--') return true
  if (!isShort(line)) return false
  const plain = line.trim()
  if (SEPARATOR.test(plain) || SIGNED_BY.test(plain)) return true
  return isHead([plain, lines[at + 1] ?? ''], 0)
}

const isQuoted = (line: string | undefined) => line?.startsWith('>') === true

/** Up to where there are words beside quoted lines. */
const lastOwn = (lines: readonly string[]) => lines.findLastIndex((line) => !isQuoted(line) && line.trim() !== '')

/** Whether all that follows an introduction is what is answered: words between quoted lines, or below them, are those of the sender. */
function isAnswered(lines: readonly string[], { below, last }: { below: number; last: number }): boolean {
  let next = below
  while (next < lines.length && lines[next]?.trim() === '') next++
  return !isQuoted(lines[next]) || next > last
}

/** The lines above our mail, without what introduces it. */
function aboveOurs(lines: string[]): string[] {
  const at = lines.findIndex((line) => isShort(line) && ABOVE.test(line.trim()))
  if (at === -1) return lines
  const end = lines.findLastIndex((line, index) => index < at && /[^\s>]/.test(line))
  const last = lines[end]?.trim() ?? ''
  return lines.slice(0, isShort(last) && UNKNOWN_INTRODUCTION.test(last) ? end : at)
}

/** The words of the sender; empty where there are none. */
export function ownWords(text: string): string {
  const lines = aboveOurs(text.split(/\r\n|[\n\r\u2028\u2029]/))
  const last = lastOwn(lines)
  const own: string[] = []
  for (let at = 0; at < lines.length; at++) {
    if (isEnd(lines, at)) break
    const introduced = introductionAt(lines, at)
    if (introduced > 0) {
      if (isAnswered(lines, { below: at + introduced, last })) break
      at += introduced - 1
    } else if (!isQuoted(lines[at])) own.push((lines[at] ?? '').trimEnd())
  }
  return own
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
