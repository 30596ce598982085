// The real ground, made from the configuration: database, mail, clock and log.
import type { Config } from './config/config.ts'
import { openDatabase, type Store } from './database/open.ts'
import type { Ground } from './handler.ts'
import { openSecrets } from './oauth/oauth.ts'
import { openBlobs } from './platform/blobs.ts'
import { systemClock } from './platform/clock.ts'
import { PASSWORD_COST } from './platform/hash.ts'
import { openLog } from './platform/log.ts'
import { openMailer } from './platform/mail.ts'
import { openOutbox } from './platform/outbox/outbox.ts'
import { keepPrivate } from './platform/private-files.ts'
import { StorageHealth } from './platform/storage-health.ts'

export interface RealGround extends Ground, Pick<Store, 'dataVersion' | 'checked'> {
  /** Closes what was opened; the last mail in hand is sent first. */
  close(): Promise<void>
}

/** Opens everything the configuration names. Rejects when the database cannot be reached. */
export async function openGround(config: Config): Promise<RealGround> {
  const log = openLog(config.logLevel)
  const { rest } = await keepPrivate(config.dataDir)
  rest.catch((error: unknown) => log.warn({ err: error }, 'some files of the data folder could not be made private'))
  const health = new StorageHealth(log)
  const store = await openDatabase(config.databaseUrl, { onBroken: (error) => void health.report(error) })
  const { db } = store
  const blobs = await openBlobs(config.blobUrl)
  const clock = systemClock
  const secretFor = openSecrets(config)
  const mailer = openMailer(config.mailUrl, config.mailFrom)
  const outbox = openOutbox({ db, mailer, clock, log, health, secretFor }, (mail) => {
    if (config.development) console.log(`\nMail to ${mail.recipient}: ${mail.subject}\n\n${mail.body}`)
  })
  return {
    config,
    ...store,
    health,
    clock,
    log,
    outbox,
    blobs,
    secretFor,
    passwordCost: PASSWORD_COST,
    async close() {
      await outbox.stop()
      blobs.close()
      await db.destroy()
    },
  }
}
