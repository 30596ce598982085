// The settings by which the server takes mail: replies to what it sent, and what comes back.
import { z } from 'zod'
import { isLoopback } from '../runtime/addresses.ts'
import { about, hostsWithPorts } from './values.ts'

const MAIL_DOMAIN = /^(?=.{3,180}$)[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/
/** The mailbox that an address of IMAP (RFC 5092) names; undefined for what is none, or would send its password in clear. */
function mailboxIn(text: string) {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'imaps:' && url.protocol !== 'imap:')) return undefined
  const isTls = url.protocol === 'imaps:'
  if (url.username === '' || url.password === '' || url.hostname === '' || url.search !== '') return undefined
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!isTls && !isLoopback(url.hostname)) return undefined
  const [user, password, folder] = [url.username, url.password, url.pathname.slice(1)].map(decodeURIComponent)
  const port = Number(url.port || (isTls ? 993 : 143))
  return { host, port, isTls, user: user ?? '', password: password ?? '', folder: folder || 'INBOX' }
}

const AUTHSERV = /^[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?$/

const IMAP_FORM = 'imaps://user:password@host/folder, or imap:// to this machine'

/** Undefined where a part is not encoded as addresses are. */
function safely<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

export const replySettings = {
  REPLY_DOMAIN: z
    .string()
    .toLowerCase()
    .regex(MAIL_DOMAIN, 'a mail domain such as reply.guild.example')
    .optional()
    .register(about, {
      missing: 'mails about notifications cannot be answered',
      description:
        'the mail domain to which [replies](../content/docs/mail.md#replies) to mails about notifications go; its mail has to reach `SMTP_LISTEN`',
    }),
  SMTP_LISTEN: hostsWithPorts
    .refine((all) => all.length === 1, 'one host with its port, such as 127.0.0.1:2525')
    .transform(([place = '']) => {
      const at = place.lastIndexOf(':')
      return { host: place.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(place.slice(at + 1)) }
    })
    .optional()
    .register(about, {
      missing: 'no mail is taken',
      description:
        'where the server takes mail for `REPLY_DOMAIN`, and for nothing else, by SMTP without TLS: `127.0.0.1:2525`. Your mail server forwards it there',
    }),
  REPLY_IMAP_URL: z
    .string()
    .transform((text, context) => {
      const mailbox = safely(() => mailboxIn(text))
      if (!mailbox) context.addIssue({ code: 'custom', message: IMAP_FORM })
      return mailbox ?? z.NEVER
    })
    .optional()
    .register(about, {
      missing: 'no mailbox is read',
      description:
        'a mailbox to which your provider sends the mail of `REPLY_DOMAIN`, read each minute in place of `SMTP_LISTEN`: `imaps://user:password@imap.guild.example/Replies`. It needs `TRUSTED_AUTHSERV`',
      secret: true,
    }),
  TRUSTED_AUTHSERV: z
    .string()
    .toLowerCase()
    .regex(AUTHSERV, 'the name of a mail server, such as mx.guild.example')
    .optional()
    .register(about, {
      missing: 'Guildhall checks DKIM, SPF and DMARC itself',
      description:
        'the name by which your mail server signs its `Authentication-Results` (RFC 8601); what it says of DMARC counts then. It must remove headers of others with this name',
    }),
}
