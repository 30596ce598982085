// Every setting, declared once: its schema, default and description. Parsing, messages and docs/settings.md come from here.
import { resolve } from 'node:path'
import { parseWitnessKeys } from '@guildhall/verifiable'
import { z } from 'zod'
import { provisioningSettings, readerSettings } from './access-settings.ts'
import { IDENTITY_PROVIDERS_EXPECTED, parseIdentityProviders } from './identity-providers.ts'
import {
  chatSettings,
  machineSettings,
  replySettings,
  trackerSettings,
  widgetSettings,
} from './integration-settings.ts'
import {
  logSettings,
  mailSettings,
  partSettings,
  redirectSettings,
  ruleSettings,
  signUpSettings,
} from './live-settings.ts'
import { looksSettings } from './looks-settings.ts'
import { retentionSettings } from './retention-settings.ts'
import { parsePrivateKey, parsePublicKeys, parseResourceServers, RESOURCE_SERVERS_EXPECTED } from './signing-key.ts'
import {
  about,
  absoluteUrl,
  blobUrl,
  emails,
  mailUrl,
  onOrOff,
  origin,
  parsedBy,
  port,
  postgresUrl,
  replicaUrls,
  wholeNumber,
} from './values.ts'

const backupSettings = {
  BACKUP_PASSPHRASE: z.string().min(16, 'a passphrase of at least 16 characters').optional().register(about, {
    missing: 'backups are not encrypted',
    description: 'encrypts what `npm run admin -- backup` keeps; without it a backup cannot be restored',
    secret: true,
  }),
  BACKUP_KEY: z.string().min(32, 'a key of at least 32 characters').optional().register(about, {
    missing: 'backups that are not encrypted are not signed',
    description:
      'signs backups that are not encrypted, so that a restore knows who wrote them; `openssl rand -base64 32` makes one',
    secret: true,
  }),
  ARCHIVE_PASSPHRASE: z.string().min(16, 'a passphrase of at least 16 characters').optional().register(about, {
    missing: 'asked for, or read from standard input',
    description: 'seals what `npm run admin -- archive` writes, and opens it for `unarchive`',
    secret: true,
  }),
  BACKUP_LOG_MB: wholeNumber(64, 100_000, 'a number of megabytes from 64 to 100000').register(about, {
    default: '1024',
    description:
      'how much of its log SQLite keeps for a continuous backup that is away; beyond it the backup begins again when it is back',
  }),
}

/** The names of environment variables. A default may only refer to settings declared above. */
export const settings = z.object({
  PORT: port.register(about, { default: '3000', description: 'the port the server listens on' }),
  HOST: z.string().register(about, { default: '127.0.0.1', description: 'the address the server listens on' }),
  BASE_URL: origin('https://guild.example').register(about, {
    default: 'http://localhost:{PORT}',
    description: 'the public origin; `https` turns on Secure cookies',
  }),
  DATA_DIR: z
    .string()
    .transform((path) => resolve(path))
    .register(about, {
      default: './data',
      description: 'the folder of the embedded defaults: database, stored files, keys and mail',
    }),
  LANGUAGES_DIR: z
    .string()
    .transform((path) => resolve(path))
    .optional()
    .register(about, {
      missing: 'English and German alone',
      description:
        'a folder with a folder for each [language that you add](../content/docs/languages.md); it is read at the start',
    }),
  DATABASE_URL: postgresUrl('postgres://user:password@host:5432/name, or remove it to use SQLite in DATA_DIR')
    .optional()
    .register(about, {
      missing: 'SQLite in `DATA_DIR`',
      description: '`postgres://user:password@host:5432/name`',
      secret: true,
    }),
  DATABASE_CONNECTIONS: wholeNumber(2, 1_000, 'a number of connections from 2 to 1000').register(about, {
    default: '10',
    description:
      'the most connections of one process to PostgreSQL for transactions; it opens up to 6 more to read and to listen',
  }),
  DATABASE_READ_URL: replicaUrls.register(about, {
    default: '',
    missing: 'none',
    description:
      'addresses of up to 8 streaming replicas of that database, with spaces or commas between them, for [reads of public data](../content/docs/stores.md#replicas); up to 5 connections of one process to each',
    secret: true,
  }),
  WORKERS: wholeNumber(1, 64, 'a number of processes from 1 to 64').register(about, {
    default: '1',
    description: 'the number of processes that share the port; more than one gains most on PostgreSQL',
  }),
  DRAIN_SECONDS: wholeNumber(0, 300, 'a number of seconds from 0 to 300').register(about, {
    default: '0',
    description:
      'how long a stopping server still answers while `/readyz` is 503, so that a proxy turns to other servers first',
  }),
  BLOB_URL: blobUrl.register(about, {
    default: 'file:{DATA_DIR}/blobs',
    description:
      'where files are stored: `s3://bucket?endpoint=https://...&region=...` (with `&downloads=redirect` the bucket hands files out itself) or `file:<folder>`',
    secret: true,
  }),
  MAIL_URL: mailUrl.register(about, {
    default: 'file:{DATA_DIR}/mail',
    description: 'where mail goes: `smtp://user:password@host:587`, or `file:<folder>` with one `.eml` per mail',
    secret: true,
  }),
  ...looksSettings,
  ...mailSettings,
  ...replySettings,
  ADMIN_EMAILS: emails.register(about, {
    default: '',
    description: 'accounts with these addresses become admins when the email is verified, never by a claim',
  }),
  ...signUpSettings,
  ...readerSettings,
  ...provisioningSettings,
  ...widgetSettings,
  ...chatSettings,
  ...trackerSettings,
  FILES_URL: origin('https://files.example').optional().register(about, {
    description:
      'a separate origin, with its own host, for [files of members](../content/docs/proxy.md#files-of-members)',
  }),
  TRUST_PROXY: z
    .string()
    .transform((text) => (text === 'off' ? '0' : text))
    .pipe(wholeNumber(0, 32, 'off, or the number of proxies in front of Guildhall'))
    .register(about, {
      default: 'off',
      description: 'the number of trusted proxies, whose `X-Forwarded-For` entries count',
    }),
  RATE_LIMITS: onOrOff().register(about, {
    default: 'on',
    description: '`off` disables the limits of sign-up and sign-in and the budgets below; refused on a public origin',
  }),
  ...ruleSettings,
  ...machineSettings,
  AGENT_CLIENT_ID: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'a name of letters, digits, - and _')
    .register(about, {
      default: 'monoagent',
      description: 'the client that needs no registration: the desktop and command-line agent',
    }),
  AGENT_AUDIENCE: absoluteUrl('an absolute URL without a fragment').register(about, {
    default: '{BASE_URL}/api/monoagent',
    description: 'the audience of its JWTs; the `resource` that makes an access token a JWT',
  }),
  ISSUER: absoluteUrl('an absolute URL without query and fragment').register(about, {
    default: '{BASE_URL}/api/auth',
    description: '`iss` of tokens, and the issuer in the metadata; endpoints stay below `BASE_URL`',
  }),
  SIGNING_KEY: parsedBy(
    parsePrivateKey,
    'an Ed25519 private key as a JWK with a kid; `npm run admin -- new-key` makes one',
  )
    .optional()
    .register(about, {
      missing: 'made at the first start, in `DATA_DIR`',
      description: 'an Ed25519 private JWK with `kid` that signs JWTs; required on a public origin',
      secret: true,
    }),
  PREVIOUS_KEYS: parsedBy(parsePublicKeys, 'a JSON array of Ed25519 public keys as JWKs, each with a kid').register(
    about,
    {
      default: '[]',
      description: 'public JWKs of earlier signing keys, which stay published',
      secret: true,
    },
  ),
  SECRETS_KEY: parsedBy(parsePrivateKey, 'an Ed25519 private key as a JWK: the first SIGNING_KEY of this server')
    .optional()
    .register(about, {
      missing: 'the signing key',
      description:
        'an Ed25519 private JWK that the secrets in the database are derived from; `npm run admin -- rotate-key` prints it, so that personal tokens, webhooks and waiting mail outlast a signing key',
      secret: true,
    }),
  RESOURCE_SERVERS: parsedBy(parseResourceServers, RESOURCE_SERVERS_EXPECTED).register(about, {
    default: '[]',
    missing: 'none',
    description:
      'services of yours that may ask what an access token is good for (RFC 7662): `[{"id": "reports", "secret": "...", "personalTokens": false}]`, with secrets of 32 to 200 characters; one with `"signals": true` may have a stream of [signals](../content/docs/provisioning.md#signals)',
    secret: true,
  }),
  IDENTITY_PROVIDERS: parsedBy(parseIdentityProviders, IDENTITY_PROVIDERS_EXPECTED).register(about, {
    default: '[]',
    missing: 'none',
    description:
      'identity providers of yours whose identity assertions (ID-JAG) let clients with keys or a secret act for their people: `[{"issuer": "https://idp.example", "emailDomains": ["example.com"], "clients": ["https://agent.example/client.json"]}]`; see [known agents](../content/docs/authentication.md#known-agents)',
  }),
  ...redirectSettings,
  LOG_KEY: parsedBy(
    parsePrivateKey,
    'an Ed25519 private key as a JWK; `npm run admin -- log-key` prints the present one',
  )
    .optional()
    .register(about, {
      missing: 'derived from the signing key',
      description:
        'an Ed25519 private JWK that signs the public log and statements of versions; set it before you change `SIGNING_KEY`, because clients keep the key that they saw',
      secret: true,
    }),
  WITNESS_KEYS: parsedBy(parseWitnessKeys, 'keys of witnesses as name+id+key, separated by commas').register(about, {
    default: '',
    missing: 'none',
    description:
      'public keys of witnesses whose cosignatures the checkpoint of the log carries (`name+id+key`, type 4)',
  }),
  METRICS_PORT: port.optional().register(about, {
    description:
      'a port on 127.0.0.1 for `/metrics` and the details of `/readyz`; the public listener then has neither. With `WORKERS`, each further process has the next port',
  }),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{16,200}$/, '16 to 200 letters, digits and characters of -._~+/=')
    .optional()
    .register(about, { description: 'the bearer token for both, on either listener', secret: true }),
  ...backupSettings,
  ...partSettings,
  ...retentionSettings,
  ...logSettings,
  OTEL_EXPORTER_OTLP_ENDPOINT: absoluteUrl('an absolute URL such as http://127.0.0.1:4318').optional().register(about, {
    missing: 'no traces',
    description:
      'where OpenTelemetry traces go, as OTLP over HTTP; its packages are [installed apart](../content/docs/watching.md#traces)',
  }),
  NODE_ENV: z.string().register(about, {
    default: 'production',
    description:
      '`development` checks responses against their contracts and prints mailed codes; `npm run dev` sets it',
  }),
})

export type SettingName = keyof typeof settings.shape

export const settingNames = settings.keyof().options

/** Those that may change while the server runs. */
export const liveNames = settingNames.filter((name) => about.get(settings.shape[name])?.live !== undefined)
