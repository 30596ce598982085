// What removes expired rows and stored bytes that nothing names, as jobs; jobs.ts lists the others.
import { deleteExpiredExports, isExportUsed } from './accounts/export-queries.ts'
import { auditHead } from './audit/audit.ts'
import { deleteExpiredTries } from './budgets/queries.ts'
import { isDefinitionUsed } from './community/orgs/orgs.ts'
import {
  deleteOldDeliveries,
  deleteOldDrafts,
  deleteOldEvidence,
  deleteOldPending,
  forgetOldMerges,
} from './content/clean-up.ts'
import type { HideableKind } from './content/hiding/hiding.ts'
import { deleteOldNotifications } from './content/notifications/clean-up.ts'
import { purgeRemoved } from './content/reports/purging.ts'
import { deleteLooseImages } from './content/text-images/clean-up.ts'
import type { Job } from './core/jobs/job.ts'
import { deleteOldJobs } from './core/jobs/queries.ts'
import { findNamed, objectFolders } from './database/stored.ts'
import { deleteExpired } from './identity/credentials.ts'
import * as libraryFront from './library/library.ts'
import { deleteOldMails } from './mail/mail.ts'
import type { Dependencies } from './request/handler.ts'
import { deleteExpiredKeys } from './request/idempotency-queries.ts'
import { sweepArtifacts } from './storage/sweep.ts'
import { type FindNames, sweepObjects } from './storage/sweep-objects.ts'

export interface CleanUpParts {
  /** The authorization server. */
  server: { cleanUp(now: string): Promise<void> }
  /** By type, what moderators may remove. */
  removable: ReadonlyMap<string, HideableKind>
}

const CLEAN_UP_SECONDS = 300
/** After a long time without one, a clean-up removes much in small transactions with pauses. */
const LONGEST_CLEAN_UP_SECONDS = 6 * 3_600

/** For each folder of objects, the query that finds referenced names for the sweep. */
const namedObjects: Record<string, FindNames> = Object.fromEntries(
  objectFolders.map((folder) => [folder, (db, names) => findNamed(db, folder, names)]),
)

const used = [libraryFront.isArtifactUsed, isDefinitionUsed, isExportUsed]

type CleanUp = readonly [
  what: string,
  run: (now: string, dependencies: Dependencies, parts: CleanUpParts) => Promise<unknown>,
]

/** In their order: rows before the bytes that they name. */
const cleanUps = {
  credentials: ['expired sessions, codes and invitations', (now, { db }) => deleteExpired(db, now)],
  tries: ['counted tries', (now, { db }) => deleteExpiredTries(db, now)],
  idempotencyKeys: ['answers that were kept for a second request', (now, { db }) => deleteExpiredKeys(db, now)],
  outbox: ['mail that was sent', (now, { outbox }) => outbox.cleanUp(now)],
  notifications: ['old notifications and events', (now, { db }) => deleteOldNotifications(db, now)],
  pending: ['writes that waited for too long', (now, { db }) => deleteOldPending(db, now)],
  drafts: ['old drafts', (now, { db }) => deleteOldDrafts(db, now)],
  images: ['images that no text shows', (now, dependencies) => deleteLooseImages(dependencies, now)],
  merges: ['what undoes old merges', (now, { db }) => forgetOldMerges(db, now)],
  removed: [
    'what moderators removed',
    (now, dependencies, { removable }) => purgeRemoved(dependencies, removable, now),
  ],
  evidence: ['evidence of old reports', (now, { db }) => deleteOldEvidence(db, now)],
  deliveries: ['old deliveries of webhooks', (now, { db }) => deleteOldDeliveries(db, now)],
  mails: ['old files of the mail folder', (now, { config }) => deleteOldMails(config, Date.parse(now))],
  exports: ['exports whose time is over', (now, { db }) => deleteExpiredExports(db, now)],
  oauth: ['expired grants and tokens', (now, _, { server }) => server.cleanUp(now)],
  library: ['what the library counted', (now, { db }) => libraryFront.cleanUp(db, now)],
  jobs: ['jobs that were given up long ago', (now, { db }) => deleteOldJobs(db, now)],
  artifacts: ['files that nothing names', (now, dependencies) => sweepArtifacts(dependencies, new Date(now), used)],
  objects: [
    'pictures that nothing names',
    (now, dependencies) => sweepObjects(dependencies, new Date(now), namedObjects),
  ],
} satisfies Record<string, CleanUp>

/** Their kinds, and that of the head of the audit log. */
export const cleanUpKinds: readonly string[] = [
  ...Object.keys(cleanUps).map((what) => `cleanUp.${what}`),
  'audit.logHead',
]

export function cleanUpJobs(
  work: () => { dependencies: Dependencies; parts: CleanUpParts },
  cleanUpTime: () => Promise<string>,
): Job[] {
  const all: Readonly<Record<string, CleanUp>> = cleanUps
  const jobs = Object.entries(all).map(
    ([name, [what, run]]): Job => ({
      kind: `cleanUp.${name}`,
      summary: `removes ${what}`,
      wake: { every: CLEAN_UP_SECONDS },
      lane: 'cleanUp',
      longestBatchSeconds: LONGEST_CLEAN_UP_SECONDS,
      async batch() {
        const { dependencies, parts } = work()
        await run(await cleanUpTime(), dependencies, parts)
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
