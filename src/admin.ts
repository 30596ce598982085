// The operator's commands: `npm run admin -- <command>`. They work while the server runs.

import { type Config, ConfigError, readConfig } from './config/config.ts'
import { RoleName } from './contract/fields.ts'
import type { Role } from './contract/operation.ts'
import { openDatabase } from './database/open.ts'
import { grantRole } from './identity/roles.ts'
import { openMailer } from './mail/mail.ts'
import { openOutbox } from './mail/outbox.ts'
import { newSigningKey, openSecrets } from './oauth/oauth.ts'
import { systemClock } from './runtime/clock.ts'
import { openLog } from './runtime/log.ts'
import { required } from './runtime/untyped.ts'
import { whyItFailed } from './runtime/why-it-failed.ts'
import { buildSearch, countDocuments, resetBuild } from './search/building.ts'
import { searchSources } from './search-sources.ts'
import { keepPrivate } from './storage/private-files.ts'
import { logKeyPair } from './transparency/key.ts'
import { verify } from './verify/verify.ts'

const USAGE = `Usage: npm run admin -- <command>

  grant <email> <role>   gives an account a role: member, moderator or admin
  new-key                prints a new signing key, for SIGNING_KEY
  log-key                prints the key that signs the log, for LOG_KEY before SIGNING_KEY changes
  reindex                builds the index of the search again
  verify [<head>]        looks at every file, page, count and act of the audit log, and says what is wrong;
                         <head> is what an earlier run printed of the audit log`

const roles: readonly Role[] = RoleName.options
const isRole = (name: string): name is Role => roles.some((role) => role === name)

interface Command {
  parameters: number
  /** How many more it may have. */
  optional?: number
  /** Prints the result and returns the exit code. Reads the settings only when needed: `new-key` creates one of them. */
  run(settings: () => Config, ...given: string[]): Promise<number>
}

const commands: Record<string, Command> = {
  grant: { parameters: 2, run: (settings, email, role) => grant(settings(), required(email), required(role)) },
  'new-key': { parameters: 0, run: printNewKey },
  'log-key': { parameters: 0, run: (settings) => printLogKey(settings()) },
  reindex: { parameters: 0, run: (settings) => reindex(settings()) },
  verify: { parameters: 0, optional: 1, run: (settings, given) => verify(settings(), given) },
}

async function printNewKey(): Promise<number> {
  console.log(JSON.stringify(newSigningKey()))
  return 0
}

/** The key as a setting takes it; without LOG_KEY that which is derived from the signing key. */
async function printLogKey(config: Config): Promise<number> {
  const { x, d } = await logKeyPair(config, openSecrets(config))
  console.log(JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x, d, kid: 'log' }))
  return 0
}

async function grant(config: Config, email: string, role: string): Promise<number> {
  if (!isRole(role)) {
    console.error(`There is no role ${role}; use one of ${roles.join(', ')}.`)
    return 2
  }
  if (!config.databaseUrl.startsWith('postgres')) await keepPrivate(config.dataDir)
  const { db } = await openDatabase(config.databaseUrl)
  // The server sends the notification mail to the account; if none runs, it goes out at the next start.
  const mailer = openMailer(config.mailUrl, config.mailFrom)
  const parts = { db, mailer, clock: systemClock, log: openLog(config.logLevel), secretFor: openSecrets(config) }
  try {
    const dependencies = { db, config, outbox: openOutbox(parts) }
    const user = await grantRole(dependencies, email, { role, now: new Date().toISOString() })
    console.log(user ? `${user.email} is ${role} now.` : `No account has the address ${email}; sign up with it first.`)
    return user ? 0 : 1
  } finally {
    mailer.close()
    await db.destroy()
  }
}

/** The server may run: it finds what it did before until a thing has its turn. */
async function reindex(config: Config): Promise<number> {
  if (!config.databaseUrl.startsWith('postgres')) await keepPrivate(config.dataDir)
  const { db } = await openDatabase(config.databaseUrl, { patient: true })
  try {
    await resetBuild(db)
    await buildSearch({ db, sources: searchSources, now: () => new Date().toISOString() })
    console.log(`The index of the search has ${await countDocuments(db)} documents.`)
    return 0
  } finally {
    await db.destroy()
  }
}

async function run([name = '', ...given]: string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const most = command && command.parameters + (command.optional ?? 0)
  if (!command || given.length < command.parameters || given.length > required(most) || given.includes('')) {
    console.error(USAGE)
    return 2
  }
  return command.run(() => readConfig(process.env), ...given)
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `It failed: ${whyItFailed(error)}`)
  process.exitCode = 1
}
