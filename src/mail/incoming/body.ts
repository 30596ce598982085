// The body of a mail, read in a thread of its own: who wrote it may have made it to take long.
import PostalMime from 'postal-mime'
import sanitize from 'sanitize-html'

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

// The text of a mail that has only HTML: its blocks as lines, without what it quotes. The library reads the HTML; what it writes has the allowed
// elements alone, without attributes, and is turned into text by expressions.

const BLOCKS = ['p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'pre', 'ul', 'ol', 'table', 'hr']
/** What programs put around the mail that is answered, and around signatures. */
const QUOTES =
  /\b(?:gmail_quote|gmail_attr|gmail_signature|gmail_extra|moz-cite-prefix|moz-signature|yahoo_quoted|protonmail_quote)\b/
const OUTLOOK = /^(?:x_)?(?:divRplyFwdMsg|appendonsend|Signature)$/

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }

/** From here on there is what Outlook quotes: it puts no element around that. */
const CUT = '\u{f8ff}'

/** The text of HTML without what it quotes. */
export function textOfHtml(source: string): string {
  const plain = sanitize(source.replaceAll(CUT, '').replace(/[\r\n\t]+/g, ' '), {
    allowedTags: [...BLOCKS, 'br'],
    allowedAttributes: {},
    nestingLimit: 100,
    parseStyleAttributes: false,
    exclusiveFilter: ({ tag, attribs }) => tag === 'blockquote' || QUOTES.test(attribs['class'] ?? ''),
    nonTextTags: ['script', 'style', 'textarea', 'option', 'title', 'head', 'blockquote'],
    transformTags: {
      '*': (tagName, attribs) =>
        OUTLOOK.test(attribs['id'] ?? '') ? { tagName: 'p', attribs: {}, text: CUT } : { tagName, attribs },
    },
  })
  const [own = ''] = plain.split(CUT)
  return own
    .replace(/<br ?\/?>|<\/(?:p|div|li|tr|h[1-3]|pre|ul|ol|table)>|<hr ?\/?>/g, '\n')
    .replace(/<[^<>]{0,20}>/g, '')
    .replace(/&(lt|gt|quot|amp);/g, (_, name) => ENTITIES[name] ?? '')
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
}

const MAX_TEXT_CHARACTERS = 200_000
const MAX_HTML_BYTES = 200_000
/** Of all parts. */
const MAX_HEADER_BYTES = 65_536
export const MAX_NESTING = 5

export interface Words {
  /** Without quoted lines and a signature. */
  words: string
  /** Whether its text is too long to be read. */
  isTooLong: boolean
}

/** What a server says of a mail: it never came, it did not come for now, or its reader does not want it. */
export interface Report {
  kind: 'hard' | 'soft' | 'complaint'
  status: string | null
}

/** Undefined for what is no mail, or deeper than a person's. Mails in a mail are attachments. */
const parsed = (bytes: Uint8Array) =>
  PostalMime.parse(bytes, {
    ...{ maxNestingDepth: MAX_NESTING, maxHeadersSize: MAX_HEADER_BYTES },
    ...{ forceRfc822Attachments: true, maxRfc822NestingDepth: 0 },
  }).catch(() => undefined)

/** The words of the sender of a mail; undefined for what is none. */
export async function readWords(bytes: Uint8Array): Promise<Words | undefined> {
  const mail = await parsed(bytes)
  if (!mail) return undefined
  const { text, html = '' } = mail
  const isPlain = text !== undefined && text.trim() !== ''
  const isTooLong = isPlain ? text.length > MAX_TEXT_CHARACTERS : Buffer.byteLength(html) > MAX_HTML_BYTES
  if (isTooLong) return { words: '', isTooLong }
  return { words: ownWords(isPlain ? text : textOfHtml(html)), isTooLong }
}

/** Of a part with a report; the rest of it says what was sent. */
const MAX_REPORT_BYTES = 10_000
const STATUS = /^status:[ \t]{0,20}([45]\.\d{1,3}\.\d{1,3})/im
const FAILED = /^action:[ \t]{0,20}(?:failed|delayed)\b/im
const COMPLAINT = /^feedback-type:[ \t]{0,20}(?:abuse|fraud|virus|opt-out)\b/im
/** There is no such mailbox, or it is closed (RFC 3463). All else may be over tomorrow: a full mailbox, a list of spammers, a mail that is too large. */
const FOR_GOOD = /^5\.(?:1\.\d{1,3}|2\.1)$/

/** Reads a report on a mail (RFC 3464, RFC 5965); undefined for what is none, or says that all is well. */
export async function readReport(bytes: Uint8Array): Promise<Report | undefined> {
  const mail = await parsed(bytes)
  const type = mail?.headers.find(({ key }) => key === 'content-type')?.value ?? ''
  if (!mail || !/^multipart\/report\b/i.test(type)) return undefined
  const partOf = (mimeType: string) => {
    const content = mail.attachments.find((part) => part.mimeType === mimeType)?.content
    return typeof content === 'string' ? content : new TextDecoder().decode(content?.slice(0, MAX_REPORT_BYTES))
  }
  if (COMPLAINT.test(partOf('message/feedback-report'))) return { kind: 'complaint', status: null }
  const delivery = partOf('message/delivery-status')
  const status = STATUS.exec(delivery)?.[1]
  if (status === undefined || !FAILED.test(delivery)) return undefined
  return { kind: FOR_GOOD.test(status) ? 'hard' : 'soft', status }
}
