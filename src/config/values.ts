// Schemas of setting values, and what is said of each. The error of each completes the sentence "set it to ...", and never contains the value.
import { resolve } from 'node:path'
import { z } from 'zod'
import { isPostgres, serverIn } from '../runtime/addresses.ts'

/** The parts of the page of settings, in its order. */
export const sections = [
  'community',
  'looks',
  'parts',
  'sign-up',
  'external',
  'access',
  'moderation',
  'machines',
  'budgets',
  'mail',
  'operator',
  'retention',
  'log',
] as const

export type Section = (typeof sections)[number]

/** How a page asks for a value: `lines` is a text of several lines, `list` has commas between its entries. */
export type SettingInput = 'text' | 'lines' | 'list' | 'number' | 'colour' | 'choice'

/** The description of a setting. All texts are Markdown for the table in docs/settings.md. */
interface About {
  description: string
  /** The default as text. `{NAME}` is replaced by the value of the setting NAME declared before it. */
  default?: string
  /** The effect of a missing setting, in words; needed when there is no default or when it explains little. */
  missing?: string
  /** No message ever repeats the value. */
  secret?: true
  /** Of a secret that is sent to a server: the setting with its address. An admin cannot have it sent to another one. */
  sentTo?: string
  /** The setting may change while the server runs, in this part of the page of settings: then its value may be stored in the database. */
  live?: Section
  /** A line of text unless told. */
  input?: SettingInput
  /** The values of a choice. */
  choices?: readonly string[]
}

/** What is said of each setting, for messages and docs/settings.md. */
export const about = z.registry<About>()

/** A value of another setting may hold a secret too, such as a database URL in PORT. */
const LOOKS_SECRET = /@|"?\bd"?\s*:|-----BEGIN|pass|secret|token|key|[\w+/=-]{32}/i

/** A wrong value, for a message. */
export const quoted = (schema: z.ZodType, value: string): string =>
  about.get(schema)?.secret || LOOKS_SECRET.test(value)
    ? 'not what it must be (its value is not shown, for it may hold a secret)'
    : JSON.stringify(value)

/** Text that `parse` reads; `parse` returns undefined for an invalid one. */
export const parsedBy = <T>(parse: (text: string) => T | undefined, expected: string) =>
  z.string().transform((text, context) => {
    const value = parse(text)
    if (value !== undefined) return value
    context.addIssue(expected)
    return z.NEVER
  })

/** The choices of a switch. */
export const ON_OR_OFF = ['on', 'off'] as const

/** A switch. */
export const onOrOff = () => z.stringbool({ truthy: ['on'], falsy: ['off'], case: 'sensitive', error: 'on or off' })

export const wholeNumber = (min: number, max: number, expected: string) =>
  z.string().regex(/^\d+$/, expected).transform(Number).pipe(z.number().min(min, expected).max(max, expected))

export const port = wholeNumber(0, 65_535, 'a port number from 0 to 65535')

/** An http(s) URL that is only an origin, without a trailing slash. */
export const origin = (example: string) =>
  parsedBy((text) => {
    const url = URL.parse(text)
    const isPlain =
      url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username
    return isPlain ? url.origin : undefined
  }, `an origin such as ${example}, without a path`)

/** An http(s) URL that an OAuth token can name (RFC 8414, 2). */
export const absoluteUrl = (expected: string) =>
  z.string().refine((text) => {
    const url = URL.parse(text)
    return url && /^https?:$/.test(url.protocol) && !url.hash && !url.search && !url.username
  }, expected)

/** An http(s) URL of a service of the operator. */
export const serviceUrl = z.string().refine((text) => {
  const url = URL.parse(text)
  return text.length <= 2_000 && url && /^https?:$/.test(url.protocol) && !url.hash && !url.username
}, 'an https URL, at most 2000 characters, without a name and a fragment')

/** Hosts with their ports, with commas between them. */
export const hostsWithPorts = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter(Boolean),
  )
  .refine(
    (all) => all.every((host) => /^(?:\[[\da-f:.]+\]|[a-z\d.-]+):\d{1,5}$/.test(host)),
    'hosts with their ports and commas between them, such as 127.0.0.1:8081',
  )

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && isPostgres(url.protocol) && url.pathname.length > 1
}

export const postgresUrl = (expected: string) => z.string().refine(isPostgresUrl, expected)

const MOST_REPLICAS = 8

/** Addresses of servers of PostgreSQL, with spaces or commas between them. A comma in a password ends no address. */
export const replicaUrls = parsedBy((text) => {
  const urls = text.split(/[\s,]+(?=\w+:\/\/|$)/).filter(Boolean)
  const isPlain = urls.length <= MOST_REPLICAS && urls.every((url) => !/\s|,[^@]*$/.test(url) && isPostgresUrl(url))
  return isPlain && new Set(urls.map(serverIn)).size === urls.length ? urls : undefined
}, `at most ${MOST_REPLICAS} addresses such as postgres://user:password@host:5432/name, each of another server and with a space or a comma between them, or remove it to read from DATABASE_URL`)

/** `file:` and a folder, made absolute; undefined for anything else. */
function folderUrl(text: string): string | undefined {
  const folder = text.match(/^file:(?:\/\/)?(.+)$/)?.[1]
  return folder && `file:${resolve(folder)}`
}

export const blobUrl = parsedBy(
  (text) => folderUrl(text) ?? (/^s3:\/\/[^/?]+/.test(text) ? text : undefined),
  's3://bucket?endpoint=https://...&region=..., or file:<folder>',
)

export const mailUrl = parsedBy((text) => {
  if (text.startsWith('file:')) return folderUrl(text)
  const url = URL.parse(text)
  return url && /^smtps?:$/.test(url.protocol) && url.hostname ? text : undefined
}, 'smtp://user:password@host:587, smtps://... or file:<folder>')

/** Mail domains with commas between them, in lower case. */
export const domains = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((domain) => domain.trim().toLowerCase())
      .filter(Boolean),
  )
  .refine(
    (all) => all.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)),
    'mail domains with commas between them, such as example.com',
  )

/** Addresses of issuers of ID tokens with commas between them; `off` for none. */
export const issuers = () =>
  z
    .string()
    .transform((text) =>
      text
        .replace(/^ *off *$/, '')
        .split(',')
        .map((issuer) => issuer.trim())
        .filter(Boolean),
    )
    .refine(
      (all) =>
        all.length <= 20 && all.every((issuer) => /^https:\/\/[^\s?#@]{1,500}$/.test(issuer) && URL.canParse(issuer)),
      'at most 20 https addresses with commas between them, such as https://gitlab.com, or off',
    )

/** Names of groups with commas between them, as the external provider spells them. */
export const groups = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((group) => group.trim())
      .filter(Boolean),
  )
  .refine(
    (all) => all.every((group) => /^[^\p{Cc}\p{Cf}]{1,200}$/u.test(group)),
    'names of groups with commas between them, such as staff',
  )

/** Schemes of URIs (RFC 3986, 3.1) with commas between them, in lower case. */
export const schemes = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((scheme) => scheme.trim().toLowerCase().replace(/:$/, ''))
      .filter(Boolean),
  )
  .refine(
    (all) => all.every((scheme) => /^[a-z][a-z0-9+.-]*$/.test(scheme)),
    'schemes of URIs with commas between them, such as myapp',
  )

/** Names out of a list with commas between them, each once. */
export const namesOf = <Name extends string>(all: readonly Name[]) => {
  const isName = (text: string): text is Name => all.some((name) => name === text)
  return parsedBy(
    (text) => {
      const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '')
      return names.every(isName) ? (names as Name[]) : undefined
    },
    `names with commas between them, of ${all.join(', ')}`,
  )
}

/** Email addresses with commas between them, in lower case. */
export const emails = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((email) => email.trim().toLowerCase())
      .filter(Boolean),
  )
  .refine((all) => all.every((email) => /^[^\s@]+@[^\s@]+$/.test(email)), 'email addresses with commas between them')

/** Where people are reached, as a URL: an email address becomes `mailto:`. */
export const contact = parsedBy((text) => {
  if (/^[^\s@<>"]+@[^\s@<>"]+$/.test(text)) return text.startsWith('mailto:') ? text : `mailto:${text}`
  const url = /^https:\/\/[^\s<>"]+$/.test(text) ? URL.parse(text) : null
  return url && !url.username ? url.href : undefined
}, 'an email address or an https URL')
