// The settings by which the server takes mail: replies to what it sent, and what comes back.
import { z } from 'zod'
import { about, hostsWithPorts } from './values.ts'

const MAIL_DOMAIN = /^(?=.{3,180}$)[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/
const AUTHSERV = /^[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?$/

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
