// Mail transports: a folder with one .eml file per mail, or an SMTP server.
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'
import type { Config } from '../config/config.ts'
import { type AddedLanguages, FALLBACK } from '../contract/languages.ts'
import { makeDurableFolder, renameDurably } from '../runtime/durable.ts'
import { OutageError, reasonOf } from '../runtime/outage.ts'
import { htmlOf } from './html.ts'

// Headers by which mail programs sort: mails about one thing refer to one message that was never sent (RFC 5322, 3.6.4), so that they are a thread, and
// mails that come by themselves name their list (RFC 2919).

/** A thing that several mails are about: its type and id. */
export type MailThread = `${string}.${string}`

export const threadOf = ({ targetType, targetId }: { targetType: string; targetId: string }): MailThread =>
  `${targetType}.${targetId}`

const hostOf = (baseUrl: string) => new URL(baseUrl).hostname

/** What a mail is called, for each attempt to send it, and the thread that it is in. */
function threadHeaders({ id, thread }: { id: string; thread?: MailThread | undefined }, baseUrl: string) {
  const root = thread && `<thread.${thread}@${hostOf(baseUrl)}>`
  return {
    messageId: `<mail.${id}@${hostOf(baseUrl)}>`,
    ...(root && { inReplyTo: root, references: root }),
  }
}

/** Of a mail that its reader can end: the list that it comes from. */
const listHeaders = (
  { unsubscribeUrl }: { unsubscribeUrl?: string | null | undefined },
  { baseUrl, name }: { baseUrl: string; name: string },
) => (unsubscribeUrl ? { list: { id: { url: `notifications.${hostOf(baseUrl)}`, comment: name } } } : {})

const BEGIN = /^Thread: ([a-z_]+\.[\da-f-]{36})\n\n/

/** The text as it is stored: its thread is in it, for nothing about what a mail tells is stored in the open. */
export const withThread = (body: string, thread: MailThread | undefined): string =>
  thread === undefined ? body : `Thread: ${thread}\n\n${body}`

export function readThread(stored: string): { body: string; thread?: MailThread } {
  const [line, thread] = BEGIN.exec(stored) ?? []
  return line === undefined ? { body: stored } : { body: stored.slice(line.length), thread: thread as MailThread }
}

export interface Mail {
  id: string
  recipient: string
  subject: string
  /** Of the HTML part around the text; English unless told. */
  language?: string
  /** Plain text, from which the HTML part is made; a code is on a separate line. */
  body: string
  /** Where its reader ends such mails with one click (RFC 8058); none for what has to be read. */
  unsubscribeUrl?: string | null
  /** Where its reader answers it; none for what is not answered. */
  replyTo?: string | null
  /** What it is about, with other mails: programs show these as one thread. */
  thread?: MailThread | undefined
  /** The sender of its envelope, where that is not the sender of the mail. */
  returnPath?: string
}

export interface Mailer {
  /** Resolves once the mail is on disk or taken by the server; rejects when it must be tried again. */
  send(mail: Mail): Promise<void>
  close(): void
}

const SMTP_TIMEOUT_MILLISECONDS = 15_000
/** A server may take its time with each answer; one that takes longer in all counts as away. */
export const LONGEST_SECONDS = 240

/** No code in a mail is good for as long, and names and addresses are in it. */
const KEEP_FILES_MILLISECONDS = 86_400_000

/** The default mail folder. */
export const defaultMailUrl = (dataDir: string): string => `file:${join(dataDir, 'mail')}`

/** Removes mail older than a day from the default folder. The operator maintains a configured one. */
export async function deleteOldMails({ mailUrl, dataDir }: { mailUrl: string; dataDir: string }, now: number) {
  if (mailUrl !== defaultMailUrl(dataDir)) return
  const folder = mailUrl.slice('file:'.length)
  for (const name of await readdir(folder).catch(() => [])) {
    if (!/\.eml(\.part)?$/.test(name)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && now - found.mtimeMs > KEEP_FILES_MILLISECONDS) await rm(path, { force: true })
  }
}

interface Sender {
  /** The sender's address, asked for with each mail. */
  readonly from: string
  /** The origin of this server: what its mails link to. */
  baseUrl: string
  /** The name of this server. */
  name: string
  readonly accent?: string | undefined
  /** A PNG: mail programs show no SVG. */
  readonly logo?: Config['logo']
  /** Those that the operator added. */
  readonly languages?: AddedLanguages
}

/** The sender as the configuration says it at each mail. */
export const senderOf = (
  config: Pick<Config, 'mailFrom' | 'baseUrl' | 'name' | 'accent' | 'logo' | 'languages'>,
): Sender => ({
  languages: config.languages,
  get from() {
    return config.mailFrom
  },
  baseUrl: config.baseUrl,
  get name() {
    return config.name
  },
  get accent() {
    return config.accent
  },
  get logo() {
    return config.logo
  },
})

/** `url` is `file:<folder>` or `smtp(s)://user:password@host:port`. */
export function openMailer(url: string, sender: Sender): Mailer {
  return url.startsWith('file:') ? folderMailer(url.slice('file:'.length), sender) : smtpMailer(url, sender)
}

// Imported when first needed: a server that is idle need not hold a mail library in memory.
const nodemailer = () => import('nodemailer')

const LOGO = 'logo'
const INLINE = { contentType: 'image/png', contentDisposition: 'inline' as const }
const isPng = (logo: Sender['logo']): logo is NonNullable<Sender['logo']> => logo?.contentType === 'image/png'

const message = (
  { recipient: to, subject, body: text, unsubscribeUrl, replyTo, language = FALLBACK, ...mail }: Mail,
  { from, baseUrl, name, accent, logo, languages }: Sender,
) => ({
  ...{ from, to, subject, text },
  ...threadHeaders(mail, baseUrl),
  ...listHeaders({ unsubscribeUrl }, { baseUrl, name }),
  ...(replyTo && { replyTo }),
  html: htmlOf({
    subject,
    text,
    baseUrl,
    name,
    accent,
    language,
    languages,
    ...(isPng(logo) && { logo: `cid:${LOGO}` }),
  }),
  ...(isPng(logo) && { attachments: [{ filename: 'logo.png', content: logo.bytes, cid: LOGO, ...INLINE }] }),
  headers: {
    // A program wrote it, so that programs which answer mails leave it alone (RFC 3834, 5).
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl && {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  },
})

function folderMailer(folder: string, sender: Sender): Mailer {
  return {
    async send(mail) {
      const { createTransport } = await nodemailer()
      const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
      const { message: bytes } = await composer.sendMail(message(mail, sender))
      await makeDurableFolder(folder)
      const path = join(folder, `${mail.id}.eml`)
      await writeFile(`${path}.part`, bytes, { mode: 0o600, flush: true })
      await renameDurably(`${path}.part`, path)
    },
    close() {},
  }
}

function smtpMailer(url: string, sender: Sender): Mailer {
  let transport: Transporter | undefined
  return {
    async send(mail) {
      transport ??= (await nodemailer()).createTransport({
        url,
        pool: true,
        connectionTimeout: SMTP_TIMEOUT_MILLISECONDS,
        greetingTimeout: SMTP_TIMEOUT_MILLISECONDS,
        socketTimeout: SMTP_TIMEOUT_MILLISECONDS,
      })
      const sending = transport
      const { returnPath: from, recipient: to } = mail
      const sent = { ...message(mail, sender), ...(from && { envelope: { from, to } }) }
      await inTime(sending.sendMail(sent), () => {
        transport = undefined
        sending.close()
      }).catch((cause) => refuse(cause, url))
    },
    close: () => transport?.close(),
  }
}

/** Rejects when sending takes too long, after `giveUp`. */
async function inTime<T>(sending: Promise<T>, giveUp: () => void): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    giveUp()
    late.reject(new Error(`it took more than ${LONGEST_SECONDS} s`))
  }, LONGEST_SECONDS * 1_000)
  return Promise.race([sending, late.promise]).finally(() => clearTimeout(timer))
}

/** SMTP answers that are about this mail or its recipient, not about the server (RFC 5321, 4.2.1). */
const isRefusal = ({ responseCode }: { responseCode?: number }) => responseCode !== undefined && responseCode >= 500

/** The error with the name of the server: a code such as ESOCKET alone explains nothing. */
function refuse(cause: Error & { responseCode?: number }, url: string): never {
  const { hostname, port } = new URL(url)
  const reason = reasonOf(cause)
  if (isRefusal(cause)) throw new Error(`The mail server ${hostname} refused the mail: ${reason}`, { cause })
  throw new OutageError(
    {
      store: 'mail',
      kind: 'away',
      reason: `The mail server ${hostname}${port && `:${port}`} does not take mail: ${reason}`,
    },
    { cause },
  )
}
