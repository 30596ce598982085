// The environment, read once and validated completely. A bad value stops the start with a sentence that says how to fix it. Settings that may
// change while the server runs are read again with those that are stored in the database (src/settings); the environment wins.
import { join } from 'node:path'
import type { z } from 'zod'
import type { AddedLanguages } from '../contract/languages.ts'
import { isLoopback, isPostgres } from '../runtime/addresses.ts'
import { readLanguages } from './added-languages.ts'
import { unreadable } from './colors.ts'
import { warnOfUnknown } from './names.ts'
import { contradictionsOfServices, machinesOf, providerIn, repliesOf } from './services.ts'
import { liveNames, type SettingName, settingNames, settings } from './settings.ts'
import { about, quoted } from './values.ts'

/** The problems of the environment: one sentence per setting. */
export class ConfigError extends Error {
  constructor(errors: readonly string[]) {
    super(errors.join('\n'))
    this.name = 'ConfigError'
  }
}

type Environment = Readonly<Record<string, string | undefined>>
type Values = z.output<typeof settings>

/** Texts of settings that are stored in the database. */
export type StoredSettings = Readonly<Partial<Record<SettingName, string>>>

/** The settings (settings.ts describes each), and values derived from them. */
export interface Config extends ReturnType<typeof configOf> {
  /** Warnings that do not stop a start: one sentence each. */
  warnings: readonly string[]
  /** Those of LANGUAGES_DIR, beside English and German. */
  languages: AddedLanguages
  /** The settings that the environment gives. */
  given: ReadonlySet<SettingName>
  /** The settings with those that are stored, where the environment gives none. */
  withStored(stored: StoredSettings): ConfigReading
}

/** What the environment and the stored settings say together. */
export interface ConfigReading {
  config: ReturnType<typeof configOf>
  /** The text of each setting, defaults included; undefined where there is none. */
  texts: Readonly<Partial<Record<SettingName, string>>>
  /** Values that are not what they must be: they count as missing. */
  errors: readonly SettingError[]
  /** What is valid alone and invalid together: one sentence each. */
  contradictions: readonly string[]
}

interface SettingError {
  name: SettingName
  sentence: string
  /** What it must be. */
  expected: string
}

/** Reads the settings out of `environment`; throws `ConfigError` with everything that is wrong. */
export function readConfig(environment: Environment): Config {
  const withStored = (stored: StoredSettings) => reading(environment, stored)
  const { config, errors, contradictions } = withStored({})
  const warnings = warnOfUnknown(Object.keys(environment), settingNames)
  const complaints = [...errors.map(({ sentence }) => sentence), ...contradictions]
  const { languagesDir } = config
  const languages: AddedLanguages = languagesDir === undefined ? new Map() : readLanguages(languagesDir, complaints)
  if (complaints.length > 0) throw new ConfigError([...complaints, ...warnings])
  const given = new Set(settingNames.filter((name) => textIn(environment, name) !== undefined))
  return { ...config, languages, warnings, given, withStored }
}

const textIn = (environment: Environment, name: SettingName) => environment[name]?.trim() || undefined

function reading(environment: Environment, stored: StoredSettings): ConfigReading {
  const { values, ...found } = readValues((name) => {
    const text = textIn(environment, name)
    return text === undefined && liveNames.includes(name) ? stored[name] : text
  })
  const config = configOf(values)
  const missingKey = config.signingKey === undefined && !textIn(environment, 'SIGNING_KEY')
  const contradictions = [...contradictionsIn(config, missingKey), ...contradictionsOfServices(values)]
  return { config, contradictions, ...found }
}

/** A setting with a bad value counts as missing, so that one start reports everything that is wrong. */
function readValues(textOf: (name: SettingName) => string | undefined) {
  const errors: SettingError[] = []
  const texts: Partial<Record<SettingName, string>> = {}
  const read: Partial<Record<SettingName, unknown>> = {}
  for (const name of settingNames) {
    const schema = settings.shape[name]
    const text = textOf(name)
    const result = text === undefined ? undefined : schema.safeParse(text)
    if (result?.error) {
      const sentence = `${name} is ${quoted(schema, text ?? '')}; set it to ${result.error.issues[0]?.message}.`
      errors.push({ name, sentence, expected: result.error.issues[0]?.message ?? '' })
    }
    const valid = result?.success ? text : filled(about.get(schema)?.default, read)
    if (valid !== undefined) texts[name] = valid
    read[name] = result?.success ? result.data : schema.safeParse(texts[name]).data
  }
  return { values: settings.parse(texts), texts, errors }
}

/** A default with the values of other settings in the place of their names. */
const filled = (text: string | undefined, values: Partial<Record<string, unknown>>): string | undefined =>
  text?.replace(/\{(\w+)(\.hostname)?\}/g, (_, name, hostname) => {
    const value = String(values[name])
    return hostname ? new URL(value).hostname : value
  })

/** How the operator sees what the server does. */
const watchingOf = (values: Values) => ({
  metricsPort: values.METRICS_PORT,
  metricsToken: values.METRICS_TOKEN,
  logLevel: values.LOG_LEVEL,
  requestLog: values.REQUEST_LOG,
  /** Undefined where there are no traces. */
  tracesUrl: values.OTEL_EXPORTER_OTLP_ENDPOINT,
})

/** What the privacy policy and the terms say of who runs the server; `contact` is a URL. */
const operatorOf = (values: Values) => ({
  name: values.OPERATOR_NAME,
  address: values.OPERATOR_ADDRESS,
  contact: values.OPERATOR_CONTACT,
  law: values.OPERATOR_LAW,
  /** A URL; undefined where there is no security.txt. */
  securityContact: values.SECURITY_CONTACT,
})

/** What the server calls itself, and its colours. */
const looksOf = (values: Values) => ({
  name: values.SITE_NAME,
  shortName: values.SHORT_NAME,
  accent: values.ACCENT,
  neutral: values.NEUTRAL,
  logo: values.LOGO,
  logoDark: values.LOGO_DARK,
  icon: values.ICON,
  displayFont: values.DISPLAY_FONT,
  homeTexts: values.HOME_TEXTS,
  footerLinks: values.FOOTER_LINKS,
  ownPages: values.OWN_PAGES,
  navigation: values.NAVIGATION,
  partWords: values.PART_WORDS,
  poweredBy: values.POWERED_BY,
})

/** How people come in. */
const waysInOf = (values: Values) => ({
  /** Undefined where accounts of no other server sign in here. */
  external: providerIn(values),
  signIn: values.SIGN_IN,
  signUp: values.SIGN_UP,
  signUpDomains: values.SIGN_UP_DOMAINS,
  /** Whether a role counts only in a session with a passkey (core/authorize.ts). */
  rolesNeedPasskey: values.ROLES_NEED_PASSKEY,
})

/** Who may read (core/readers.ts). Empty lists name all members. */
const readersOf = (values: Values) => ({
  readers: values.READERS,
  readerDomains: values.READER_DOMAINS,
  readerGroups: values.READER_GROUPS,
  /** Of the slash command (accounts/chat); undefined where it is off. */
  ...{ slackSigningSecret: values.SLACK_SIGNING_SECRET, discordPublicKey: values.DISCORD_PUBLIC_KEY },
  githubApiUrl: values.GITHUB_API_URL.replace(/\/+$/, ''),
  ...{ gitlabApiUrl: values.GITLAB_API_URL.replace(/\/+$/, ''), linearApiUrl: values.LINEAR_API_URL },
  /** Whether a company provisions accounts (community/scim), and what its groups give. */
  ...{ scim: values.SCIM, scimGroups: values.SCIM_GROUPS },
  /** Which sites show the widget, and whether they prove addresses (community/widget). */
  ...{ widgetSites: values.WIDGET_SITES, widgetEmails: values.WIDGET_EMAILS },
  /** Whose signals are taken, and where our own go; undefined for nowhere. */
  signalIssuers: values.SIGNAL_ISSUERS,
  signalStream: values.SIGNAL_URL === undefined ? undefined : { url: values.SIGNAL_URL, token: values.SIGNAL_TOKEN },
})

/** For how many days is kept what clean-ups remove. */
const keptOf = (values: Values) => ({
  readNotifications: values.KEEP_READ_NOTIFICATIONS_DAYS,
  unreadNotifications: values.KEEP_UNREAD_NOTIFICATIONS_DAYS,
  drafts: values.KEEP_DRAFTS_DAYS,
  deliveries: values.KEEP_DELIVERIES_DAYS,
  mails: values.KEEP_MAILS_DAYS,
  networks: values.KEEP_NETWORKS_DAYS,
})

const backupsOf = (values: Values) => ({
  backupPassphrase: values.BACKUP_PASSPHRASE,
  backupKey: values.BACKUP_KEY,
  archivePassphrase: values.ARCHIVE_PASSPHRASE,
  /** How much of its log SQLite keeps for a continuous backup that is away. */
  backupLogBytes: values.BACKUP_LOG_MB * 1024 ** 2,
})

/** What new accounts and agents may do by themselves. */
const defencesOf = (values: Values) => ({
  /** Who shows a proof of work, and how much of it (identity/proof-of-work.ts). */
  ...{ proofOfWork: values.PROOF_OF_WORK, proofNumbers: values.PROOF_NUMBERS },
  /** 0 where nothing is held. */
  ...{ holdLinksHours: values.HOLD_LINKS_HOURS, holdFindings: values.HOLD_FINDINGS, agents: values.AGENTS },
  ...{ trust: values.TRUST.rule, mergeFloods: values.MERGE_FLOODS },
})

const configOf = (values: Values) => ({
  ...{ port: values.PORT, host: values.HOST, development: values.NODE_ENV === 'development' },
  /** Without a slash at its end. Never guessed from a request. */
  baseUrl: values.BASE_URL,
  /** Undefined where the main origin serves files of members, in a sandbox. */
  filesUrl: values.FILES_URL,
  /** Whether other machines can reach the origin: then defaults that are only safe on a local machine are refused. */
  publicOrigin: !isLoopback(new URL(values.BASE_URL).hostname),
  ...{ dataDir: values.DATA_DIR, languagesDir: values.LANGUAGES_DIR },
  /** `postgres://...` or the path of a SQLite file. */
  databaseUrl: values.DATABASE_URL ?? join(values.DATA_DIR, 'guildhall.db'),
  /** None where all reads go to `databaseUrl`. */
  databaseReadUrls: values.DATABASE_READ_URL,
  blobUrl: values.BLOB_URL,
  ...{ mailUrl: values.MAIL_URL, mailFrom: values.MAIL_FROM, guestDigest: values.GUEST_DIGEST },
  ...repliesOf(values),
  adminEmails: values.ADMIN_EMAILS,
  ...waysInOf(values),
  ...readersOf(values),
  trustProxy: values.TRUST_PROXY,
  rateLimits: values.RATE_LIMITS,
  budgets: values.BUDGETS,
  /** Whether files of public items need no credential by their names. */
  publicDownloads: values.PUBLIC_DOWNLOADS,
  /** Which tools MCP lists where a client does not choose, and whether it takes scripts. */
  ...{ mcpTools: values.MCP_TOOLS, mcpScripts: values.MCP_SCRIPTS },
  operator: operatorOf(values),
  ...defencesOf(values),
  ...machinesOf(values),
  agentClientId: values.AGENT_CLIENT_ID,
  agentAudience: values.AGENT_AUDIENCE,
  issuer: values.ISSUER,
  /** Undefined means the key in the data folder. */
  signingKey: values.SIGNING_KEY,
  previousKeys: values.PREVIOUS_KEYS,
  /** Undefined where secrets are derived from the signing key. */
  secretsKey: values.SECRETS_KEY,
  resourceServers: values.RESOURCE_SERVERS,
  ...{ identityProviders: values.IDENTITY_PROVIDERS, workloadIssuers: values.WORKLOAD_ISSUERS },
  ciIssuers: values.CI_ISSUERS,
  redirectSchemes: values.REDIRECT_SCHEMES,
  /** Undefined where it is derived from the signing key. */
  logKey: values.LOG_KEY,
  witnessKeys: values.WITNESS_KEYS,
  databaseConnections: values.DATABASE_CONNECTIONS,
  workers: values.WORKERS,
  drainSeconds: values.DRAIN_SECONDS,
  ...watchingOf(values),
  ...backupsOf(values),
  ...looksOf(values),
  ...{ partsOff: values.PARTS_OFF, keptDays: keptOf(values), webPush: values.WEB_PUSH },
})

/** Colours of which pages could not be read. */
function unreadableIn({ accent, neutral }: ReturnType<typeof configOf>): string | undefined {
  const why = unreadable({ accent, neutral })
  return why && `ACCENT and NEUTRAL cannot be read: ${why}; choose other colours.`
}

/** Settings that are valid alone and invalid together. */
function contradictionsIn(config: ReturnType<typeof configOf>, missingKey: boolean): string[] {
  const { databaseUrl, databaseReadUrls, baseUrl, filesUrl, port, metricsPort, publicOrigin, rateLimits } = config
  const isReachable = `${baseUrl} can be reached by others`
  return [
    !rateLimits && publicOrigin && `RATE_LIMITS is off, but ${isReachable}; remove it, or use a BASE_URL on localhost.`,
    filesUrl &&
      new URL(filesUrl).hostname === new URL(baseUrl).hostname &&
      `FILES_URL is ${filesUrl}, whose host is that of BASE_URL; give the files a host of their own, best of another domain.`,
    missingKey &&
      publicOrigin &&
      `SIGNING_KEY is missing, but ${isReachable}; make one with \`npm run admin -- new-key\` and keep it with your secrets.`,
    databaseReadUrls.length > 0 &&
      !isPostgres(databaseUrl) &&
      'DATABASE_READ_URL is set, but DATABASE_URL is not; set both, or remove the first to use SQLite.',
    config.signUp !== 'open' &&
      config.signUpDomains.length > 0 &&
      `SIGN_UP_DOMAINS is set, but SIGN_UP is ${config.signUp}; remove one of them.`,
    config.readers === 'everyone' &&
      (config.readerDomains.length > 0 || config.readerGroups.length > 0) &&
      'READER_DOMAINS or READER_GROUPS is set, but READERS is everyone; set READERS to members, or remove them.',
    config.agents.trust !== undefined &&
      config.trust === undefined &&
      'AGENTS names a level of trust, but TRUST is off; set TRUST to on, or remove the level.',
    config.readerGroups.length > 0 &&
      config.external === undefined &&
      'READER_GROUPS is set, but OIDC_ISSUER is not; set both, or remove the first.',
    config.signIn === 'external' &&
      config.external === undefined &&
      'SIGN_IN is external, but OIDC_ISSUER is not set; set both, or set SIGN_IN to any.',
    unreadableIn(config),
    metricsPort === port && port !== 0 && `METRICS_PORT is ${port}, where PORT is; set it to another.`,
  ].filter((sentence) => typeof sentence === 'string')
}
