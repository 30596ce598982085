// What removes expired rows and stored bytes that nothing names, as jobs; jobs.ts lists the others.

import { auditHead } from './audit/audit.ts'
import { deleteExpiredTries } from './budgets/queries.ts'
import type { CleanUp, Work } from './content/manifest.ts'
import type { Job } from './core/jobs/job.ts'
import { deleteOldJobs } from './core/jobs/queries.ts'
import { findNamed, objectFolders } from './database/stored.ts'
import { features } from './features.ts'
import type { Dependencies } from './request/handler.ts'
import { deleteExpiredKeys } from './request/idempotency-queries.ts'
import type { FindNames } from './storage/sweep-objects.ts'

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
export const cleanUpKinds: readonly string[] = [
  ...Object.keys(cleanUps).map((what) => `cleanUp.${what}`),
  'audit.logHead',
]

export function cleanUpJobs(work: Work<never>, cleanUpTime: () => Promise<string>): Job[] {
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
