// What removes expired rows and stored bytes that nothing names, as jobs; jobs.ts lists the others.
import { deleteExpiredExports, isExportUsed } from './accounts/export-queries.ts'
import { auditHead } from './audit/audit.ts'
import { deleteExpiredTries } from './budgets/clean-up.ts'
import { isDefinitionUsed } from './community/orgs/orgs.ts'
import { deleteOldDrafts } from './content/drafts/erasure.ts'
import type { Hiding } from './content/hiding/hiding.ts'
import { forgetOldMerges } from './content/merging/clean-up.ts'
import { deleteOldNotifications } from './content/notifications/clean-up.ts'
import { deleteOldPending } from './content/pending/clean-up.ts'
import { deleteOldEvidence } from './content/reports/clean-up.ts'
import { purgeRemoved } from './content/reports/purging.ts'
import { deleteLooseImages } from './content/text-images/clean-up.ts'
import { deleteOldDeliveries } from './content/webhooks/clean-up.ts'
import type { Job } from './core/jobs/job.ts'
import { deleteOldJobs } from './core/jobs/queries.ts'
import { findNamed, objectFolders } from './database/stored.ts'
import { deleteExpired } from './identity/clean-up.ts'
import * as libraryFront from './library/library.ts'
import { deleteOldMails } from './mail/mail.ts'
import type { Dependencies } from './request/handler.ts'
import { deleteExpiredKeys } from './request/idempotency-queries.ts'
import { sweepArtifacts } from './storage/sweep.ts'
import { type Named, sweepObjects } from './storage/sweep-objects.ts'

export interface CleanUpParts {
  /** The authorization server. */
  server: { cleanUp(now: string): Promise<void> }
  /** By type, what moderators may remove. */
  removable: ReadonlyMap<string, Hiding>
}

const CLEAN_UP_SECONDS = 300
/** After a long time without one, a clean-up removes much in small transactions with pauses. */
const LONGEST_CLEAN_UP_SECONDS = 6 * 3_600

/** What clean-ups remove, in their order: rows before the bytes that they name. */
export const cleanUpKinds = [
  'credentials',
  'tries',
  'idempotencyKeys',
  'outbox',
  'notifications',
  'pending',
  'drafts',
  'images',
  'merges',
  'removed',
  'evidence',
  'deliveries',
  'mails',
  'exports',
  'oauth',
  'library',
  'jobs',
  'artifacts',
  'objects',
] as const

/** For each folder of objects, the query that finds referenced names for the sweep. */
const namedObjects: Record<string, Named> = Object.fromEntries(
  objectFolders.map((folder) => [folder, (db, names) => findNamed(db, folder, names)]),
)

/** What removes expired rows and stored bytes that nothing names. */
export function cleanUpJobs(
  dependencies: Dependencies,
  { server, removable }: CleanUpParts,
  cleanUpTime: () => Promise<string>,
): Job[] {
  const { db, config, outbox } = dependencies
  const used = [libraryFront.isArtifactUsed, isDefinitionUsed, isExportUsed]
  const cleanUps: Record<(typeof cleanUpKinds)[number], [summary: string, run: (now: string) => Promise<unknown>]> = {
    credentials: ['expired sessions, codes and invitations', (now) => deleteExpired(db, now)],
    tries: ['counted tries', (now) => deleteExpiredTries(db, now)],
    idempotencyKeys: ['answers that were kept for a second request', (now) => deleteExpiredKeys(db, now)],
    outbox: ['mail that was sent', (now) => outbox.cleanUp(now)],
    notifications: ['old notifications and events', (now) => deleteOldNotifications(db, now)],
    pending: ['writes that waited for too long', (now) => deleteOldPending(db, now)],
    drafts: ['old drafts', (now) => deleteOldDrafts(db, now)],
    images: ['images that no text shows', (now) => deleteLooseImages(dependencies, now)],
    merges: ['what undoes old merges', (now) => forgetOldMerges(db, now)],
    removed: ['what moderators removed', (now) => purgeRemoved(dependencies, removable, now)],
    evidence: ['evidence of old reports', (now) => deleteOldEvidence(db, now)],
    deliveries: ['old deliveries of webhooks', (now) => deleteOldDeliveries(db, now)],
    mails: ['old files of the mail folder', (now) => deleteOldMails(config, Date.parse(now))],
    exports: ['exports whose time is over', (now) => deleteExpiredExports(db, now)],
    oauth: ['expired grants and tokens', (now) => server.cleanUp(now)],
    library: ['what the library counted', (now) => libraryFront.cleanUp(db, now)],
    jobs: ['jobs that were given up long ago', (now) => deleteOldJobs(db, now)],
    artifacts: ['files that nothing names', (now) => sweepArtifacts(dependencies, new Date(now), used)],
    objects: ['pictures that nothing names', (now) => sweepObjects(dependencies, new Date(now), namedObjects)],
  }
  const jobs = cleanUpKinds.map((what): Job => {
    const [summary, run] = cleanUps[what]
    return {
      kind: `cleanUp.${what}`,
      summary: `removes ${summary}`,
      wake: { every: CLEAN_UP_SECONDS },
      lane: 'cleanUp',
      longestBatchSeconds: LONGEST_CLEAN_UP_SECONDS,
      batch: async () => void (await run(await cleanUpTime())),
    }
  })
  return [...jobs, auditHeadJob(dependencies)]
}

/** Logged outside the database, a head can later prove that rows at the end of the audit log were removed (npm run admin -- verify <head>). */
function auditHeadJob({ db, log }: Dependencies): Job {
  let noted = 0
  return {
    kind: 'audit.logHead',
    summary: 'writes the head of the audit log into the log of the server',
    wake: { every: CLEAN_UP_SECONDS },
    async batch() {
      const head = await auditHead(db)
      if (head && head.position !== noted) log.info({ head: `${head.position}:${head.hash}` }, 'audit log')
      noted = head?.position ?? noted
      return undefined
    },
  }
}
