// The settings of what works with the server from outside: the widget on other sites, other trackers, chats, machines of the operator, and mail
// that comes.
import { z } from 'zod'
import { isLoopback } from '../runtime/addresses.ts'
import { about, hostsWithPorts, ON_OR_OFF, onOrOff, serviceUrl, wholeNumber } from './values.ts'

// The settings of the widget: which sites may show it, and what they are believed.

const MAX_WIDGET_SITES = 20

/**
 * An origin as browsers write it: https, or http of this machine, for trying it out. A policy would take `*` in a name for any name, and has no
 * words for an IPv6 address (Content Security Policy 3, `host-char`).
 */
function isSite(text: string): boolean {
  const url = URL.parse(text)
  if (url?.origin !== text || text.length > 200 || !/^[a-z\d.-]+$/.test(url.hostname)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

const sites = () =>
  z
    .string()
    .transform((text) => [
      ...new Set(
        text
          .split(',')
          .map((site) => site.trim().replace(/\/$/, ''))
          .filter(Boolean),
      ),
    ])
    .refine(
      (all) => all.length <= MAX_WIDGET_SITES && all.every(isSite),
      `at most ${MAX_WIDGET_SITES} https origins with commas between them, such as https://app.example; none of an IPv6 address`,
    )

export const widgetSettings = {
  WIDGET_SITES: sites().register(about, {
    default: '',
    missing: 'none: the widget is off',
    live: 'external',
    input: 'list',
    description:
      'the sites that may show the [widget](../content/docs/widget.md), as https origins with commas between them: `https://app.example`; a policy of browsers cannot name an IPv6 address',
  }),
  WIDGET_EMAILS: onOrOff().register(about, {
    default: 'off',
    live: 'external',
    input: 'choice',
    choices: ON_OR_OFF,
    description:
      'whether these sites prove addresses: a new account of the widget then has the address that the site signed, unless it is that of an account',
  }),
}

/** Where other trackers are asked. */
export const trackerSettings = {
  GITHUB_API_URL: serviceUrl.register(about, {
    default: 'https://api.github.com',
    description:
      "where GitHub's REST API is, for [two ways with GitHub](../content/docs/tracker-sync.md): of GitHub Enterprise Server `https://<host>/api/v3`",
  }),
  GITLAB_API_URL: serviceUrl.register(about, {
    default: 'https://gitlab.com/api/v4',
    description:
      "where GitLab's REST API is, for [two ways with GitLab](../content/docs/tracker-sync.md): of a GitLab of your own `https://<host>/api/v4`",
  }),
  LINEAR_API_URL: serviceUrl.register(about, {
    default: 'https://api.linear.app/graphql',
    description: "where Linear's GraphQL API is, for [two ways with Linear](../content/docs/tracker-sync.md)",
  }),
}

/** By what requests of chats for the slash command are known. Without them the command is off. */
export const chatSettings = {
  SLACK_SIGNING_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, '16 to 200 characters without spaces')
    .optional()
    .register(about, {
      missing: 'off',
      description:
        'the signing secret of an app of Slack whose [slash command](../content/docs/chat.md#slack) is taken at `/api/chat/slack`',
      secret: true,
    }),
  DISCORD_PUBLIC_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, '64 hexadecimal digits')
    .optional()
    .register(about, {
      missing: 'off',
      description:
        'the public key of an application of Discord whose [command](../content/docs/chat.md#discord) is taken at `/api/chat/discord`',
    }),
}

/** Services of the operator that read what members write: a classifier of spam, and a machine that members can ask. */
export const machineSettings = {
  PRIVATE_SERVICES: hostsWithPorts.register(about, {
    default: '',
    missing: 'none',
    description:
      'hosts with their ports in your own network, or without https, that CLASSIFIER_URL and AI_URL may name, as in `127.0.0.1:8081, spam.internal:443`',
  }),
  CLASSIFIER_URL: serviceUrl.optional().register(about, {
    missing: 'none',
    live: 'machines',
    description:
      'a classifier of yours that gets each new text of a member and can have it wait for a moderator; see [the handbook](../content/docs/machines.md#a-classifier-of-spam)',
  }),
  CLASSIFIER_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/, '`whsec_` and 24 to 64 random bytes in base64')
    .optional()
    .register(about, {
      missing: 'none',
      live: 'machines',
      description: 'signs what is sent there, as webhooks are signed: `whsec_` and 24 to 64 random bytes in base64',
      secret: true,
    }),
  AI_URL: serviceUrl.optional().register(about, {
    missing: 'none',
    live: 'machines',
    description:
      'the URL of chat completions, as OpenAI has them, of a machine that members can ask: it summarizes, suggests and translates; see [the handbook](../content/docs/machines.md#a-machine-to-ask)',
  }),
  AI_MODEL: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, '1 to 200 characters without spaces')
    .optional()
    .register(about, { missing: 'none', live: 'machines', description: 'the model that is asked there' }),
  AI_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, '1 to 500 characters without spaces')
    .optional()
    .register(about, {
      ...{ missing: 'none', live: 'machines', description: 'its key, as a bearer token' },
      ...{ secret: true, sentTo: 'AI_URL' },
    }),
  AI_EMBEDDINGS_MODEL: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, '1 to 200 characters without spaces')
    .optional()
    .register(about, {
      missing: 'none',
      live: 'machines',
      description:
        'the model of embeddings there, in `/embeddings` beside `/chat/completions`: things with a similar meaning are found too; see [the handbook](../content/docs/machines.md#similar-things-by-meaning)',
    }),
  AI_DAILY_TOKENS: wholeNumber(1_000, 1_000_000_000, 'a whole number from 1000 to 1000000000').register(about, {
    default: '200000',
    live: 'machines',
    input: 'number',
    description:
      'how many tokens of it the instance uses up in a day at most, questions and answers together; half of them at most for what things mean',
  }),
}

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
