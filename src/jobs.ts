// All work besides requests: the jobs of features, and those of what they stand on. What each is woken by, and how often, is declared with it.
// The engine is core/jobs.
import { auditHead } from './audit/audit.ts'
import { deleteExpiredTries } from './budgets/queries.ts'
import type { Config } from './config/config.ts'
import type { CleanUp, Erasure, JobSource, ServicesOf, Work } from './content/manifest.ts'
import { type DeclaredJob, type Job, more } from './core/jobs/job.ts'
import { deleteOldJobs } from './core/jobs/queries.ts'
import { openCleanUpTime } from './database/clean-up-time.ts'
import { findNamed, objectFolders } from './database/stored.ts'
import { type allFeatures, features, things } from './features.ts'
import { listDue } from './identity/deletion-queries.ts'
import type { ErasureDependencies, ErasureStep } from './identity/erasure.ts'
import type { MailDoor } from './mail/incoming/listener.ts'
import type { Dependencies } from './request/handler.ts'
import { deleteExpiredKeys } from './request/idempotency-queries.ts'
import { timestamp } from './runtime/clock.ts'
import { once } from './runtime/once.ts'
import { isBuilt } from './search/building-queries.ts'
import { SEARCH_VERSION } from './search/document.ts'
import type { FindNames } from './storage/sweep-objects.ts'

// What removes expired rows and stored bytes that nothing names, as jobs.

const CLEAN_UP_SECONDS = 300
/** After a long time without one, a clean-up removes much in small transactions with pauses. */
const LONGEST_CLEAN_UP_SECONDS = 6 * 3_600

/** For each folder of objects, the query that finds referenced names for the sweep. */
const namedObjects: Record<string, FindNames> = Object.fromEntries(
  objectFolders.map((folder) => [folder, (db, names) => findNamed(db, folder, names)]),
)

const used = features.flatMap(({ isFileUsed }) => isFileUsed ?? [])

/** In their order: rows, first those of features, before the bytes that they name. */
const cleanUps: Readonly<Record<string, CleanUp>> = {
  ...Object.assign({}, ...features.map((feature) => feature.cleanUps)),
  tries: ['counted tries', (now, { db }) => deleteExpiredTries(db, now)],
  idempotencyKeys: ['answers that were kept for a second request', (now, { db }) => deleteExpiredKeys(db, now)],
  outbox: ['mail that was sent', (now, { outbox, config }) => outbox.cleanUp(now, config.keptDays.mails)],
  mails: [
    'old files of the mail folder',
    async (now, { config }) => (await import('./mail/mail.ts')).deleteOldMails(config, Date.parse(now)),
  ],
  jobs: ['jobs that were given up long ago', (now, { db }) => deleteOldJobs(db, now)],
  artifacts: [
    'files that nothing names',
    async (now, dependencies) => (await import('./storage/sweep.ts')).sweepArtifacts(dependencies, new Date(now), used),
  ],
  objects: [
    'pictures that nothing names',
    async (now, dependencies) =>
      (await import('./storage/sweep-objects.ts')).sweepObjects(dependencies, new Date(now), namedObjects),
  ],
}

/** Their kinds, and that of the head of the audit log. */
const cleanUpKinds: readonly string[] = [...Object.keys(cleanUps).map((what) => `cleanUp.${what}`), 'audit.logHead']

function cleanUpJobs(work: Work<never>, cleanUpTime: () => Promise<string>): Job[] {
  const jobs = Object.entries(cleanUps).map(
    ([name, [what, run]]): Job => ({
      kind: `cleanUp.${name}`,
      summary: `removes ${what}`,
      wake: { every: CLEAN_UP_SECONDS },
      lane: 'cleanUp',
      longestBatchSeconds: LONGEST_CLEAN_UP_SECONDS,
      async batch() {
        const { dependencies, services } = work()
        await run(await cleanUpTime(), dependencies, services)
        return undefined
      },
    }),
  )
  return [...jobs, auditHeadJob(() => work().dependencies)]
}

/** Logged outside the database, a head can later prove that rows at the end of the audit log were removed (npm run admin -- verify <head>). */
function auditHeadJob(work: () => Dependencies): Job {
  let noted = 0
  return {
    kind: 'audit.logHead',
    summary: 'writes the head of the audit log into the log of the server',
    wake: { every: CLEAN_UP_SECONDS },
    async batch() {
      const { db, log } = work()
      const head = await auditHead(db)
      if (head && head.position !== noted) log.info({ head: `${head.position}:${head.hash}` }, 'audit log')
      noted = head?.position ?? noted
      return undefined
    },
  }
}

/** Kinds that are run at once, in this order, by what they are for: one call at a time. */
export const turns = {
  /** What follows from writes: things move, releases close, and members hear of it. */
  deliver: [
    'floods.merge',
    ...[
      'merges.move',
      'merges.undo',
      'releases.close',
      'versions.close',
      'pending.make',
      'notifications.deliver',
      'notifications.return',
      'teams.handOver',
    ],
    ...['accounts.hide', 'notifications.mail', 'guests.mail'],
  ],
  sendWebhooks: ['webhooks.send'],
  push: ['push.send'],
  writeDownloads: ['downloads.write'],
  buildSearch: ['search.build'],
  returnFloods: ['floods.return'],
  classify: ['classifier.ask'],
  askDomains: ['domains.ask'],
  understand: ['assistant.understand'],
  weighTrust: ['trust.weigh'],
  countOutcomes: ['outcomes.count', 'library.rank'],
  work: ['exports.prepare', 'accounts.erase'],
  imports: ['imports.run', 'imports.revert', 'imports.merge'],
  syncTrackers: ['trackers.sync'],
  sequenceLog: ['log.sequence'],
  backfill: ['log.backfill', 'library.backfill'],
  cleanUp: cleanUpKinds,
}

/** What features need of the application, for their handlers and their jobs. */
export type Services = ServicesOf<typeof allFeatures> & {
  /** What takes mails that a mailbox has. */
  mailDoor(): MailDoor
}

/** Where there is no mailbox, no job looks for one. */
const mailboxOf = ({ replyMailbox }: Pick<Config, 'replyMailbox'>) => ({ readsMailbox: replyMailbox !== undefined })

/** The jobs of an application. */
export const jobsOf = (dependencies: Dependencies, services: Services): Job[] =>
  jobsFor(
    {
      ...{ db: dependencies.db, clock: dependencies.clock, cleanUpTime: openCleanUpTime(dependencies) },
      ...mailboxOf(dependencies.config),
    },
    () => ({ dependencies, services }),
  )

/** The same without an application, for commands of the operator: they run no batch. */
export const declaredJobs = ({
  db,
  clock,
  config,
}: Pick<JobSource, 'db' | 'clock'> & { config: Pick<Config, 'replyMailbox'> }): DeclaredJob[] =>
  jobsFor({ db, clock, cleanUpTime: async () => timestamp(clock.now()), ...mailboxOf(config) }, () => {
    throw new Error('a command runs no jobs')
  })

/** In the order in which they run where one waits for another. */
function jobsFor(source: JobSource & { readsMailbox: boolean }, work: Work<Services>): Job[] {
  // A job takes of the services what it names, and they are all there.
  const working = work as Work<never>
  return [
    ...features.flatMap(({ jobs }) => jobs?.(source, working) ?? []),
    settingsJob(work),
    mailJob(work),
    ...(source.readsMailbox ? [mailboxJob(work)] : []),
    erasureJob(source, () => work().dependencies),
    searchJob(source),
    ...cleanUpJobs(working, source.cleanUpTime),
  ]
}

/** For what is no request: a request waits for it by itself (LiveSettings.current). With each look, and looks are not a second apart to the millisecond. */
const settingsJob = (work: Work): Job => ({
  kind: 'settings.read',
  summary: 'reads settings that another process changed',
  wake: { inEachProcess: 0.9 },
  batch: async () => void (await work().dependencies.settings.current()),
})

const mailJob = (work: Work): Job => ({
  kind: 'mail.send',
  summary: 'sends mail; each mail has attempts of its own',
  wake: { inEachProcess: 2 },
  batch: async () => void (await work().dependencies.outbox.flush()),
})

const MAILBOX_SECONDS = 60
const LONGEST_READING_SECONDS = 600

/** Where the operator has a mailbox for replies. */
const mailboxJob = (work: Work<Services>): Job => ({
  kind: 'mail.read',
  summary: 'reads the mailbox to which replies and reports come',
  wake: { every: MAILBOX_SECONDS },
  longestBatchSeconds: LONGEST_READING_SECONDS,
  async batch({ signal, cursor }) {
    const { readMailbox } = await import('./mail/incoming/mailbox.ts')
    const { dependencies, services } = work()
    const { config, log, clock } = dependencies
    const reading = { door: services.mailDoor(), log, now: clock.now(), signal, after: Number(cursor) }
    const last = config.replyMailbox && (await readMailbox(config.replyMailbox, reading))
    return last === undefined ? undefined : String(last)
  },
})

/** `steps` are for tests. */
export const erasureJob = (
  { db, cleanUpTime }: Pick<JobSource, 'db' | 'cleanUpTime'>,
  work: () => ErasureDependencies,
  steps: () => Promise<readonly ErasureStep[]> = erasureSteps,
): Job => ({
  kind: 'accounts.erase',
  summary: 'erases accounts whose time has come',
  wake: { find: async ({ limit }) => listDue(db, { due: await cleanUpTime(), limit }) },
  async batch({ key, cursor }) {
    const { eraseBatch } = await import('./identity/erasing.ts')
    return eraseBatch(work(), await steps(), { userId: key, begun: cursor })
  },
})

const searchJob = ({ db, clock }: JobSource): Job => ({
  kind: 'search.build',
  summary: 'builds the index of the search where this version makes it otherwise',
  wake: { find: async () => ((await isBuilt(db)) ? [] : [{ key: String(SEARCH_VERSION) }]) },
  async batch() {
    const { buildBatch } = await import('./search/building.ts')
    const { searchSources } = await import('./search-sources.ts')
    return more(await buildBatch({ db, sources: searchSources, now: () => timestamp(clock.now()) }))
  },
})

const stepsOf = async (part: keyof Erasure) =>
  (await Promise.all(features.map(({ erasure }) => erasure?.[part]?.(things) ?? []))).flat()

/** Every step of the erasure of an account, in order. A column that names accounts needs a step that clears it (test/erasure-declared.test.ts). */
export const erasureSteps = once(async (): Promise<readonly ErasureStep[]> => {
  const { leftoverErasure } = await import('./content/erasure.ts')
  return [...(await stepsOf('first')), ...(await stepsOf('steps')), ...(await stepsOf('last')), ...leftoverErasure]
})
