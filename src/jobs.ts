// All work besides requests, on one page: what wakes it, what it does, and how often. The engine is core/jobs.
import { listWaiting as listExports } from './accounts/export-queries.ts'
import {
  type ExportDependencies,
  giveUpExport,
  MAX_ATTEMPTS,
  prepareExport,
  retryExport,
} from './accounts/exporting.ts'
import { type CleanUpParts, cleanUpJobs, cleanUpKinds } from './clean-ups.ts'
import { closeNext } from './community/changelog/closing.ts'
import { findPending as findClosing } from './community/changelog/queries.ts'
import type { ClosableKind } from './content/edits/releasing.ts'
import type { HideableKind } from './content/hiding/hiding.ts'
import { findOldest as findSweep } from './content/hiding/sweep-queries.ts'
import { sweepBatch } from './content/hiding/sweeping.ts'
import { hidingOfMerged } from './content/merging/hiding.ts'
import { type Mergeable, moveBatch } from './content/merging/moving.ts'
import { listPending as listMerges } from './content/merging/queries.ts'
import { listPending as listUndos } from './content/merging/undo-queries.ts'
import { returnBatch } from './content/merging/undoing.ts'
import { deliverBatch } from './content/notifications/delivery.ts'
import { findOldest as findEvent } from './content/notifications/event-queries.ts'
import type { HeadsOf } from './content/notifications/letters.ts'
import { isMailDue, mailBatch } from './content/notifications/mailing.ts'
import { listLeft as listAgreed } from './content/pending/making.ts'
import type { DeclaredJob, Job, WaitingKey } from './core/jobs/job.ts'
import { openCleanUpTime } from './database/clean-up-time.ts'
import { engineOf } from './database/engine.ts'
import type { Db } from './database/schema.ts'
import { erasureSteps } from './erasure.ts'
import { listDue } from './identity/deletion-queries.ts'
import { type ErasureDependencies, eraseBatch } from './identity/erasure.ts'
import * as libraryFront from './library/library.ts'
import { readFileOf } from './library/publishing/file.ts'
import { handOverBatch, listLeft } from './library/teams/leaving.ts'
import type { Dependencies } from './request/handler.ts'
import { type Clock, timestamp } from './runtime/clock.ts'
import { buildBatch, isBuilt } from './search/building.ts'
import { SEARCH_VERSION } from './search/document.ts'
import { searchSources } from './search-sources.ts'
import { isWaiting as isUnplaced, AT_ONCE as PLACED_AT_ONCE, sequenceBatch } from './transparency/sequencing.ts'

export interface JobParts extends CleanUpParts {
  mergeables: readonly Mergeable[] & Parameters<typeof hidingOfMerged>[0]
  releasings: readonly ClosableKind[]
  /** Every kind of thing that can be hidden. */
  hidings: readonly HideableKind[]
  /** Makes a write that an account agreed to. */
  make(id: string): Promise<unknown>
  headsOf: HeadsOf
  sender: { send(): Promise<void> }
  downloads: { write(): Promise<void> }
}

/** Events that are delivered beside each other by processes that share PostgreSQL. */
const EVENT_SLOTS = 4

/** Kinds that are run at once, in this order, by what they are for: one call at a time. */
export const turns = {
  /** What follows from writes: things move, releases close, and members hear of it. */
  deliver: [
    ...['merges.move', 'merges.undo', 'releases.close', 'pending.make', 'notifications.deliver', 'teams.handOver'],
    ...['accounts.hide', 'notifications.mail'],
  ],
  sendWebhooks: ['webhooks.send'],
  writeDownloads: ['downloads.write'],
  buildSearch: ['search.build'],
  work: ['exports.prepare', 'accounts.erase'],
  sequenceLog: ['log.sequence'],
  backfill: ['log.backfill', 'library.backfill'],
  cleanUp: cleanUpKinds,
}

/** For a batch that says whether there may be more; rows say where it goes on. */
const more = (mayBeMore: boolean): string | undefined => (mayBeMore ? '' : undefined)

/** A queue whose batches take what is next by themselves. */
const queue = (oldest: { since?: string } | undefined): WaitingKey[] => (oldest ? [{ key: '', ...oldest }] : [])

/** What says what waits. */
interface QueueSource {
  db: Db
  clock: Clock
  /** Before then what has expired may be removed. */
  cleanUpTime(): Promise<string>
}

/** What batches work with. */
type Work = () => { dependencies: Dependencies; parts: JobParts }

/** The jobs of an application. */
export const jobsOf = (dependencies: Dependencies, parts: JobParts): Job[] =>
  jobsFor({ db: dependencies.db, clock: dependencies.clock, cleanUpTime: openCleanUpTime(dependencies) }, () => ({
    dependencies,
    parts,
  }))

/** The same without an application, for commands of the operator: they run no batch. */
export const declaredJobs = ({ db, clock }: Pick<QueueSource, 'db' | 'clock'>): DeclaredJob[] =>
  jobsFor({ db, clock, cleanUpTime: async () => timestamp(clock.now()) }, () => {
    throw new Error('a command runs no jobs')
  })

/** In the order in which they run where one waits for another. */
const jobsFor = (finding: QueueSource, work: Work): Job[] => [
  ...contentJobs(finding, work),
  ...deliveryJobs(finding, work),
  exportJob(finding, () => work().dependencies),
  erasureJob(finding, () => work().dependencies),
  ...onceJobs(finding, () => work().dependencies),
  ...cleanUpJobs(work, finding.cleanUpTime),
]

function contentJobs({ db, clock }: QueueSource, work: Work): Job[] {
  return [
    {
      kind: 'merges.move',
      summary: 'moves what a merged thing had to its target',
      wake: { find: ({ limit }) => listMerges(db, limit) },
      async batch({ key }) {
        const { dependencies, parts } = work()
        return more(await moveBatch(dependencies, parts.mergeables, key))
      },
    },
    {
      kind: 'merges.undo',
      summary: 'brings back what went over to a target',
      wake: { find: ({ limit }) => listUndos(db, limit) },
      async batch({ key }) {
        const { dependencies, parts } = work()
        return more(await returnBatch(dependencies, parts.mergeables, key))
      },
    },
    {
      kind: 'releases.close',
      summary: 'closes the bugs and feature requests that a release names',
      wake: { find: async () => queue((await findClosing(db)) && {}) },
      batch: async () => more(await closeNext({ db, now: timestamp(clock.now()) }, work().parts.releasings)),
    },
    {
      kind: 'pending.make',
      summary: 'makes writes that an account agreed to and whose process ended',
      wake: { find: ({ limit }) => listAgreed({ db, clock }, limit) },
      batch: async ({ key }) => void (await work().parts.make(key)),
    },
    {
      kind: 'teams.handOver',
      summary: 'gives on what an account published for a team that it left',
      wake: { find: ({ limit }) => listLeft(db, limit) },
      batch: ({ key, cursor }) => handOverBatch(db, key, cursor),
    },
    {
      kind: 'accounts.hide',
      summary: 'hides or shows everything of an account',
      wake: { find: async () => queue(await findSweep(db)) },
      async batch() {
        const { dependencies, parts } = work()
        return more(await sweepBatch(dependencies, [...parts.hidings, hidingOfMerged(parts.mergeables)]))
      },
    },
  ]
}

function deliveryJobs({ db, clock }: QueueSource, work: Work): Job[] {
  const slots = engineOf(db) === 'postgres' ? EVENT_SLOTS : 1
  return [
    {
      kind: 'notifications.deliver',
      summary: 'makes notifications and deliveries of webhooks of what happened',
      wake: {
        find: async () => {
          const oldest = await findEvent(db)
          return oldest ? Array.from({ length: slots }, (_, slot) => ({ key: String(slot), ...oldest })) : []
        },
      },
      batch: async () => more(await deliverBatch(work().dependencies)),
    },
    {
      kind: 'notifications.mail',
      summary: 'writes mails about notifications',
      wake: { find: async ({ now }) => queue((await isMailDue(db, now)) ? {} : undefined) },
      async batch() {
        const { dependencies, parts } = work()
        return more(await mailBatch({ ...dependencies, headsOf: parts.headsOf }))
      },
    },
    {
      kind: 'mail.send',
      summary: 'sends mail; each mail has attempts of its own',
      wake: { inEachProcess: 2 },
      batch: async () => void (await work().dependencies.outbox.flush()),
    },
    {
      kind: 'webhooks.send',
      summary: 'sends deliveries to webhooks; each delivery has attempts of its own',
      wake: { inEachProcess: 1, overlapping: true },
      batch: async () => void (await work().parts.sender.send()),
    },
    {
      kind: 'log.sequence',
      summary: 'gives entries of the log their places',
      wake: { find: async () => queue((await isUnplaced(db)) ? {} : undefined) },
      async batch() {
        const { config, secretFor, log } = work().dependencies
        const placed = await sequenceBatch({ db, config, secretFor, log, now: () => timestamp(clock.now()) })
        return more(placed === PLACED_AT_ONCE)
      },
    },
    {
      kind: 'downloads.write',
      summary: 'writes the downloads that a process counted',
      wake: { inEachProcess: 10 },
      batch: async () => void (await work().parts.downloads.write()),
    },
  ]
}

/** `bounds` are for tests. */
export const exportJob = (
  { db }: Pick<QueueSource, 'db'>,
  work: () => ExportDependencies,
  bounds?: Parameters<typeof prepareExport>[2],
): Job => ({
  kind: 'exports.prepare',
  summary: 'prepares the archive that an account asked for',
  wake: { find: ({ limit }) => listExports(db, limit) },
  attempts: MAX_ATTEMPTS,
  batch: async ({ key, renew }) => void (await prepareExport(work(), { id: key, renew }, bounds)),
  giveUp: ({ key }) => giveUpExport(work(), key),
  retry: retryExport,
})

/** `steps` are for tests. */
export const erasureJob = (
  { db, cleanUpTime }: Pick<QueueSource, 'db' | 'cleanUpTime'>,
  work: () => ErasureDependencies,
  steps = erasureSteps,
): Job => ({
  kind: 'accounts.erase',
  summary: 'erases accounts whose time has come',
  wake: { find: async ({ limit }) => listDue(db, { due: await cleanUpTime(), limit }) },
  batch: ({ key, cursor }) => eraseBatch(work(), steps, { userId: key, begun: cursor }),
})

function onceJobs({ db, clock }: QueueSource, work: () => Dependencies): Job[] {
  return [
    {
      kind: 'search.build',
      summary: 'builds the index of the search where this version makes it otherwise',
      wake: { find: async () => ((await isBuilt(db)) ? [] : [{ key: String(SEARCH_VERSION) }]) },
      batch: async () => more(await buildBatch({ db, sources: searchSources, now: () => timestamp(clock.now()) })),
    },
    {
      kind: 'log.backfill',
      summary: 'takes what was public before there was a log into it',
      wake: { once: '1' },
      batch: ({ cursor }) => libraryFront.backfillLog(db, cursor),
    },
    {
      kind: 'library.backfill',
      summary: 'reads what files say that came before it was stored',
      wake: { once: '1' },
      longestBatchSeconds: 600,
      batch: ({ cursor }) => libraryFront.backfillFromFiles({ db, blobs: work().blobs, readFile: readFileOf }, cursor),
    },
  ]
}
