// Opens the dependencies that the configuration names: database, mail, clock, log and blobs.
import { removeActing } from '../acting.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { type OpenOptions, openDatabase, type Store } from '../database/open.ts'
import type { ReplicaReport } from '../database/replica.ts'
import { openMailer, senderOf } from '../mail/mail.ts'
import { openOutbox } from '../mail/outbox.ts'
import { openSecrets } from '../oauth/server/server.ts'
import { optional } from '../optional.ts'
import type { Dependencies } from '../request/handler.ts'
import { systemClock } from '../runtime/clock.ts'
import { type Log, openLog } from '../runtime/log.ts'
import { StorageHealth } from '../runtime/outage.ts'
import { PASSWORD_COST } from '../runtime/password-hash.ts'
import { closeTracing, openTracing } from '../runtime/tracing.ts'
import { LiveSettings } from '../settings/live-settings.ts'
import { countBlobs, openBlobs } from '../storage/open-blobs.ts'
import { keepPrivate } from '../storage/private-files.ts'

export interface OpenDependencies extends Omit<Dependencies, 'changes'>, Pick<Store, 'changes' | 'checked' | 'join'> {
  /** Closes the dependencies; the current mail is sent first. */
  close(): Promise<void>
}

/** Opens everything the configuration names. Rejects when the database cannot be reached. */
export async function openDependencies(environment: Config): Promise<OpenDependencies> {
  const log = openLog(environment.logLevel)
  const { rest, isShared } = await keepPrivate(environment.dataDir)
  if (isShared)
    log.warn('other accounts use DATA_DIR too: only new files in it are private; set it to a folder of its own')
  rest.catch((error: unknown) => log.warn({ err: error }, 'could not restrict access to some files of the data folder'))
  if (environment.tracesUrl !== undefined) await openTracing(environment.tracesUrl)
  const health = new StorageHealth(log)
  const store = await openDatabase(environment.databaseUrl, {
    connections: environment.databaseConnections,
    onBroken: (error) => void health.report(error),
    replicas: replicasOf(environment, log),
    keptLog: {
      mostBytes: environment.backupLogBytes,
      onLetGo: (reason) =>
        log.warn({ reason }, `a continuous backup that is away begins again when it is back: ${reason}`),
    },
    clock: systemClock,
  })
  const { db } = store
  const blobs = countBlobs(await openBlobs(environment.blobUrl))
  const clock = systemClock
  const secretFor = openSecrets(environment)
  const settings = new LiveSettings({ config: environment, db, changes: store.changes, log, secretFor })
  const { config } = settings
  settings.onChange(() => {
    log.level = config.logLevel
  })
  const mailer = openMailer(config.mailUrl, senderOf(config))
  const outbox = openOutbox({ db, mailer, clock, log, health, secretFor, site: config }, (mail) => {
    if (config.development) console.log(`\nMail to ${mail.recipient}: ${mail.subject}\n\n${mail.body}`)
  })
  return {
    config,
    settings,
    ...store,
    health,
    clock,
    log,
    outbox,
    blobs,
    secretFor,
    removeActing,
    passwordCost: PASSWORD_COST,
    async close() {
      await outbox.stop()
      blobs.close()
      await db.destroy()
      await closeTracing()
    },
  }
}

/** The replicas that the configuration names; the log says when reads go to each, and when and why they do not. */
function replicasOf({ databaseReadUrls: urls }: Config, log: Log): OpenOptions['replicas'] {
  if (urls.length === 0) return undefined
  if (!optional.replicas) throw new ConfigError(['DATABASE_READ_URL: this build reads of no replica'])
  const onChange = (replica: ReplicaReport) => {
    const [name, complaint] = [replica.name, replica.complaint()]
    if (complaint === undefined) log.info({ replica: name }, `reads of public data go to the replica ${name}`)
    else if (replica.isPrimary()) log.info({ replica: name }, `no reads go to ${name} as a replica: it is the primary`)
    else log.warn({ replica: name, complaint }, `no reads go to the replica ${name}: ${complaint}`)
  }
  return { urls, onChange, load: optional.replicas }
}
