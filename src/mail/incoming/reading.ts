// A mail that came, as far as it is looked at.
import type { Header } from 'postal-mime'
import { ownWords } from './own-words.ts'
import { textOfHtml } from './plain-text.ts'

/** Of a whole mail, with its attachments. */
export const MAX_MAIL_BYTES = 1024 * 1024
/** It is read in the thread that answers requests; a comment is much shorter, and the rest is what is answered. */
const MAX_TEXT_CHARACTERS = 200_000
const MAX_HEADER_BYTES = 65_536
const MAX_NESTING = 20

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

export interface ReadMail {
  /** In lower case; undefined where there is none, or more than one. */
  from: string | undefined
  messageId: string | undefined
  /** The values of the headers with a name in lower case, topmost first. */
  header(name: string): readonly string[]
  /** Without quoted lines and a signature. */
  words: string
  /** Whether its text is too long to be read. */
  isTooLong: boolean
}

/** Undefined for what is no mail. */
async function parsed(bytes: Buffer) {
  const { default: PostalMime } = await import('postal-mime')
  const options = { maxNestingDepth: MAX_NESTING, maxHeadersSize: MAX_HEADER_BYTES }
  return PostalMime.parse(bytes, options).catch(() => undefined)
}

/** Reads a mail; undefined for what is none. */
export async function readMail(bytes: Buffer): Promise<ReadMail | undefined> {
  const mail = await parsed(bytes)
  if (!mail) return undefined
  const values = (name: string) => valuesOf(mail.headers, name)
  const { text, html = '' } = mail
  const isPlain = text !== undefined && text.trim() !== ''
  const isTooLong = (isPlain ? text : html).length > MAX_TEXT_CHARACTERS
  const own = isPlain ? text : textOfHtml(isTooLong ? '' : html)
  return {
    from: values('from').length === 1 ? mail.from?.address?.trim().toLowerCase() : undefined,
    messageId: mail.messageId,
    header: values,
    words: isTooLong ? '' : ownWords(own),
    isTooLong,
  }
}

const valuesOf = (headers: readonly Header[], name: string) =>
  headers.filter(({ key }) => key === name).map(({ value }) => value)

/** Whether a program wrote it by itself (RFC 3834, 5; RFC 2919), or it came from us: it is never answered, and never becomes anything. */
export function isAutomatic(mail: ReadMail, { sender, own }: { sender: string; own: (address: string) => boolean }) {
  const said = (name: string) => mail.header(name).map((value) => value.trim().toLowerCase())
  return (
    sender === '' ||
    said('auto-submitted').some((value) => !/^no\b/.test(value)) ||
    said('precedence').some((value) => ['bulk', 'junk', 'list', 'auto_reply'].includes(value)) ||
    said('x-auto-response-suppress').some((value) => value !== 'none') ||
    ['list-id', 'list-unsubscribe', 'x-autoreply', 'x-autorespond'].some((name) => mail.header(name).length > 0) ||
    [sender, mail.from ?? ''].some(own)
  )
}

/** What a server says of a mail: it never came, it did not come for now, or its reader does not want it. */
export interface Report {
  kind: 'hard' | 'soft' | 'complaint'
  status: string | null
}

/** Of a part with a report; the rest of it says what was sent. */
const MAX_REPORT_BYTES = 10_000
const STATUS = /^status:[ \t]{0,20}([45]\.\d{1,3}\.\d{1,3})/im
const FAILED = /^action:[ \t]{0,20}(?:failed|delayed)\b/im
const COMPLAINT = /^feedback-type:[ \t]{0,20}(?:abuse|fraud|virus|opt-out)\b/im

/** Reads a report on a mail (RFC 3464, RFC 5965); undefined for what is none, or says that all is well. */
export async function readReport(bytes: Buffer): Promise<Report | undefined> {
  const mail = await parsed(bytes)
  const [type = ''] = mail ? valuesOf(mail.headers, 'content-type') : []
  if (!mail || !/^multipart\/report\b/i.test(type)) return undefined
  const partOf = (mimeType: string) => {
    const content = mail.attachments.find((part) => part.mimeType === mimeType)?.content
    return typeof content === 'string' ? content : new TextDecoder().decode(content?.slice(0, MAX_REPORT_BYTES))
  }
  if (COMPLAINT.test(partOf('message/feedback-report'))) return { kind: 'complaint', status: null }
  const delivery = partOf('message/delivery-status')
  const status = STATUS.exec(delivery)?.[1]
  if (status === undefined || !FAILED.test(delivery)) return undefined
  return { kind: status.startsWith('5') ? 'hard' : 'soft', status }
}
