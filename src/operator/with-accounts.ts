// Opens the database of a command that changes accounts. The server may run; it sends the mails that the command enqueues, or sends them
// at its next start.
import { removeActing } from '../acting.ts'
import type { Config } from '../config/config.ts'
import { refuseUnready } from '../database/existing.ts'
import { openDatabase } from '../database/open.ts'
import type { Db } from '../database/schema.ts'
import { openMailer, senderOf } from '../mail/mail.ts'
import { type Outbox, openOutbox } from '../mail/outbox.ts'
import { openSecrets } from '../oauth/server/server.ts'
import type { RemoveActing } from '../request/handler.ts'
import { isPostgres } from '../runtime/addresses.ts'
import { systemClock } from '../runtime/clock.ts'
import type { SecretFor } from '../runtime/hash.ts'
import { openLog } from '../runtime/log.ts'
import { LiveSettings } from '../settings/live-settings.ts'
import { keepPrivate } from '../storage/private-files.ts'

/** What changes of accounts need. */
export interface AccountParts {
  db: Db
  config: Config
  settings: LiveSettings
  outbox: Outbox
  secretFor: SecretFor
  removeActing: RemoveActing
}

export async function withDatabase<Result>(config: Config, work: (db: Db) => Promise<Result>): Promise<Result> {
  await refuseUnready(config.databaseUrl)
  if (!isPostgres(config.databaseUrl)) await keepPrivate(config.dataDir)
  const { db } = await openDatabase(config.databaseUrl, { patient: true, clock: systemClock })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

export async function withAccounts<Result>(
  environment: Config,
  work: (parts: AccountParts) => Promise<Result>,
): Promise<Result> {
  return withDatabase(environment, async (db) => {
    const log = openLog(environment.logLevel)
    const secretFor = openSecrets(environment)
    const settings = new LiveSettings({ config: environment, db, log, secretFor })
    await settings.reload()
    const { config } = settings
    const mailer = openMailer(config.mailUrl, senderOf(config))
    const outbox = openOutbox({ db, mailer, clock: systemClock, log, secretFor, site: config })
    try {
      return await work({ db, config, settings, outbox, secretFor, removeActing })
    } finally {
      mailer.close()
    }
  })
}
