// The environment, read once and checked whole. A bad value stops the start with a sentence that says what to change.
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { join, resolve } from 'node:path'
import { type Budgets, defaultBudgets } from './budgets/rules.ts'
import { BUDGETS_EXPECTED, parseBudgets } from './budgets/setting.ts'
import { type LogLevel, logLevels } from './platform/log.ts'
import { defaultMailUrl } from './platform/mail.ts'
import { warnOfUnknown } from './setting-names.ts'

/** What an operator can set (README.md lists it; behaviour.md, section 0). */
export interface Config {
  port: number
  host: string
  /** The public origin, without a slash at its end. Never guessed from a request. */
  baseUrl: string
  /** An origin of its own for files that members uploaded; undefined where the main one serves them, in a sandbox. */
  filesUrl: string | undefined
  /** Whether anybody but this machine can reach the origin: then defaults that are only good at home are refused. */
  publicOrigin: boolean
  dataDir: string
  /** `postgres://...` or the path of a SQLite file. */
  databaseUrl: string
  /** `file:<folder>` or `s3://bucket/prefix?endpoint=...&region=...`. */
  blobUrl: string
  mailUrl: string
  mailFrom: string
  /** Addresses whose accounts become admins once their mailbox is proven; lower case. */
  adminEmails: readonly string[]
  /** How many proxies stand in front, whose X-Forwarded-For entries count. */
  trustProxy: number
  rateLimits: boolean
  /** What may be written, stored, mailed and registered; lifted by `rateLimits` too. */
  budgets: Budgets
  /** The client that needs no registration: the desktop and command-line agent. */
  agentClientId: string
  /** The `resource` that makes an access token a JWT, and its audience. */
  agentAudience: string
  /** `iss`, and the issuer in the metadata; endpoints stay below the base URL. */
  issuer: string
  /** What signs JWTs; undefined means the key that is kept in the data folder. */
  signingKey: SigningKey | undefined
  /** Public keys that signed before and stay published. */
  previousKeys: readonly SigningKey[]
  /** A port on loopback where /metrics and the details of /readyz are served; then the public listener has neither. */
  metricsPort: number | undefined
  /** The bearer token that opens them, from anywhere. */
  metricsToken: string | undefined
  logLevel: LogLevel
  /** The colour of the site's buttons and votes, `#rrggbb`; undefined for the site's own. */
  accent: string | undefined
  /** Answers are checked against their contracts, and mailed codes are printed. */
  development: boolean
  /** What does not stop a start, and should be known: a sentence each. */
  warnings: readonly string[]
}

/** An Ed25519 key as a JWK (RFC 8037) with a name; `d` is there when it is private. */
export interface SigningKey {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  d?: string
  kid: string
}

/** What is wrong with the environment: one sentence a setting. */
export class ConfigError extends Error {
  constructor(complaints: readonly string[]) {
    super(complaints.join('\n'))
    this.name = 'ConfigError'
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings out of `environment`; throws `ConfigError` with everything that is wrong. */
export function readConfig(environment: Environment): Config {
  const complaints: string[] = []
  const known = new Set<string>()
  const setting = (name: string) => {
    known.add(name)
    return environment[name]?.trim() || undefined
  }

  function read<T>(name: string, fallback: T, parse: (value: string) => T | undefined, expected: string): T {
    const value = setting(name)
    if (value === undefined) return fallback
    const parsed = parse(value)
    if (parsed === undefined) complaints.push(`${name} is ${quoted(name, value)}; set it to ${expected}.`)
    return parsed ?? fallback
  }

  const port = read('PORT', 3000, wholeNumber(0, 65_535), 'a port number from 0 to 65535')
  const host = setting('HOST') ?? '127.0.0.1'
  const baseUrl = read(
    'BASE_URL',
    `http://localhost:${port}`,
    origin,
    'an origin such as https://guild.example, without a path',
  )
  const dataDir = resolve(setting('DATA_DIR') ?? './data')
  const publicOrigin = !isLoopback(new URL(baseUrl).hostname)
  const rateLimits = read('RATE_LIMITS', true, onOrOff, 'on or off')
  if (!rateLimits && publicOrigin) {
    complaints.push(
      `RATE_LIMITS is off, but ${baseUrl} can be reached by others; remove it, or use a BASE_URL on localhost.`,
    )
  }
  const filesUrl = read('FILES_URL', undefined, origin, 'an origin such as https://files.example, without a path')
  if (filesUrl && new URL(filesUrl).hostname === new URL(baseUrl).hostname) {
    complaints.push(
      `FILES_URL is ${filesUrl}, whose host is that of BASE_URL; give the files a host of their own, best of another domain.`,
    )
  }
  const signingKey = read(
    'SIGNING_KEY',
    undefined,
    privateKey,
    'an Ed25519 private key as a JWK with a kid; `npm run admin -- new-key` makes one',
  )
  if (!signingKey && publicOrigin && !setting('SIGNING_KEY')) {
    complaints.push(
      `SIGNING_KEY is missing, but ${baseUrl} can be reached by others; make one with \`npm run admin -- new-key\` and keep it with your secrets.`,
    )
  }
  const config: Config = {
    port,
    host,
    baseUrl,
    filesUrl,
    publicOrigin,
    dataDir,
    databaseUrl: read(
      'DATABASE_URL',
      join(dataDir, 'guildhall.db'),
      databaseUrl,
      'postgres://user:password@host:5432/name, or remove it to use SQLite in DATA_DIR',
    ),
    blobUrl: read(
      'BLOB_URL',
      `file:${join(dataDir, 'blobs')}`,
      blobUrl,
      's3://bucket?endpoint=https://...&region=..., or file:<folder>',
    ),
    mailUrl: read(
      'MAIL_URL',
      defaultMailUrl(dataDir),
      mailUrl,
      'smtp://user:password@host:587, smtps://... or file:<folder>',
    ),
    mailFrom: read(
      'MAIL_FROM',
      `Guildhall <guildhall@${new URL(baseUrl).hostname}>`,
      sender,
      'an address such as Guildhall <hello@guild.example>',
    ),
    adminEmails: read('ADMIN_EMAILS', [], emails, 'email addresses with commas between them'),
    trustProxy: read(
      'TRUST_PROXY',
      0,
      (value) => (value === 'off' ? 0 : wholeNumber(0, 32)(value)),
      'off, or the number of proxies in front of Guildhall',
    ),
    rateLimits,
    budgets: read('BUDGETS', defaultBudgets, parseBudgets, BUDGETS_EXPECTED),
    agentClientId: read('AGENT_CLIENT_ID', 'monoagent', clientId, 'a name of letters, digits, - and _'),
    agentAudience: read(
      'AGENT_AUDIENCE',
      `${baseUrl}/api/monoagent`,
      absoluteUrl,
      'an absolute URL without a fragment',
    ),
    issuer: read('ISSUER', `${baseUrl}/api/auth`, absoluteUrl, 'an absolute URL without query and fragment'),
    signingKey,
    previousKeys: read('PREVIOUS_KEYS', [], publicKeys, 'a JSON array of Ed25519 public keys as JWKs, each with a kid'),
    metricsPort: read('METRICS_PORT', undefined, wholeNumber(0, 65_535), 'a port number from 0 to 65535'),
    metricsToken: read('METRICS_TOKEN', undefined, token, '16 to 200 letters, digits and characters of -._~+/='),
    logLevel: read('LOG_LEVEL', 'info', oneOf(logLevels), `one of ${logLevels.join(', ')}`),
    accent: read('ACCENT', undefined, hexColor, 'a colour such as #b4552d'),
    development: setting('NODE_ENV') === 'development',
    warnings: [],
  }
  if (config.metricsPort !== undefined && config.metricsPort === port && port !== 0) {
    complaints.push(`METRICS_PORT is ${port}, where PORT is; set it to another.`)
  }
  const warnings = warnOfUnknown(Object.keys(environment), [...known])
  if (complaints.length > 0) throw new ConfigError([...complaints, ...warnings])
  return { ...config, warnings }
}

/** What these are set to is never repeated, nor what has the look of it in another setting: a terminal and a log are read by many. */
const SECRET = new Set(['SIGNING_KEY', 'PREVIOUS_KEYS', 'DATABASE_URL', 'BLOB_URL', 'MAIL_URL', 'METRICS_TOKEN'])
const LOOKS_SECRET = /@|"?\bd"?\s*:|-----BEGIN|pass|secret|token|key|[\w+/=-]{32}/i

const quoted = (name: string, value: string) =>
  SECRET.has(name) || LOOKS_SECRET.test(value)
    ? 'not what it must be (its value is not shown, for it may hold a secret)'
    : JSON.stringify(value)

const wholeNumber = (min: number, max: number) => (value: string) => {
  const number = Number(value)
  return /^\d+$/.test(value) && number >= min && number <= max ? number : undefined
}

const oneOf =
  <T extends string>(values: readonly T[]) =>
  (value: string): T | undefined =>
    values.find((known) => known === value)

const token = (value: string) => (/^[\w.~+/=-]{16,200}$/.test(value) ? value : undefined)

const onOrOff = (value: string) => ({ on: true, off: false })[value]

const hexColor = (value: string) => (/^#[0-9a-f]{6}$/i.test(value) ? value : undefined)

function origin(value: string): string | undefined {
  const url = URL.parse(value)
  const plain =
    url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username
  return plain ? url.origin : undefined
}

function databaseUrl(value: string): string | undefined {
  const url = URL.parse(value)
  return url && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1 ? value : undefined
}

/** `file:` and a folder, made absolute; undefined for anything else. */
function folderUrl(value: string): string | undefined {
  const folder = value.match(/^file:(?:\/\/)?(.+)$/)?.[1]
  return folder && `file:${resolve(folder)}`
}

const blobUrl = (value: string) => folderUrl(value) ?? (/^s3:\/\/[^/?]+/.test(value) ? value : undefined)

function mailUrl(value: string): string | undefined {
  if (value.startsWith('file:')) return folderUrl(value)
  const url = URL.parse(value)
  return url && /^smtps?:$/.test(url.protocol) && url.hostname ? value : undefined
}

const sender = (value: string) => (/^([^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/.test(value) ? value : undefined)

const clientId = (value: string) => (/^[\w-]{1,100}$/.test(value) ? value : undefined)

function absoluteUrl(value: string): string | undefined {
  const url = URL.parse(value)
  return url && /^https?:$/.test(url.protocol) && !url.hash && !url.search && !url.username ? value : undefined
}

const parsed = (value: string): unknown => {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

function isEd25519(key: unknown): key is SigningKey {
  const { kty, crv, x, kid } = (key ?? {}) as Partial<SigningKey>
  return kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string' && typeof kid === 'string' && kid !== ''
}

/** An Ed25519 private key out of JSON. Refuses one whose public half is another key's: what it signs could not be verified. */
export function privateKey(value: string): SigningKey | undefined {
  const key = parsed(value)
  if (!isEd25519(key)) return undefined
  try {
    const { x } = createPublicKey(createPrivateKey({ key, format: 'jwk' })).export({ format: 'jwk' })
    return x === key.x ? key : undefined
  } catch {
    return undefined
  }
}

function publicKeys(value: string): SigningKey[] | undefined {
  const keys = parsed(value)
  if (!Array.isArray(keys) || !keys.every((key) => isEd25519(key) && key.d === undefined)) return undefined
  try {
    for (const key of keys) createPublicKey({ key, format: 'jwk' })
    return keys
  } catch {
    return undefined
  }
}

function emails(value: string): string[] | undefined {
  const all = value
    .split(',')
    .map((email) => email.trim().toLowerCase())
    .filter(Boolean)
  return all.every((email) => /^[^\s@]+@[^\s@]+$/.test(email)) ? all : undefined
}

/** Whether a host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
