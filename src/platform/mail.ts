// How a mail leaves the house: to a folder, one .eml a mail, or to an SMTP server.
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'

export interface Mail {
  id: string
  recipient: string
  subject: string
  /** Plain text; a code stands alone on its line. */
  body: string
}

export interface Mailer {
  /** Resolves once the mail is on disk or taken by the server; rejects when it must be tried again. */
  send(mail: Mail): Promise<void>
  close(): void
}

const SMTP_TIMEOUT_MILLISECONDS = 15_000

/** `url` is `file:<folder>` or `smtp(s)://user:password@host:port`; `from` is the sender's address. */
export function openMailer(url: string, from: string): Mailer {
  return url.startsWith('file:') ? folderMailer(url.slice('file:'.length), from) : smtpMailer(url, from)
}

// Imported when first needed: a server that is idle need not hold a mail library in memory.
const nodemailer = () => import('nodemailer')

const message = (mail: Mail, from: string) => ({ from, to: mail.recipient, subject: mail.subject, text: mail.body })

function folderMailer(folder: string, from: string): Mailer {
  return {
    async send(mail) {
      const { createTransport } = await nodemailer()
      const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
      const { message: bytes } = await composer.sendMail(message(mail, from))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `${mail.id}.eml`)
      await writeFile(`${path}.part`, bytes as Buffer, { mode: 0o600 })
      await rename(`${path}.part`, path)
    },
    close() {},
  }
}

function smtpMailer(url: string, from: string): Mailer {
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
      await transport.sendMail(message(mail, from))
    },
    close: () => transport?.close(),
  }
}
