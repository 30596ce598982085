// The body of a mail, read in a thread of its own: who wrote it may have made it to take long.
import PostalMime from 'postal-mime'
import { ownWords } from './own-words.ts'
import { textOfHtml } from './plain-text.ts'

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
