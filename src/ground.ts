// The real ground, made from the configuration: database, mail, clock and log.
import { mkdir } from 'node:fs/promises'
import type { Config } from './config.ts'
import { openDatabase, type Store } from './database/open.ts'
import type { Ground } from './handler.ts'
import { openBlobs } from './platform/blobs.ts'
import { systemClock } from './platform/clock.ts'
import { PASSWORD_COST } from './platform/hash.ts'
import { openLog } from './platform/log.ts'
import { openMailer } from './platform/mail.ts'
import { openOutbox } from './platform/outbox/outbox.ts'

export interface RealGround extends Ground, Pick<Store, 'dataVersion'> {
  /** Closes what was opened; the last mail in hand is sent first. */
  close(): Promise<void>
}

/** Opens everything the configuration names. Rejects when the database cannot be reached. */
export async function openGround(config: Config): Promise<RealGround> {
  const log = openLog(config.logLevel)
  // Codes in mail and the signing key live here: nobody else on the machine reads them.
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const { db, dataVersion, fault } = await openDatabase(config.databaseUrl)
  const blobs = await openBlobs(config.blobUrl)
  const clock = systemClock
  const outbox = openOutbox({ db, mailer: openMailer(config.mailUrl, config.mailFrom), clock, log }, (mail) => {
    if (config.development) console.log(`\nMail to ${mail.recipient}: ${mail.subject}\n\n${mail.body}`)
  })
  return {
    config,
    db,
    dataVersion,
    ...(fault && { fault }),
    clock,
    log,
    outbox,
    blobs,
    passwordCost: PASSWORD_COST,
    async close() {
      await outbox.stop()
      blobs.close()
      await db.destroy()
    },
  }
}
